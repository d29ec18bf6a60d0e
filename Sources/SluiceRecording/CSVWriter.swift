import DequeModule
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
    /// Constant, for a variable would be copied for each reading.
    let encoder: CSVEncoder
    /// The one that knows the streams that have come since.
    var grown: CSVEncoder?
    let streams: Range<Int>  // that go here
    var buffer = TextBuffer(capacity: _CSVWriter.capacity)
    /// The readings of a row that others of the same device and time may still join.
    var row: [Reading] = []
    /// That row was there at the last tick already: nothing joins it any more.
    var isRowOld = false

    init(file: RecordingFile, encoder: CSVEncoder, streams: Range<Int>) {
      self.file = file
      self.encoder = encoder
      self.streams = streams
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
    /// Handed over, in their order, for `queue` to write: it is woken without the lock.
    var outgoing: Deque<(output: Output, rows: TextBuffer)> = []
    var wakes = false  // some are there that `queue` does not know of
    var isWaking = false  // `queue` is to look, or looks, at them
    var counts: [SinkCount]
  }

  private let outputs: [Output]
  /// Gives the streams that there are by now; nil if there will be no more than at the beginning.
  private let moreStreams: (@Sendable () -> [StreamDescription])?
  private let raw: Bool
  private let queue: DispatchQueue
  private let requests = DispatchQueue(label: "sluice.csv.requests")
  private let ticker: any DispatchSourceTimer
  private let pauseMode: PauseMode
  private let receiveCompletion: @Sendable (SluiceError?) -> Void
  /// Called, outside the lock, whenever the sink begins or ceases to want values.
  private let wants: @Sendable (Bool) -> Void
  private let state: Locked<State>

  /// The parameters are those of ``CSVSink``.
  init(
    _ destination: CSVDestination, streams: [StreamDescription], raw: Bool, existing: ExistingFile,
    pauseMode: PauseMode, inputs: [FileIdentity: String], isInterrupted: @escaping @Sendable () -> Bool,
    moreStreams: (@Sendable () -> [StreamDescription])?, wants: @escaping @Sendable (Bool) -> Void,
    receiveCompletion: @escaping @Sendable (SluiceError?) -> Void
  ) throws(SluiceError) {
    let queue = DispatchQueue(label: "sluice.csv")
    self.queue = queue
    self.raw = raw
    self.moreStreams = moreStreams
    var opened: [Output] = []
    do throws(SluiceError) {
      for table in try destination.tables(for: streams) {
        let file = try RecordingFile(
          path: table.path, existing: existing, inputs: inputs, isInterrupted: isInterrupted, queue: queue)
        let encoder = CSVEncoder(layout: table.layout, streams: Array(streams[table.streams]), raw: raw)
        opened.append(Output(file: file, encoder: encoder, streams: table.streams))
        if let other = opened.dropLast().first(where: { $0.file.isSame(as: file) }) {
          throw SluiceError(
            .usage, "write", table.path,
            because: "it is the same file as \(other.file.path), which is to be written too",
            remedy: "remove one of them, or write to another folder")
        }
      }
      for output in opened { try output.file.lock() }
      // All of them are ours: now what is there may be changed.
      for output in opened { try output.file.begin(header: output.encoder.header) }
    } catch {
      for output in opened { output.file.discard() }
      throw error
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

  /// For a recording that failed, once it has ended: removes the files that it made or overwrote and that have no row.
  /// - Returns: Their paths.
  func removeFilesWithoutRows() -> [String] {
    let counts = counts
    return outputs.filter { output in
      counts[output.streams.clamped(to: counts.indices)].allSatisfy { $0.written == 0 } && output.file.remove()
    }.map(\.file.path)
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
    if moreStreams != nil { learn(readings) }
    let (answer, isToWake) = state.withLock { state -> (Answer, Bool) in
      var rest = readings[...]
      while let stream = rest.first?.stream {
        let end = rest.firstIndex { $0.stream != stream } ?? rest.endIndex
        take(UnsafeBufferPointer(rebasing: rest[..<end]), of: Int(stream.index), &state)
        rest = rest[end...]
      }
      return (next(&state), wakes(&state))
    }
    if isToWake { wake() }
    if answer == .fellBehind { wants(false) }
    return answer == .more ? .max(1) : .none
  }

  /// Takes readings of one stream.
  private func take(_ readings: UnsafeBufferPointer<Reading>, of stream: Int, _ state: inout State) {
    guard !state.ended, stream < state.counts.count else { return }
    if state.paused, pauseMode == .discard {
      state.counts[stream].discarded += readings.count
    } else {
      let output = outputs[outputs.count == 1 ? 0 : stream]
      if output.encoder.sharesRows {
        share(readings, of: output, &state)
      } else {
        encode(readings, to: output, &state)
      }
      state.counts[stream].written += readings.count
    }
  }

  /// Looks whether there are streams or channels by now that were not there before. Only whoever delivers calls this.
  private func learn(_ readings: UnsafeBufferPointer<Reading>) {
    guard let output = outputs.first, let moreStreams else { return }
    let known = output.grown ?? output.encoder
    guard readings.contains(where: { $0.values.count > known.channels(of: Int($0.stream.index)) }) else { return }
    let streams = moreStreams()
    let encoder = CSVEncoder(layout: .long, streams: streams, raw: raw)
    state.withLock { state in
      output.grown = encoder
      while state.counts.count < streams.count { state.counts.append(SinkCount()) }
    }
  }

  /// Puts readings of one device and time into one row.
  private func share(_ readings: UnsafeBufferPointer<Reading>, of output: Output, _ state: inout State) {
    for reading in readings {
      if let last = output.row.last, !output.encoder.isSameRow(reading, as: last, from: output.streams.lowerBound) {
        endRow(of: output, &state)
      }
      output.row.append(reading)
      output.isRowOld = false
    }
  }

  private func endRow(of output: Output, _ state: inout State) {
    guard !output.row.isEmpty else { return }
    output.encoder.encodeRow(output.row, from: output.streams.lowerBound, into: output.buffer)
    output.row.removeAll(keepingCapacity: true)
    if state.idle || output.buffer.count >= Self.batch { handOver(output, &state) }
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
      if moreStreams != nil, let grown = output.grown {
        done += grown.encode(rest, into: output.buffer, until: Self.batch)
      } else {
        done += output.encoder.encode(
          rest, from: output.streams.lowerBound, into: output.buffer, until: Self.batch)
      }
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
    state.outgoing.append((output, rows))
    state.wakes = !state.isWaking
  }

  /// - Returns: Whether `queue` is to be woken.
  @inline(__always)
  private func wakes(_ state: inout State) -> Bool {
    guard state.wakes else { return false }
    (state.wakes, state.isWaking) = (false, true)
    return true
  }

  private func wake() { queue.async { [self] in write() } }

  /// Writes what was handed over, on `queue`.
  private func write() {
    while let (output, rows) = state.withLock({ state -> (Output, TextBuffer)? in
      if let next = state.outgoing.popFirst() { return next }
      state.isWaking = false
      return nil
    }) {
      let count = rows.count
      let kept = output.file.write(rows)
      if kept < count {
        let encoder = output.grown ?? output.encoder
        failed(
          rows.withBytes { encoder.readings(in: UnsafeBufferPointer(rebasing: $0[kept...])) }, output.streams.lowerBound
        )
      }
      written(rows, count)
      if output.file.error != nil { cancel() }
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

  /// - Parameter isLast: Nothing comes any more.
  private func flush(isLast: Bool = false) {
    let isToWake = state.withLock { state -> Bool in
      for output in outputs {
        if isLast || output.isRowOld { endRow(of: output, &state) }
        output.isRowOld = !output.row.isEmpty
      }
      state.idle = outputs.allSatisfy { $0.buffer.count == 0 && $0.row.isEmpty }
      for output in outputs { handOver(output, &state) }
      return wakes(&state)
    }
    if isToWake { wake() }
  }

  private func finish() {
    flush(isLast: true)
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
