public import Sluice
public import SluiceExtras
public import SluiceReadings
package import SluiceSystem

/// The effect of a pause of a ``RecordingSink`` on readings.
public enum PauseMode: String, CaseIterable, Sendable {
  /// Requests nothing, so that readings stay upstream.
  case hold
  /// Takes readings, and only counts them.
  case discard
}

/// Writes readings to files of one or several formats. It can be paused.
///
/// ```swift
/// let sink = try RecordingSink([.csv("walk.csv", layout: .wide)], streams: [description]) { error in print(error ?? "done") }
/// readings.subscribe(sink)
/// ```
///
/// It requests `ahead` readings at a time, one by default, and takes runs of them. The thread that delivers readings
/// also encodes them. Each output has its own queue for writes: 64 KiB at a time, after at most 250 ms, or at once if
/// nothing was written for 250 ms. A wide file of several streams of one device keeps a row open for at most two ticks
/// (500 ms), so that readings of one time share it. During a pause, and while more than ``limit`` bytes wait for an
/// output, it requests nothing: upstream keeps readings, drops them or blocks. A pause that holds readings keeps those
/// that were requested before it, and they are written after it.
///
/// All outputs get the same readings. An output that fails ends alone. When the last has failed, upstream is cancelled.
public final class RecordingSink: Subscriber, Pausable, Cancellable, @unchecked Sendable {
  // The lock protects all state, including that of the outputs.

  public typealias Input = Reading
  public typealias Failure = Never

  /// The number of single readings that are encoded together.
  static var single: Int { 64 }

  /// The number of bytes waiting for the disk above which nothing more is requested.
  public static var limit: Int { EncodedRows.mostWaiting }

  struct State {
    var subscription: (any Subscription)?
    var ended = false
    var paused = false
    var behind = false  // whether an output is behind
    /// The demand to request when the sink continues.
    var withheld = Subscribers.Demand.none
    /// Readings that are not encoded yet: those that came one by one, or that came during a pause because of earlier
    /// demand.
    var held: [Reading] = []
    /// Streams with discarded readings, and no reading written since.
    var gaps: Set<Int> = []
    /// The first readings after a discard, still to be reported.
    var afterGaps: [Reading] = []
    var wakes = false  // whether a queue must be woken for new batches
    var drains = false  // whether everything is taken, however much waits for the disk, because nothing new comes
    var isCompleted = false  // whether the waiter for the end was notified
    var idle = true  // whether nothing was written during the last interval
    var discarded: [Int]  // readings discarded, by stream
    var channels: [Int]  // the number of known channels, by stream
    var taken = 0  // readings taken, of all streams
  }

  let outputs: [SinkOutput]
  /// Returns the streams known so far; nil if no more may come.
  let moreStreams: (@Sendable () -> [StreamDescription])?
  /// The queue of the ticks.
  let queue: any WorkQueue
  let requests: any WorkQueue
  let sync: SyncPolicy
  /// Whether an output with a full or absent disk is tried again; otherwise it ends.
  let waitsForDisk: Bool
  let pauseMode: PauseMode
  let ahead: Int
  let rowsEndByTime: Bool
  private let afterDiscard: @Sendable (Reading) -> Void
  let outputChanged: @Sendable (Int, OutputEvent) -> Void
  private let beforeGoingOn: @Sendable () -> Void
  let receiveCompletion: @Sendable (SluiceError?) -> Void
  let state: Locked<State>

  /// - Parameters:
  ///   - streams: The streams in the order of their `StreamID`.
  ///   - pauseMode: The effect of a pause on readings.
  ///   - ahead: The number of readings to request in advance. A larger number is faster, but more readings wait in the
  ///     sink during a pause.
  ///   - receiveCompletion: Called once when everything is written, with the first error of an output if there was one.
  public convenience init(
    _ outputs: [RecordingOutput], streams: [StreamDescription], pauseMode: PauseMode = .hold, ahead: Int = 1,
    receiveCompletion: @escaping @Sendable (SluiceError?) -> Void
  ) throws(SluiceError) {
    try self.init(
      outputs, streams: streams, pauseMode: pauseMode, ahead: ahead, inputs: [:],
      receiveCompletion: receiveCompletion)
  }

