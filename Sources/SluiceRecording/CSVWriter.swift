import Dispatch
import Sluice

/// The part of a ``CSVSink`` that does not depend on how readings reach it, and so need not be generic: a generic class
/// whose code is in another module runs unspecialised.
public final class _CSVWriter: @unchecked Sendable {
  // The lock protects all state.

  static var batch: Int { 64 << 10 }
  /// A batch and the row that makes it one.
  private static var capacity: Int { 80 << 10 }
  /// How many buffers are kept for the next batches: as many as may be on their way, for freed ones stay with the process.
  private static var spares: Int { limit / batch }
  /// Bytes waiting for the disk beyond which nothing more is asked for.
  static var limit: Int { 1 << 20 }

  private final class Output {
    let file: RecordingFile
    let encoder: CSVEncoder
    let firstStream: Int  // of those that go here
    var buffer = TextBuffer(capacity: _CSVWriter.capacity)

    init(file: RecordingFile, encoder: CSVEncoder, firstStream: Int) {
      self.file = file
      self.encoder = encoder
      self.firstStream = firstStream
    }
  }

  private struct State {
    var subscription: (any Subscription)?
    var ended = false
    var paused = false
    var behind = false  // the disk is
    var waiting = false  // downstream demand was withheld and is to be asked for
    var bytesInFlight = 0  // handed over and not yet with the system
    var idle = true  // nothing was written for the last interval
    var spares: [TextBuffer] = []  // written, and to be filled again
    var counts: [SinkCount]
  }

  private let outputs: [Output]
  private let queue: DispatchQueue
  private let requests = DispatchQueue(label: "sluice.csv.requests")
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
    for table in destination.tables(for: streams) {
      guard table.layout == .long || table.streams.count <= 1 else {
        throw SluiceError(
          .usage, "write", table.path, because: "the wide layout holds one stream and there are \(streams.count)",
          remedy: "use the long layout, or a folder for one file a stream")
      }
      let encoder = CSVEncoder(layout: table.layout, streams: Array(streams[table.streams]), raw: raw)
      do throws(SluiceError) {
        let file = try RecordingFile(path: table.path, header: encoder.header, existing: existing, queue: queue)
        opened.append(Output(file: file, encoder: encoder, firstStream: table.streams.lowerBound))
      } catch {
        for output in opened { output.file.discard() }
        throw error
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
    withUnsafePointer(to: reading) { receive(UnsafeBufferPointer(start: $0, count: 1)) }
  }

  @usableFromInline func receive(_ readings: [Reading]) -> Subscribers.Demand {
    readings.withUnsafeBufferPointer { receive($0) }
  }

  @usableFromInline func receive(_ readings: ArraySlice<Reading>) -> Subscribers.Demand {
    readings.withUnsafeBufferPointer { receive($0) }
  }

  /// The lock is held while they are encoded, a block at once: only pausing, the queue of the writes and whoever asks for
  /// the counts may have to wait so long, and none of them has readings waiting for it.
  private func receive(_ readings: UnsafeBufferPointer<Reading>) -> Subscribers.Demand {
    answer(
      state.withLock { state in
        var rest = readings[...]
        while let stream = rest.first?.stream {
          let end = rest.firstIndex { $0.stream != stream } ?? rest.endIndex
          take(UnsafeBufferPointer(rebasing: rest[..<end]), of: Int(stream.index), &state)
          rest = rest[end...]
        }
        return next(&state)
      })
  }

  /// Takes readings of one stream.
  private func take(_ readings: UnsafeBufferPointer<Reading>, of stream: Int, _ state: inout State) {
    guard !state.ended, stream < state.counts.count else { return }
    if state.paused, pauseMode == .discard {
      state.counts[stream].discarded += readings.count
    } else {
      encode(readings, to: outputs[outputs.count == 1 ? 0 : stream], &state)
      state.counts[stream].written += readings.count
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
    if answer == .fellBehind { wants(false) }
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

  private func encode(_ readings: UnsafeBufferPointer<Reading>, to output: Output, _ state: inout State) {
    var done = 0
    while done < readings.count {
      let rest = UnsafeBufferPointer(rebasing: readings[done...])
      done += output.encoder.encode(rest, into: output.buffer, until: Self.batch)
      // What comes after a silence is seen at once.
      if output.buffer.count >= Self.batch || state.idle { handOver(output, &state) }
    }
  }

  private func handOver(_ output: Output, _ state: inout State) {
    let rows = output.buffer
    let count = rows.count
    guard count > 0 else { return }
    output.buffer = state.spares.popLast() ?? TextBuffer(capacity: Self.capacity)
    state.bytesInFlight += count
    state.idle = false
    let (file, encoder, firstStream) = (output.file, output.encoder, output.firstStream)
    file.write(rows) { [weak self] kept in
      if kept < count {
        self?.failed(rows.withBytes { encoder.readings(in: UnsafeBufferPointer(rebasing: $0[kept...])) }, firstStream)
      }
      self?.written(rows, count)
      if file.error != nil { self?.cancel() }
    }
  }

  /// Takes back what was counted as written.
  private func failed(_ counts: [Int], _ firstStream: Int) {
    state.withLock { state in
      for (index, count) in counts.enumerated() { state.counts[firstStream + index].written -= count }
    }
  }

  private func written(_ rows: TextBuffer, _ count: Int) {
    rows.removeAll()
    let caughtUp = state.withLock { state -> Bool in
      state.bytesInFlight -= count
      if state.spares.count < Self.spares { state.spares.append(rows) }
      guard state.behind, state.bytesInFlight <= Self.limit / 2 else { return false }
      state.behind = false
      return true
    }
    // Not on the queue of the writes: upstream may deliver all that it has within the request.
    if caughtUp { requests.async { [weak self] in self?.goOn() } }
  }

  private func flush() {
    state.withLock { state in
      state.idle = outputs.allSatisfy { $0.buffer.count == 0 }
      for output in outputs { handOver(output, &state) }
    }
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
