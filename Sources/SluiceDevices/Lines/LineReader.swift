import SluiceReadings
import SluiceSystem

/// Makes readings from the lines of a wire.
final class LineReader: DescriptorReader {
  private let source: LineSource
  private let wire: any LineWire
  private let base: UInt16
  private let clock: EpochClock
  // Swift's check of exclusive access took a seventh of the time of a line. One thread at a time reads.
  @exclusivity(unchecked) private var grammar: any LineGrammar
  private let buffer: LineBuffer
  @exclusivity(unchecked) private var reading = Reading.empty
  @exclusivity(unchecked) private var gaps: GapFlags
  /// Whether the next line may be half a line.
  @exclusivity(unchecked) private var mayBeTorn: Bool
  @exclusivity(unchecked) private var boardClock = BoardClock()
  private var absence = DeviceAbsence()
  @exclusivity(unchecked) private var isEnded = false
  /// Whether the last read brought several lines.
  @exclusivity(unchecked) private var hasSeveral = false
  var isAtEnd: Bool { isEnded && !buffer.hasLine }

  init(_ source: LineSource, _ grammar: any LineGrammar, _ buffer: LineBuffer, _ base: StreamID, _ clock: EpochClock) {
    (self.source, wire, self.grammar, self.clock) = (source, source.wire, grammar, clock)
    self.base = base.index
    gaps = GapFlags(streams: grammar.streams.count)
    self.buffer = buffer
    mayBeTorn = wire.mayBeTorn
  }

  var descriptors: [Int32] { wire.descriptors }
  /// While the wire is away, this is the time between tries to open it again.
  var timeout: Int32 { buffer.hasLine || isEnded ? 0 : wire.descriptors.isEmpty ? 500 : -1 }
  var gathering: Int32 { hasSeveral && !isEnded ? wire.gathering : 0 }
  /// A pipe holds 64 KiB, and a line has at least two bytes.
  var capacity: Int { 1 << 16 }

  func read(ready: [Bool], limit: Int, into batch: inout [Reading]) throws(SluiceError) {
    defer { hasSeveral = batch.count > 1 }
    parse(limit, into: &batch)
    guard batch.count < limit, !isEnded else { return }
    if wire.descriptors.isEmpty { guard try comeBack() else { return } }
    do throws(SluiceError) {
      // A read of a datagram has few lines, and a wake-up for each costs more than the read.
      var left = 1_024
      repeat {
        guard try readOnce(ready) else { break }
        parse(limit, into: &batch)
        left -= 1
      } while wire.hasDatagrams && batch.count < limit && left > 0
    } catch {
      guard error.code == .disconnected, let whenRemoved = source.whenRemoved else {
        if buffer.clear() { source.losses.add(.torn, at: clock.now) }
        throw error
      }
      goAway()
      whenRemoved(error)
    }
  }

  /// - Returns: Whether something was read.
  private func readOnce(_ ready: [Bool]) throws(SluiceError) -> Bool {
    switch try wire.read(ready, into: buffer.space()) {
    case .nothing: return false
    case .bytes(let count, let received, let isUncertain, let isAfterLoss):
      let time = received ?? Int64(bitPattern: kernelTime(CLOCK_MONOTONIC))
      buffer.append(
        count, LineBuffer.Receipt(monotonic: time, isUncertain: isUncertain, isAfterLoss: isAfterLoss))
      if wire.hasDatagrams { buffer.endLine() }
    case .end:
      // A file may end without a line feed.
      buffer.endLine()
      isEnded = true
    }
    return true
  }

  private func parse(_ limit: Int, into batch: inout [Reading]) {
    while batch.count < limit {
      let next = buffer.next()
      countTooLong()
      guard let line = next else { return }
      let time = clock.time(monotonic: UInt64(bitPattern: line.receipt.monotonic))
      reading.time = time
      reading.flags = line.receipt.isUncertain ? .uncertainTime : []
      if line.receipt.isAfterLoss { gaps.mark() }
      let outcome = grammar.parse(line.text, into: &reading)
      if mayBeTorn {
        // It began before the wire was opened, so it is no loss.
        mayBeTorn = false
        if !grammar.hasChecksums || outcome != .reading { continue }
      }
      switch outcome {
      case .nothing: continue
      case .fault(let fault):
        source.fault(fault, of: line.text, at: time)
        gaps.mark()
        continue
      case .readingOfSome: source.newNames(in: line.text, at: time)
      case .reading: break
      }
      if !EpochClock.isDate(reading.time) { reading.time = boardClock.time(reading.time, received: time) }
      let stream = Int(reading.stream.index)
      if gaps.take(stream) { reading.flags.insert(.gapBefore) }
      reading.stream.index &+= base
      batch.append(reading)
    }
  }

  private func countTooLong() {
    let tooLong = buffer.takeTooLong()
    guard tooLong > 0 else { return }
    source.losses.add(.tooLong, tooLong, at: clock.now)
    gaps.mark()
  }

  // MARK: Removal

  private func goAway() {
    if buffer.clear() { source.losses.add(.torn, at: clock.now) }
    wire.close()
    absence = DeviceAbsence()
    source.losses.add(.removed, at: clock.now)
    source.set(isAway: true)
    gaps.mark()
  }

  private func comeBack() throws(SluiceError) -> Bool {
    do throws(SluiceError) {
      try wire.open { source.isEnding }
    } catch {
      // The recording ends without it.
      if error.code == .interrupted { return false }
      guard error.mayPass else { throw error }
      if error.code != .notFound, let told = absence.add(error) { source.whenRemoved?(told) }
      return false
    }
    mayBeTorn = wire.mayBeTorn
    source.set(isAway: false)
    source.whenRemoved?(nil)
    return true
  }

  // MARK: End

  func finish(limit: Int, into batch: inout [Reading]) {
    let deadline = kernelTime(CLOCK_MONOTONIC) + UInt64(wire.finish() ?? 0) * 1_000_000
    // A program may have more to say when it is asked to end.
    while !isEnded, !wire.descriptors.isEmpty, batch.count < capacity {
      let now = kernelTime(CLOCK_MONOTONIC)
      guard now < deadline else { break }
      var waiting = wire.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = poll(&waiting, nfds_t(waiting.count), Int32(clamping: (deadline - now) / 1_000_000 + 1))
      var more: [Reading] = []
      do throws(SluiceError) { try read(ready: waiting.map { $0.revents != 0 }, limit: .max, into: &more) } catch {
        break
      }
      batch += more
    }
    parse(limit, into: &batch)
    // The end of the recording may cut a line in two, which is no loss. A source that has ended itself leaves no part.
    _ = buffer.clear()
  }

  func close() { wire.close() }
}
