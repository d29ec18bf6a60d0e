import Dispatch
import Sluice

/// The part of a ``CSVSink`` that does not depend on how readings reach it, and so need not be generic: a generic class
/// whose code is in another module runs unspecialised.
public final class _CSVWriter: @unchecked Sendable {
  // The lock protects all state.

  static var batch: Int { 64 << 10 }
  /// Bytes waiting for the disk beyond which nothing more is asked for.
  static var limit: Int { 4 << 20 }

  private final class Output {
    let file: RecordingFile
    let encoder: CSVEncoder
    let buffer = TextBuffer(capacity: 80 << 10)

    init(file: RecordingFile, encoder: CSVEncoder) {
      self.file = file
      self.encoder = encoder
    }
  }

  private struct State {
    var subscription: (any Subscription)?
    var ended = false
    var paused = false
    var behind = false  // the disk is
    var waiting = false  // downstream demand was withheld and is to be asked for
    var bytesInFlight = 0  // handed over and not yet with the system
    var counts: [SinkCount]
  }

  private let outputs: [Output]
  private let queue: DispatchQueue
  private let ticker: any DispatchSourceTimer
  private let pauseMode: PauseMode
  private let receiveCompletion: @Sendable (SluiceError?) -> Void
  /// Called, outside the lock, whenever the sink begins or ceases to want values.
  private let wants: @Sendable (Bool) -> Void
  private let state: Locked<State>