  /// - Parameters:
  ///   - inputs: The identities and the paths of the files that are read. None of them is written.
  ///   - isInterrupted: Asked while a FIFO waits for its reader.
  ///   - moreStreams: Returns the streams known so far, if more may come; only for outputs that are single files.
  ///   - rowsEndByTime: Whether a shared row is written after two ticks, even if some of its streams have no reading.
  ///     Not in a replay, because its rows depend only on the trace.
  ///   - membersEndByTime: Whether a member of a compressed file ends when its rows have waited for some time. False
  ///     for a replay without a pace: nobody waits for its rows, and its bytes must depend only on the trace.
  ///   - afterDiscard: Called with the first reading of a stream that is written after a discard.
  ///   - outputChanged: Called with the number of an output and its event.
  ///   - beforeGoingOn: Called before it requests more after a time without demand. At that moment most readings wait
  ///     upstream.
  ///   - parts: Observes the parts of outputs with rotation.
  ///   - disk: The file system of the outputs.
  ///   - waitsForDisk: Whether an output with a full or absent disk is tried again; otherwise it ends.
  ///   - makeQueue: Makes a queue with this name.
  package convenience init(
    _ outputs: [RecordingOutput], streams: [StreamDescription], pauseMode: PauseMode = .hold, ahead: Int = 1,
    inputs: [FileIdentity: String],
    isInterrupted: @escaping @Sendable () -> Bool = { false },
    moreStreams: (@Sendable () -> [StreamDescription])? = nil, rowsEndByTime: Bool = true,
    membersEndByTime: Bool = true,
    afterDiscard: @escaping @Sendable (Reading) -> Void = { _ in },
    outputChanged: @escaping @Sendable (_ output: Int, OutputEvent) -> Void = { _, _ in },
    beforeGoingOn: @escaping @Sendable () -> Void = {}, parts: any PartObserver = NoPartObserver(), disk: Disk = Disk(),
    waitsForDisk: Bool = false,
    makeQueue: (String) -> any WorkQueue = { DispatchWorkQueue($0) },
    receiveCompletion: @escaping @Sendable (SluiceError?) -> Void
  ) throws(SluiceError) {
    let opened = try Self.open(
      outputs, for: outputs.map { _ in streams }, inputs: inputs, isInterrupted: isInterrupted,
      membersEndByTime: membersEndByTime, outputChanged: outputChanged, parts: parts, disk: disk, makeQueue: makeQueue)
    self.init(
      opened, streams: streams, pauseMode: pauseMode, ahead: ahead, moreStreams: moreStreams,
      rowsEndByTime: rowsEndByTime, afterDiscard: afterDiscard, outputChanged: outputChanged,
      beforeGoingOn: beforeGoingOn, waitsForDisk: waitsForDisk, makeQueue: makeQueue,
      receiveCompletion: receiveCompletion)
  }

  /// Outputs whose files are open and locked, and have begun.
  package struct OpenOutputs {
    let outputs: [SinkOutput]
    let sync: SyncPolicy

    /// Only some of the outputs, by their numbers.
    package subscript(numbers: [Int]) -> OpenOutputs {
      OpenOutputs(outputs: numbers.map { outputs[$0] }, sync: sync)
    }
  }

  /// Opens and locks the files of all outputs before any file is changed.
  /// - Parameters:
  ///   - streams: By output, its streams in the order of their `StreamID`.
  ///   - inputs: The identities and the paths of the files that are read. None of them is written.
  ///   - isInterrupted: Asked while a FIFO waits for its reader.
  ///   - membersEndByTime: Whether a member of a compressed file ends when its rows have waited for some time. False
  ///     for a replay without a pace: nobody waits for its rows, and its bytes must depend only on the trace.
  ///   - outputChanged: Called with the number of an output and its event.
  ///   - parts: Observes the parts of outputs with rotation.
  ///   - disk: The file system of the outputs.
  ///   - makeQueue: Makes a queue with this name.
  package static func open(
    _ outputs: [RecordingOutput], for streams: [[StreamDescription]], inputs: [FileIdentity: String] = [:],
    isInterrupted: @escaping @Sendable () -> Bool = { false }, membersEndByTime: Bool = true,
    outputChanged: @escaping @Sendable (_ output: Int, OutputEvent) -> Void = { _, _ in },
    parts: any PartObserver = NoPartObserver(), disk: Disk = Disk(),
    makeQueue: (String) -> any WorkQueue = { DispatchWorkQueue($0) }
  ) throws(SluiceError) -> OpenOutputs {
    var opened: [SinkOutput] = []
    var claimed: [ClaimedFile] = []
    do throws(SluiceError) {
      for (number, output) in outputs.enumerated() {
        let streams = streams[number]
        var stores: [any RecordStore] = []
        for described in try output.files(for: streams) {
          let series = output.rotation.map {
            PartSeries(
              path: described.path, rotation: $0, existing: output.existing, output: number, streams: described.streams,
              ending: type(of: described.format).extensions[0],
              observer: parts)
          }
          let path = series?.index ?? described.path
          // Checked also before opening: otherwise a file that this sink has just made would seem to exist already.
          try Self.check(FileIdentity(path: path), path, isNoneOf: claimed)
          let file = try ClaimedFile(
            path: path, existing: series == nil ? output.existing : .append, disk: disk, series: series,
            compression: output.compression, inputs: inputs, isInterrupted: isInterrupted)
          claimed.append(file)
          try Self.check(file.identity, path, isNoneOf: claimed.dropLast())
          stores.append(
            try described.format.store(
              file,
              EncoderStreams(
                Array(streams[described.streams]), from: described.streams.lowerBound, raw: output.raw,
                style: output.style)))
        }
        opened.append(
          SinkOutput(
            output.path, stores, streams: streams.count,
            writesByTime: membersEndByTime || output.compression == nil, queue: makeQueue("sluice.output")))
      }
      for file in claimed { try file.lock() }
      // All files are locked, so their contents may be changed now.
      let stores = opened.flatMap(\.stores)
      for store in stores { try store.check() }
      // Pipes come first: if one fails, no file has been changed yet.
      for output in opened { try output.beginPipes(isInterrupted: isInterrupted) }
      for (number, output) in opened.enumerated() {
        for store in output.stores where store.file.isRegular { try store.begin { outputChanged(number, $0) } }
      }
      if disk.syncs { try Self.sync(claimed) }
    } catch {
      let stores = opened.flatMap(\.stores)
      for store in stores { store.discard() }
      for file in claimed where !stores.contains(where: { $0.file === file }) { file.discard() }
      throw error
    }
    return OpenOutputs(outputs: opened, sync: disk.sync)
  }

