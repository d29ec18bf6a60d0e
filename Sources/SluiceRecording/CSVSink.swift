import DequeModule
import Dispatch
public import Sluice
import SluiceReadings

/// Where a ``CSVSink`` writes.
public enum CSVDestination: Hashable, Sendable {
  /// One file for all streams; `-` is standard output.
  case file(String, layout: CSVLayout)
  /// A folder with one file per stream, named after it.
  case directory(String, layout: CSVLayout = .wide)
}

/// What a paused ``CSVSink`` does with readings.
public enum PauseMode: String, CaseIterable, Sendable {
  /// Asks for nothing: upstream has them.
  case hold
  /// Takes them and counts them.
  case discard
}

/// What a ``CSVSink`` has done with the readings of one stream.
public struct SinkCount: Hashable, Sendable {
  /// With those that wait for the disk; after an error only those whose rows the system had taken by then.
  public var written = 0
  public var discarded = 0
}

/// Writes readings to CSV files, and can be paused.
///
/// ```swift
/// let sink = try CSVSink(.file("walk.csv", layout: .wide), streams: [description]) { error in print(error ?? "done") }
/// readings.subscribe(sink)
/// ```
///
/// Asks for one reading at a time, unless it is told to ask for more, and takes runs of them. Rows are formatted on the thread that delivers, and
/// written on the sink's own queue, 64 KiB at a time, after 250 ms at most, or at once if nothing was written for 250 ms.
/// In a wide file of several streams of one device a row waits two ticks at most, so that readings of one time share it.
/// While paused, and while more than ``limit`` bytes wait for the disk, it asks for nothing: upstream keeps, drops or
/// blocks. In a pause that holds, what it has asked for before is kept,
/// and written after the pause. A failure to write cancels upstream
/// and is reported.
public final class CSVSink: Subscriber, Pausable, Cancellable, @unchecked Sendable {
  // The lock protects all state.

  public typealias Input = Reading
  public typealias Failure = Never

  /// Bytes waiting for the disk beyond which nothing more is asked for.
  public static var limit: Int { 1 << 20 }

  static var batch: Int { 64 << 10 }
  /// A batch and the row that makes it one.
  static var capacity: Int { 80 << 10 }
  /// How many buffers are kept for the next batches: as many as may be on their way, for freed ones stay with the process.
  static var spares: Int { limit / batch }
  final class Output {
    let file: RecordingFile
    /// Constant, for a variable would be copied for each reading.
    let encoder: CSVEncoder
    /// The one that knows the streams that have come since.
    var grown: CSVEncoder?
    let streams: Range<Int>  // that go here
    var buffer = TextBuffer(capacity: CSVSink.capacity)
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

  struct State {
    var subscription: (any Subscription)?
    var ended = false
    var paused = false
    var behind = false  // the disk is
    /// What is to be asked for when it goes on.
    var withheld = Subscribers.Demand.none
    /// What came during a pause, because it had been asked for before.
    var held: [Reading] = []
    /// Streams of which readings were discarded, and none written since.
    var gaps: Set<Int> = []
    /// The first readings after those, to be told.
    var afterGaps: [Reading] = []
    var bytesInFlight = 0  // handed over and not yet with the system
    var idle = true  // nothing was written for the last interval
    var spares: [TextBuffer] = []  // written, and to be filled again
    /// Handed over, in their order, for `queue` to write: it is woken without the lock.
    var outgoing: Deque<(output: Output, rows: TextBuffer)> = []
    var wakes = false  // some are there that `queue` does not know of
    var isWaking = false  // `queue` is to look, or looks, at them
    var counts: [SinkCount]
  }

  let outputs: [Output]
  /// Gives the streams that there are by now; nil if there will be no more than at the beginning.
  let moreStreams: (@Sendable () -> [StreamDescription])?
  let raw: Bool
  let queue: DispatchQueue
  let requests = DispatchQueue(label: "sluice.csv.requests")
  let ticker: any DispatchSourceTimer
  let pauseMode: PauseMode
  let ahead: Int
  let rowsEndByTime: Bool
  private let afterDiscard: @Sendable (Reading) -> Void
  let receiveCompletion: @Sendable (SluiceError?) -> Void
  let state: Locked<State>

