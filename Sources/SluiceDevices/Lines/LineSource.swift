import Dispatch
package import Sluice
package import SluiceReadings
import SluiceSystem
import Synchronization

/// A source of lines: a wire, and the grammar that was learned from its first lines.
package final class LineSource: @unchecked Sendable {
  // The wire and the buffer belong to the thread that opens the source, then to the one that reads it. Everything else
  // does not change, or has a lock of its own.

  let wire: any LineWire
  private let buffer = LineBuffer()
  private let grammar: any LineGrammar
  package let streams: [StreamDescription]
  package let hasOwnClock: Bool
  let losses = LineLosses()
  let whenRemoved: (@Sendable (SluiceError?) -> Void)?
  private let tell: @Sendable (String) -> Void
  private let wake: WakePipe
  private let teardown = DispatchGroup()
  private let away = Atomic(false)
  private let hasBegun = Atomic(false)
  private let isFaultTold = Atomic(false)
  private let areNamesTold = Atomic(false)

  /// How long to wait for more lines after the first one, in milliseconds, if they may have other names.
  private static var patience: Int64 { 1_000 }

  /// Opens the wire, and waits for the lines from which the grammar is learned.
  /// - Parameters:
  ///   - learn: Called with each line, and with nil when no more are waited for; returns the grammar when it is known.
  ///   - hasOwnClock: Whether the lines have times.
  ///   - whenRemoved: Called with the error when the wire is gone, and with nil when it is back. If it is nil, a wire
  ///     that is gone ends the source.
  ///   - tell: Called with sentences for the user, such as the first line that does not fit.
  ///   - isInterrupted: Asked while it waits.
  package init(
    _ wire: any LineWire, learn: (_ line: [UInt8]?) throws(SluiceError) -> (any LineGrammar)?,
    hasOwnClock: Bool = false, whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil,
    tell: @escaping @Sendable (String) -> Void = { _ in },
    isInterrupted: () -> Bool = { false }
  ) throws(SluiceError) {
    wake = try WakePipe()
    try wire.open(isInterrupted: isInterrupted)
    do throws(SluiceError) {
      grammar = try Self.learned(wire, buffer, learn, tell, isInterrupted)
    } catch {
      wire.close()
      throw error
    }
    (self.wire, self.hasOwnClock, self.whenRemoved, self.tell) = (wire, hasOwnClock, whenRemoved, tell)
    streams = grammar.streams
  }

  deinit { if !hasBegun.load(ordering: .relaxed) { wire.close() } }

  private static func learned(
    _ wire: any LineWire, _ buffer: LineBuffer, _ learn: ([UInt8]?) throws(SluiceError) -> (any LineGrammar)?,
    _ tell: (String) -> Void, _ isInterrupted: () -> Bool
  ) throws(SluiceError) -> any LineGrammar {
    var (place, isAtEnd, isTold) = (0, false, false)
    let begin = milliseconds
    // A form with fixed streams needs no line.
    if let grammar = try learn([]) { return grammar }
    var firstLine: Int64?
    while true {
      while let line = buffer.peek(at: &place) {
        firstLine = firstLine ?? milliseconds
        if let grammar = try learn(line) { return grammar }
      }
      let isLate = firstLine.map { milliseconds - $0 >= patience } ?? false
      // The memory is for a thousand lines of a usual length.
      if isAtEnd || buffer.isNearlyFull {
        if let grammar = try learn(nil) { return grammar }
      } else if isLate, let grammar = try? learn(nil) {
        // If it throws, later lines may still have a form.
        return grammar
      }
      if isAtEnd || buffer.isNearlyFull {
        throw SluiceError(
          .malformed, "read", wire.title,
          because: firstLine == nil ? "it ended before its first line" : "its first lines have no known form",
          remedy: "say what its lines are like: as=, names= or match=")
      }
      if isInterrupted() {
        throw SluiceError(.interrupted, "wait for a line of", wire.title, because: "a stop was requested")
      }
      if !isTold, firstLine == nil, milliseconds - begin > 2_000 {
        isTold = true
        tell("waiting for the first line of \(wire.title)")
      }
      var waiting = wire.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&waiting, nfds_t(waiting.count), 50) > 0 else { continue }
      switch try wire.read(waiting.map { $0.revents != 0 }, into: buffer.space()) {
      case .nothing: break
      case .bytes(let count, let received, let isUncertain, let isAfterLoss):
        let time = received ?? Int64(bitPattern: kernelTime(CLOCK_MONOTONIC))
        buffer.append(
          count, LineBuffer.Receipt(monotonic: time, isUncertain: isUncertain, isAfterLoss: isAfterLoss))
        if wire.hasDatagrams { buffer.endLine() }
      case .end:
        buffer.endLine()
        isAtEnd = true
      }
    }
  }

  private static var milliseconds: Int64 { Int64(kernelTime(CLOCK_MONOTONIC) / 1_000_000) }

  // MARK: Called by the reader

  /// Whether the recording was asked to end while the reader has it read.
  var isEnding: Bool { wake.isSignalled }

  func set(isAway: Bool) { away.store(isAway, ordering: .relaxed) }

  /// Counts a line that does not fit, and shows the first one.
  func fault(_ fault: LineFault, of line: UnsafeBufferPointer<UInt8>, at time: Int64) {
    losses.add(fault.isChecksum ? .checksum : .unfit, at: time)
    guard !isFaultTold.exchange(true, ordering: .relaxed) else { return }
    tell("\(wire.title): the line \(Self.shown(line)) does not fit: \(fault.cause); such lines are counted as lost")
  }

  func newNames(in line: UnsafeBufferPointer<UInt8>, at time: Int64) {
    losses.add(.newNames, at: time)
    guard !areNamesTold.exchange(true, ordering: .relaxed) else { return }
    tell(
      "\(wire.title): the line \(Self.shown(line)) has a name that the first lines did not have; its value is left out, "
        + "so start the recording again to have it")
  }

  /// A line for a sentence: short, and without control characters.
  private static func shown(_ line: UnsafeBufferPointer<UInt8>) -> String {
    let text = String(decoding: line.prefix(80), as: UTF8.self).unicodeScalars.map { scalar in
      scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) ? "?" : String(scalar)
    }
    return "\"\(text.joined())\(line.count > 80 ? "..." : "")\""
  }
}

extension LineSource: ReadingSource {
  package func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    Publishers.Lines(source: self, base: first, clock: clock).eraseToAnyPublisher()
  }

  package static var finishes: Bool { true }
  package func finish() { wake.finish() }
  package func waitUntilClosed() { teardown.wait() }
  package var waits: Bool { wire.waits }
  package var isAway: Bool { away.load(ordering: .relaxed) }

  package var lossReport: LossReport {
    var report = wire.coverage
    report.losses = wire.losses + losses.all
    return report
  }

  fileprivate func attach(_ base: StreamID, _ clock: EpochClock, _ subscriber: some Subscriber<Reading, SluiceError>) {
    hasBegun.store(true, ordering: .relaxed)
    DescriptorSource.attach(
      "Lines", LineReader(self, grammar, buffer, base, clock), wake: wake, teardown: teardown, to: subscriber)
  }
}

extension Publishers {
  /// The readings of a ``LineSource``.
  fileprivate struct Lines: Publisher {
    typealias Output = Reading
    typealias Failure = SluiceError
    let source: LineSource
    let base: StreamID
    let clock: EpochClock

    func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == SluiceError {
      source.attach(base, clock, subscriber)
    }
  }
}