  /// - Parameters:
  ///   - outputs: They get the same readings.
  ///   - moreStreams: Returns the streams known so far, if more may come; only for outputs that are single files.
  ///   - rowsEndByTime: Whether a shared row is written after two ticks, even if some of its streams have no reading.
  ///     Not in a replay, because its rows depend only on the trace.
  ///   - afterDiscard: Called with the first reading of a stream that is written after a discard.
  ///   - outputChanged: Called with the number of an output of this sink and its event.
  ///   - beforeGoingOn: Called before it requests more after a time without demand. At that moment most readings wait
  ///     upstream.
  ///   - waitsForDisk: Whether an output with a full or absent disk is tried again; otherwise it ends.
  ///   - makeQueue: Makes a queue with this name.
  package init(
    _ outputs: OpenOutputs, streams: [StreamDescription], pauseMode: PauseMode = .hold, ahead: Int = 1,
    moreStreams: (@Sendable () -> [StreamDescription])? = nil, rowsEndByTime: Bool = true,
    afterDiscard: @escaping @Sendable (Reading) -> Void = { _ in },
    outputChanged: @escaping @Sendable (_ output: Int, OutputEvent) -> Void = { _, _ in },
    beforeGoingOn: @escaping @Sendable () -> Void = {}, waitsForDisk: Bool = false,
    makeQueue: (String) -> any WorkQueue = { DispatchWorkQueue($0) },
    receiveCompletion: @escaping @Sendable (SluiceError?) -> Void
  ) {
    self.moreStreams = moreStreams
    self.outputs = outputs.outputs
    self.pauseMode = pauseMode
    self.ahead = max(1, ahead)
    self.rowsEndByTime = rowsEndByTime
    self.afterDiscard = afterDiscard
    self.outputChanged = outputChanged
    self.beforeGoingOn = beforeGoingOn
    self.receiveCompletion = receiveCompletion
    sync = outputs.sync
    self.waitsForDisk = waitsForDisk
    queue = makeQueue("sluice.sink")
    requests = makeQueue("sluice.sink.requests")
    state = Locked(State(discarded: Array(repeating: 0, count: streams.count), channels: streams.map(\.channels.count)))
    scheduleTick()
  }

  /// Syncs the headers of files, and the names of new files.
  private static func sync(_ files: [ClaimedFile]) throws(SluiceError) {
    for file in files { try file.sync() }
    var folders: Set<ExactName> = []
    for file in files where file.isCreated && folders.insert(ExactName(folder(of: file.path))).inserted {
      try file.syncFolder()
    }
  }

  private static func check(
    _ identity: FileIdentity?, _ path: String, isNoneOf claimed: [ClaimedFile]
  ) throws(SluiceError) {
    guard let identity, identity.keepsBytes, let other = claimed.first(where: { $0.identity == identity }) else {
      return
    }
    throw SluiceError(
      .usage, "write", path, because: "it is the same file as \(other.path), which is to be written too",
      remedy: "remove one of them, or write to another folder")
  }