  /// - Parameters:
  ///   - streams: In the order of their ``StreamID``.
  ///   - raw: Write values without offset and scale.
  ///   - pauseMode: What happens to readings while paused.
  ///   - ahead: How many readings to ask for ahead. A larger number is faster, but more readings wait in
  ///     the sink during a pause.
  ///   - receiveCompletion: Called once, when everything is written, or with the error that ended it.
  public convenience init(
    _ destination: CSVDestination, streams: [StreamDescription], raw: Bool = false, existing: ExistingFile = .refuse,
    pauseMode: PauseMode = .hold, ahead: Int = 1,
    receiveCompletion: @escaping @Sendable (SluiceError?) -> Void
  ) throws(SluiceError) {
    try self.init(
      destination, streams: streams, raw: raw, existing: existing, pauseMode: pauseMode, ahead: ahead, inputs: [:],
      receiveCompletion: receiveCompletion)
  }

  /// - Parameters:
  ///   - inputs: Files that are being read, with their paths: none of them is written.
  ///   - isInterrupted: Asked while a FIFO waits for its reader.
  ///   - moreStreams: Gives the streams that there are by now, if more may come; only for one file in the long layout.
  ///   - rowsEndByTime: Whether a row that several streams share is written after two ticks, though some have brought
  ///     nothing. Not in a replay, whose rows depend on nothing but the trace.
  ///   - afterDiscard: Called with the first reading of a stream that is written after some were discarded.
  package init(
    _ destination: CSVDestination, streams: [StreamDescription], raw: Bool = false, existing: ExistingFile = .refuse,
    pauseMode: PauseMode = .hold, ahead: Int = 1, inputs: [FileIdentity: String],
    isInterrupted: @escaping @Sendable () -> Bool = { false },
    moreStreams: (@Sendable () -> [StreamDescription])? = nil, rowsEndByTime: Bool = true,
    afterDiscard: @escaping @Sendable (Reading) -> Void = { _ in },
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
    self.ahead = max(1, ahead)
    self.rowsEndByTime = rowsEndByTime
    self.afterDiscard = afterDiscard
    self.receiveCompletion = receiveCompletion
    state = Locked(State(counts: Array(repeating: SinkCount(), count: streams.count)))
    ticker = DispatchSource.makeTimerSource(queue: queue)
    ticker.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250), leeway: .milliseconds(20))
    ticker.setEventHandler { [weak self] in self?.flush() }
    ticker.activate()
  }

  deinit { ticker.cancel() }

  /// What has been done so far, by stream.
  public var counts: [SinkCount] { state.withLock { $0.counts } }

  /// For a recording that could not begin: closes its files and removes those it made.
  public func discard() {
    ticker.cancel()
    for output in outputs { output.file.discard() }
  }

  /// For a recording that failed, once it has ended: removes the files that it made or overwrote and that have no row.
  /// - Returns: Their paths.
  package func removeFilesWithoutRows() -> [String] {
    let counts = counts
    return outputs.filter { output in
      counts[output.streams.clamped(to: counts.indices)].allSatisfy { $0.written == 0 } && output.file.remove()
    }.map(\.file.path)
  }

  // MARK: Pausable

  public var paused: Bool { state.withLock { $0.paused } }

  public func pause() {
    state.withLock { $0.paused = true }
  }

  public func resume() {
    let isToWake = state.withLock { state in
      state.paused = false
      takeHeld(&state)
      return wakes(&state)
    }
    if isToWake { wake() }
    goOn()
  }

  /// Asks for what was withheld, if nothing stands against it any more.
  func goOn() {
    let (subscription, demand) = state.withLock { state -> ((any Subscription)?, Subscribers.Demand) in
      guard !state.ended, !isHolding(state) else { return (nil, .none) }
      defer { state.withheld = .none }
      return (state.subscription, state.withheld)
    }
    if demand != .none { subscription?.request(demand) }
  }

  private func isHolding(_ state: State) -> Bool { state.behind || (state.paused && pauseMode == .hold) }

  // MARK: Subscriber

  public func receive(subscription: any Subscription) {
    let accepted = state.withLock { state -> Bool in
      guard state.subscription == nil, !state.ended else { return false }
      state.subscription = subscription
      state.withheld = .max(ahead)
      return true
    }
    guard accepted else { return subscription.cancel() }
    goOn()
  }

  public func receive(_ reading: Reading) -> Subscribers.Demand {
    withUnsafePointer(to: reading) { receive(UnsafeBufferPointer(start: $0, count: 1)) }.demand
  }

  public var _takesRuns: Bool { true }

  public func _receive(run: ArraySlice<Reading>) -> Subscribers.Taken { run.withUnsafeBufferPointer { receive($0) } }

  /// The lock is held while they are encoded, a run at once: only pausing, the queue of the writes and whoever asks for
  /// the counts may have to wait so long, and none of them has readings waiting for it.
  private func receive(_ readings: UnsafeBufferPointer<Reading>) -> Subscribers.Taken {
    if moreStreams != nil { learn(readings) }
    let (taken, isToWake, afterGaps) = state.withLock { state -> (Subscribers.Taken, Bool, [Reading]) in
      if state.ended { return (Subscribers.Taken(count: 0, demand: .none, isOver: true), false, []) }
      if state.paused, pauseMode == .hold {
        state.held += readings
      } else {
        take(readings, &state)
      }
      if state.bytesInFlight > Self.limit { state.behind = true }
      var taken = Subscribers.Taken(count: readings.count, demand: .none, isOver: false)
      if isHolding(state) { state.withheld += readings.count } else { taken.demand = .max(readings.count) }
      defer { if !state.afterGaps.isEmpty { state.afterGaps = [] } }
      return (taken, wakes(&state), state.afterGaps)
    }
    for reading in afterGaps { afterDiscard(reading) }
    if isToWake { wake() }
    return taken
  }

  public func receive(completion: Subscribers.Completion<Never>) {
    let first = state.withLock { state -> Bool in
      defer {
        takeHeld(&state)
        state.ended = true
        state.subscription = nil
      }
      return !state.ended
    }
    if first { finish() }
  }

  /// Stops taking readings; what was taken is written.
  public func cancel() {
    let subscription = state.withLock { state -> (any Subscription)? in
      defer { state.subscription = nil }
      return state.ended ? nil : state.subscription
    }
    subscription?.cancel()
    receive(completion: .finished)
  }

  // MARK: Readings

  private func takeHeld(_ state: inout State) {
    guard !state.held.isEmpty else { return }
    state.held.withUnsafeBufferPointer { take($0, &state) }
    state.held.removeAll(keepingCapacity: true)
  }

  private func take(_ readings: UnsafeBufferPointer<Reading>, _ state: inout State) {
    var rest = readings[...]
    while let stream = rest.first?.stream {
      let end = rest.firstIndex { $0.stream != stream } ?? rest.endIndex
      take(UnsafeBufferPointer(rebasing: rest[..<end]), of: Int(stream.index), &state)
      rest = rest[end...]
    }
  }

  /// Takes readings of one stream.
  private func take(_ readings: UnsafeBufferPointer<Reading>, of stream: Int, _ state: inout State) {
    guard stream < state.counts.count else { return }
    if state.paused, pauseMode == .discard {
      state.counts[stream].discarded += readings.count
      state.gaps.insert(stream)
    } else {
      if !state.gaps.isEmpty, state.gaps.remove(stream) != nil, let first = readings.first {
        state.afterGaps.append(first)
      }
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
}