  /// - Parameters:
  ///   - streams: In the order of their ``StreamID``.
  ///   - raw: Write values without offset and scale.
  ///   - pauseMode: What happens to readings while paused.
  ///   - wants: For a gate further up: called with false when the sink is paused or the disk is behind, with true when
  ///     it goes on.
  ///   - receiveCompletion: Called once, when everything is written, or with the error that ended it.
  init(
    _ destination: CSVDestination, streams: [StreamDescription], raw: Bool = false, existing: ExistingFile = .refuse,
    pauseMode: PauseMode = .hold, wants: @escaping @Sendable (Bool) -> Void = { _ in },
    receiveCompletion: @escaping @Sendable (SluiceError?) -> Void
  ) throws(SluiceError) {
    let queue = DispatchQueue(label: "sluice.csv")
    self.queue = queue
    var opened: [Output] = []
    func add(_ path: String, _ encoder: CSVEncoder) throws(SluiceError) {
      do throws(SluiceError) {
        let file = try RecordingFile(path: path, header: encoder.header, existing: existing, queue: queue)
        opened.append(Output(file: file, encoder: encoder))
      } catch {
        for output in opened { output.file.discard() }
        throw error
      }
    }
    switch destination {
    case .file(let path, let layout):
      guard layout == .long || streams.count <= 1 else {
        throw SluiceError(
          .usage, "write", path, because: "the wide layout holds one stream and there are \(streams.count)",
          remedy: "use the long layout, or a folder for one file a stream")
      }
      try add(path, CSVEncoder(layout: layout, streams: streams, raw: raw))
    case .directory(let folder):
      for stream in streams {
        try add("\(folder)/\(Self.fileName(stream.name)).csv", CSVEncoder(layout: .wide, streams: [stream], raw: raw))
      }
    }
    outputs = opened
    self.pauseMode = pauseMode
    self.wants = wants
    self.receiveCompletion = receiveCompletion
    state = Locked(State(counts: Array(repeating: SinkCount(), count: streams.count)))
    ticker = DispatchSource.makeTimerSource(queue: queue)
    ticker.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250), leeway: .milliseconds(20))
    ticker.setEventHandler { [weak self] in self?.flush() }
    ticker.activate()
  }

  deinit { ticker.cancel() }

  /// A file name that is valid everywhere.
  static func fileName(_ stream: String) -> String {
    let name = String(stream.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "_" })
    return name.isEmpty || name.allSatisfy({ $0 == "." }) ? "_" : name
  }

  /// What has been done so far, by stream.
  var counts: [SinkCount] { state.withLock { $0.counts } }

  /// For a recording that could not begin: closes its files and removes those it made.
  func discard() {
    ticker.cancel()
    for output in outputs { output.file.discard() }
  }

  // MARK: Pausable

  var paused: Bool { state.withLock { $0.paused } }

  func pause() {
    let changed = state.withLock { state in
      defer { state.paused = true }
      return !state.paused && !state.ended
    }
    if changed, pauseMode == .hold { wants(false) }
  }

  func resume() {
    state.withLock { $0.paused = false }
    goOn()
  }

  /// Asks for what was withheld, if nothing stands against it any more.
  private func goOn() {
    let (subscription, open) = state.withLock { state -> ((any Subscription)?, Bool) in
      guard !state.ended, !state.behind, pauseMode == .discard || !state.paused else { return (nil, false) }
      defer { state.waiting = false }
      return (state.waiting ? state.subscription : nil, true)
    }
    subscription?.request(.max(1))
    if open { wants(true) }
  }

  // MARK: Input

  func receive(subscription: any Subscription) {
    let accepted = state.withLock { state -> Bool in
      guard state.subscription == nil, !state.ended else { return false }
      state.subscription = subscription
      return true
    }
    guard accepted else { return subscription.cancel() }
    let held = state.withLock { state in
      state.waiting = state.paused && pauseMode == .hold
      return state.waiting
    }
    if !held { subscription.request(.max(1)) }
  }

  /// - Returns: What is wanted in addition.
  @usableFromInline func receive(_ reading: Reading) -> Subscribers.Demand {
    answer(
      state.withLock { state in
        take(reading, &state)
        return next(&state)
      })
  }

  @usableFromInline func receive(_ readings: [Reading]) -> Subscribers.Demand {
    answer(
      state.withLock { state in
        for reading in readings { take(reading, &state) }
        return next(&state)
      })
  }

  private func take(_ reading: Reading, _ state: inout State) {
    let index = Int(reading.stream.index)
    guard !state.ended, index < state.counts.count else { return }
    if state.paused, pauseMode == .discard {
      state.counts[index].discarded += 1
    } else {
      encode(reading, &state)
      state.counts[index].written += 1
    }
  }

  private enum Answer { case more, nothing, fellBehind }

  private func next(_ state: inout State) -> Answer {
    if state.ended { return .nothing }
    if state.behind || (state.paused && pauseMode == .hold) {
      state.waiting = true
      return .nothing
    }
    if state.bytesInFlight <= Self.limit { return .more }
    state.behind = true
    state.waiting = true
    return .fellBehind
  }

  private func answer(_ answer: Answer) -> Subscribers.Demand {
    if answer == .fellBehind {
      wants(false)
      queue.async { [weak self] in self?.caughtUp() }
    }
    return answer == .more ? .max(1) : .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    let first = state.withLock { state -> Bool in
      defer {
        state.ended = true
        state.subscription = nil
      }
      return !state.ended
    }
    if first { finish() }
  }

  /// Stops taking readings; what was taken is written.
  func cancel() {
    let subscription = state.withLock { state -> (any Subscription)? in
      defer { state.subscription = nil }
      return state.ended ? nil : state.subscription
    }
    subscription?.cancel()
    receive(completion: .finished)
  }

  // MARK: Writing

  private func encode(_ reading: Reading, _ state: inout State) {
    let output = outputs[outputs.count == 1 ? 0 : Int(reading.stream.index)]
    output.encoder.encode(reading, into: output.buffer)
    if output.buffer.count >= Self.batch { handOver(output, &state) }
  }

  private func handOver(_ output: Output, _ state: inout State) {
    guard output.buffer.count > 0 else { return }
    let rows = output.buffer.withBytes { [UInt8]($0) }
    output.buffer.removeAll()
    state.bytesInFlight += rows.count
    let file = output.file
    file.write(rows) { [weak self] in
      self?.state.withLock { $0.bytesInFlight -= rows.count }
      if file.error != nil { self?.cancel() }
    }
  }

  private func flush() {
    state.withLock { state in
      for output in outputs { handOver(output, &state) }
    }
  }

  /// Runs on the queue, behind the writes that were in flight.
  private func caughtUp() {
    state.withLock { $0.behind = false }
    goOn()
  }

  private func finish() {
    flush()
    ticker.cancel()
    let group = DispatchGroup()
    for output in outputs {
      group.enter()
      output.file.close { group.leave() }
    }
    group.notify(queue: queue) { [self] in
      receiveCompletion(outputs.lazy.compactMap(\.file.error).first)
    }
  }
}