  /// The readings written so far, by stream, including those that wait for the disk. After an error, only readings that
  /// the system had taken. With several outputs, those of the output that has most.
  public var written: [Int] {
    settled { state in
      state.discarded.indices.map { stream in outputs.map { $0.counts[stream].written }.max() ?? 0 }
    }
  }

  /// The readings that pauses discarded so far, by stream.
  public var discarded: [Int] { standing.discarded }

  /// The readings that pauses discarded, by stream, and the counts of each output in their order, all at the same moment.
  package var standing: (discarded: [Int], shares: [OutputShare]) {
    settled { state in
      let shares = outputs.map {
        OutputShare(
          counts: $0.counts, failure: $0.failure, droppedTimes: $0.droppedTimes, longestSync: $0.longestSync)
      }
      return (state.discarded, shares)
    }
  }

  /// The number of readings received so far.
  package var taken: Int { state.withLock { $0.taken } }

  private func settled<Value>(_ look: (State) -> Value) -> Value {
    let (value, isToWake) = state.withLock { state in
      takeReceived(&state)
      return (look(state), wakes(&state))
    }
    if isToWake { wake() }
    return value
  }

  /// Closes the files of a recording that could not begin, and removes the files that it made.
  public func discard() {
    state.withLock { $0.ended = true }
    for store in outputs.flatMap(\.stores) { store.discard() }
  }

  /// Removes the files without rows that a failed recording made or overwrote, after its end.
  /// - Returns: The paths of these files.
  package func removeFilesWithoutRows() -> [String] {
    outputs.flatMap { output in
      output.stores.indices.filter { index in
        let counts = output.stores.count == 1 ? output.counts[...] : output.counts[index...index]
        return counts.allSatisfy { $0.written == 0 } && output.stores[index].file.remove()
      }.map { output.stores[$0].file.path }
    }
  }

  /// Removes the files that the recording made or overwrote, with their rows, after its end.
  ///
  /// Files that were appended to stay, because their rows may be nowhere else.
  /// - Parameter isPartial: Whether an output, by its number, has only a part of its readings.
  /// - Returns: The paths of these files; for parts, that of the recording.
  package func removeFiles(where isPartial: (Int) -> Bool) -> [String] {
    outputs.indices.filter(isPartial).flatMap { number in
      outputs[number].stores.compactMap { store in
        let file = store.file
        guard let series = file.series else { return file.remove() ? file.path : nil }
        guard series.existing == .refuse, let parts = try? series.parts(file.files) else { return nil }
        for path in parts.map(series.path(of:)) {
          try? file.files.remove(path)
          for beside in MetadataFile(beside: path, file.disk).paths { try? file.files.remove(beside) }
        }
        return file.remove() ? series.path : nil
      }
    }
  }

  // MARK: Pausable

  /// Whether the sink is paused.
  public var paused: Bool { state.withLock { $0.paused } }

  /// Pauses. Readings that came before are still written.
  public func pause() {
    let isToWake = state.withLock { state in
      // Readings that came before are written.
      takeReceived(&state)
      state.paused = true
      return wakes(&state)
    }
    if isToWake { wake() }
  }

  /// Resumes writing.
  public func resume() {
    let isToWake = state.withLock { state in
      state.paused = false
      takeHeld(&state)
      return wakes(&state)
    }
    if isToWake { wake() }
    goOn()
  }

  /// Requests the withheld demand, unless something still prevents it.
  func goOn() {
    let (subscription, demand) = state.withLock { state -> ((any Subscription)?, Subscribers.Demand) in
      guard !state.ended, !isHolding(state) else { return (nil, .none) }
      defer { state.withheld = .none }
      return (state.subscription, state.withheld)
    }
    guard demand != .none else { return }
    beforeGoingOn()
    subscription?.request(demand)
  }

  private func isHolding(_ state: State) -> Bool { (state.behind && !state.drains) || isHeldByPause(state) }
  private func isHeldByPause(_ state: State) -> Bool { state.paused && pauseMode == .hold }

  // MARK: Subscriber

  public func receive(subscription: any Subscription) {
    let accepted = state.withLock { state -> Bool in
      guard state.subscription == nil, !state.ended else { return false }
      state.subscription = subscription
      state.withheld = .max(ahead)
      return true
    }
    guard accepted else { return subscription.cancel() }
    tellOfReadersThatHaveGone()
    goOn()
  }

  public func receive(_ reading: Reading) -> Subscribers.Demand {
    withUnsafePointer(to: reading) { receive(UnsafeBufferPointer(start: $0, count: 1)) }.demand
  }

  /// Whether it gains from runs of values. It does.
  public var _takesRuns: Bool { true }

  /// Receives a run of readings.
  public func _receive(run: ArraySlice<Reading>) -> Operators.Taken { run.withUnsafeBufferPointer { receive($0) } }

  /// The lock is held while readings are encoded, run by run. Only a pause, the queue of the writes, and a query of the
  /// counts may have to wait so long, and no readings wait for them.
  private func receive(_ readings: UnsafeBufferPointer<Reading>) -> Operators.Taken {
    let (taken, isToWake, afterGaps) = state.withLock { state -> (Operators.Taken, Bool, [Reading]) in
      if state.ended { return (Operators.Taken(count: 0, demand: .none, isOver: true), false, []) }
      if isHeldByPause(state) {
        state.held += readings
      } else if readings.count == 1, let reading = readings.first, !state.idle, !state.paused, state.gaps.isEmpty {
        // Encoding one reading alone costs 1.5 times as much as encoding it with others.
        state.held.append(reading)
        if state.held.count == Self.single { takeHeld(&state) }
      } else {
        takeHeld(&state)
        take(readings, &state)
      }
      state.taken += readings.count
      var taken = Operators.Taken(count: readings.count, demand: .none, isOver: false)
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

  /// Stops receiving readings. Readings received so far are written.
  public func cancel() {
    let subscription = state.withLock { state -> (any Subscription)? in
      defer { state.subscription = nil }
      return state.ended ? nil : state.subscription
    }
    subscription?.cancel()
    receive(completion: .finished)
  }

  // MARK: Readings

  /// Encodes the readings that came one by one, unless a pause holds them.
  func takeReceived(_ state: inout State) { if !isHeldByPause(state) { takeHeld(&state) } }

  private func takeHeld(_ state: inout State) {
    guard !state.held.isEmpty else { return }
    state.held.withUnsafeBufferPointer { take($0, &state) }
    state.held.removeAll(keepingCapacity: true)
  }

  private func take(_ readings: UnsafeBufferPointer<Reading>, _ state: inout State) {
    if moreStreams != nil { learn(readings, &state) }
    readings.forEachStream { stream, readings in take(readings, of: Int(stream.index), &state) }
  }

  /// Encodes readings of one stream.
  private func take(_ readings: UnsafeBufferPointer<Reading>, of stream: Int, _ state: inout State) {
    guard stream < state.discarded.count else { return }
    if state.paused, pauseMode == .discard {
      state.discarded[stream] += readings.count
      state.gaps.insert(stream)
      return
    }
    if !state.gaps.isEmpty, state.gaps.remove(stream) != nil, let first = readings.first {
      state.afterGaps.append(first)
      var flagged = Array(readings)
      flagged[0].flags.insert(.gapBefore)
      return flagged.withUnsafeBufferPointer { write($0, of: stream, &state) }
    }
    write(readings, of: stream, &state)
  }

  private func write(_ readings: UnsafeBufferPointer<Reading>, of stream: Int, _ state: inout State) {
    outputs.withUnsafeBufferPointer { outputs in
      for output in outputs {
        if !output.takesNone {
          let taken = append(readings, of: stream, to: output, &state)
          output.counts[stream].written += taken
          if taken < readings.count { output.counts[stream].unwritten += readings.count - taken }
        } else if output.isOver {
          output.counts[stream].unwritten += readings.count
        } else {
          drop(readings, of: stream, output)
        }
      }
    }
  }

  /// Drops readings, because the disk is away and the output already keeps as much as it may.
  private func drop(_ readings: UnsafeBufferPointer<Reading>, of stream: Int, _ output: SinkOutput) {
    output.counts[stream].dropped += readings.count
    for reading in readings {
      let before = output.droppedTimes ?? reading.time...reading.time
      output.droppedTimes = min(before.lowerBound, reading.time)...max(before.upperBound, reading.time)
    }
  }

  /// Checks whether streams or channels were added since the last check.
  private func learn(_ readings: UnsafeBufferPointer<Reading>, _ state: inout State) {
    guard let moreStreams else { return }
    let known = state.channels
    let isNew = readings.contains { reading in
      !known.indices.contains(Int(reading.stream.index)) || reading.values.count > known[Int(reading.stream.index)]
    }
    guard isNew else { return }
    let streams = moreStreams()
    state.channels = streams.map(\.channels.count)
    for store in outputs.flatMap(\.stores) { store.describe(streams) }
    while state.discarded.count < streams.count { state.discarded.append(0) }
    for output in outputs {
      while output.counts.count < streams.count { output.counts.append(OutputCount()) }
    }
  }
}
