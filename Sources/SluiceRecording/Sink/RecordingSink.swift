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
  /// The same as ``hold`` for a sink; the recording writes the readings to a log on the disk meanwhile.
  case spill
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
    var machine = SinkMachine()
    /// Readings that are not encoded yet: those that came one by one, or that came during a pause because of earlier
    /// demand.
    var held: [Reading] = []
    /// Streams with discarded readings, and no reading written since.
    var gaps: Set<Int> = []
    /// The first readings after a discard, still to be reported.
    var afterGaps: [Reading] = []
    var wakes = false  // whether a queue must be woken for new batches
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
      outputs, streams: streams, pauseMode: pauseMode, ahead: ahead, claims: OutputClaims(),
      receiveCompletion: receiveCompletion)
  }

  /// - Parameters:
  ///   - claims: What the outputs need to know to claim what they write.
  ///   - moreStreams: Returns the streams known so far, if more may come; only for outputs that are single files.
  ///   - rowsEndByTime: Whether a shared row is written after two ticks, even if some of its streams have no reading.
  ///     Not in a replay, because its rows depend only on the trace.
  ///   - membersEndByTime: Whether a member of a compressed file ends when its rows have waited for some time. False
  ///     for a replay without a pace: nobody waits for its rows, and its bytes must depend only on the trace.
  ///   - afterDiscard: Called with the first reading of a stream that is written after a discard.
  ///   - outputChanged: Called with the number of an output and its event.
  ///   - beforeGoingOn: Called before it requests more after a time without demand. At that moment most readings wait
  ///     upstream.
  ///   - waitsForDisk: Whether an output with a full or absent disk is tried again; otherwise it ends.
  ///   - makeQueue: Makes a queue with this name.
  package convenience init(
    _ outputs: [RecordingOutput], streams: [StreamDescription], pauseMode: PauseMode = .hold, ahead: Int = 1,
    claims: OutputClaims,
    moreStreams: (@Sendable () -> [StreamDescription])? = nil, rowsEndByTime: Bool = true,
    membersEndByTime: Bool = true,
    afterDiscard: @escaping @Sendable (Reading) -> Void = { _ in },
    outputChanged: @escaping @Sendable (_ output: Int, OutputEvent) -> Void = { _, _ in },
    beforeGoingOn: @escaping @Sendable () -> Void = {}, waitsForDisk: Bool = false,
    makeQueue: (String) -> any WorkQueue = { DispatchWorkQueue($0) },
    receiveCompletion: @escaping @Sendable (SluiceError?) -> Void
  ) throws(SluiceError) {
    let opened = try Self.open(
      outputs, for: outputs.map { _ in streams }, claims, membersEndByTime: membersEndByTime,
      outputChanged: outputChanged, makeQueue: makeQueue)
    self.init(
      opened, streams: streams, pauseMode: pauseMode, ahead: ahead, moreStreams: moreStreams,
      rowsEndByTime: rowsEndByTime, afterDiscard: afterDiscard, outputChanged: outputChanged,
      beforeGoingOn: beforeGoingOn, waitsForDisk: waitsForDisk, makeQueue: makeQueue,
      receiveCompletion: receiveCompletion)
  }

  /// Outputs that have claimed and locked what they write, and have begun.
  package struct OpenOutputs {
    let outputs: [SinkOutput]
    let sync: SyncPolicy

    /// Only some of the outputs, by their numbers.
    package subscript(numbers: [Int]) -> OpenOutputs {
      OpenOutputs(outputs: numbers.map { outputs[$0] }, sync: sync)
    }

    /// The files that are open.
    package var files: [FileIdentity: String] {
      Dictionary(
        outputs.flatMap(\.claims).compactMap { $0 as? ClaimedFile }.compactMap { file in
          file.identity.map { ($0, file.name) }
        }, uniquingKeysWith: { first, _ in first })
    }

    /// Closes the outputs of a recording that does not begin with them, and removes the files that they made.
    package func discard() {
      for output in outputs {
        for store in output.stores { store.discard() }
        for claim in output.claims { claim.discard() }
      }
    }
  }

  /// Claims and locks what all outputs write before anything is changed.
  /// - Parameters:
  ///   - streams: By output, its streams in the order of their `StreamID`.
  ///   - claims: What the outputs need to know to claim what they write.
  ///   - first: The number of the first of the outputs.
  ///   - membersEndByTime: Whether a member of a compressed file ends when its rows have waited for some time. False
  ///     for a replay without a pace: nobody waits for its rows, and its bytes must depend only on the trace.
  ///   - outputChanged: Called with the number of an output and its event.
  ///   - makeQueue: Makes a queue with this name.
  package static func open(
    _ outputs: [RecordingOutput], for streams: [[StreamDescription]], _ claims: OutputClaims, first: Int = 0,
    membersEndByTime: Bool = true,
    outputChanged: @escaping @Sendable (_ output: Int, OutputEvent) -> Void = { _, _ in },
    makeQueue: (String) -> any WorkQueue = { DispatchWorkQueue($0) }
  ) throws(SluiceError) -> OpenOutputs {
    var claims = claims
    claims.servers.changed = outputChanged
    var opened: [SinkOutput] = []
    do throws(SluiceError) {
      for (number, output) in outputs.enumerated() {
        let streams = streams[number]
        let claimed = try output.kind.claim(output, number: first + number, for: streams, &claims)
        opened.append(
          SinkOutput(
            output, claimed, streams: streams.count,
            writesByTime: membersEndByTime || output.compression == nil, queue: makeQueue("sluice.output")))
      }
      for claim in claims.all { try claim.lock() }
      // Everything is locked, so contents may be changed now.
      for output in opened { for store in output.stores { try store.check() } }
      for isFirst in [true, false] {
        for (number, output) in opened.enumerated() {
          try output.begin(where: isFirst, claims.isInterrupted) { outputChanged(first + number, $0) }
        }
      }
      try claims.sync()
    } catch {
      for store in opened.flatMap(\.stores) { store.discard() }
      claims.discard()
      throw error
    }
    return OpenOutputs(outputs: opened, sync: claims.disk.sync)
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
    for output in self.outputs {
      acknowledge(output)
      countLost(output)
    }
    scheduleTick()
  }

  /// The readings written so far, by stream, including those that wait for the disk. After an error, only readings that
  /// the system had taken. With several outputs, those of the output that has most.
  public var written: [Int] {
    settled { state in
      state.discarded.indices.map { stream in outputs.map { $0.machine.counts[stream].written }.max() ?? 0 }
    }
  }

  /// The readings that pauses discarded so far, by stream.
  public var discarded: [Int] { standing.discarded }

  /// The readings that pauses discarded, by stream, and the counts of each output in their order, at one moment.
  package var standing: (discarded: [Int], shares: [OutputShare]) {
    var (discarded, shares) = settled { ($0.discarded, outputs.map(\.share)) }
    // This is not done under the lock, because the sender may be writing to the disk of its spool.
    for (index, output) in outputs.enumerated() { shares[index].sending = output.sending }
    return (discarded, shares)
  }

  /// The number of readings received so far.
  package var taken: Int { state.withLock { $0.taken } }

  private func settled<Value>(_ look: (State) -> Value) -> Value {
    waking { state in
      takeReceived(&state)
      return look(state)
    }
  }

  /// Changes the state, and wakes the queues that must know.
  func waking<Value>(_ body: (inout State) -> Value) -> Value {
    let (value, isToWake) = state.withLock { (body(&$0), wakes(&$0)) }
    if isToWake { wake() }
    return value
  }

  /// The files that are open.
  package var files: [FileIdentity: String] { OpenOutputs(outputs: outputs, sync: sync).files }

  /// Closes the files of a recording that could not begin, and removes the files that it made.
  public func discard() {
    _ = state.withLock { $0.machine.end() }
    OpenOutputs(outputs: outputs, sync: sync).discard()
  }

  /// Removes the files without rows that a failed recording made or overwrote, after its end.
  /// - Returns: The paths of these files.
  package func removeFilesWithoutRows() -> [String] {
    outputs.flatMap { output in
      output.claims.indices.compactMap { index in
        // An abandoned output may still be told, on another thread, that rows have become safe.
        let all = state.withLock { _ in output.machine.counts }
        let counts = output.claims.count == 1 ? all[...] : all[index...index]
        return counts.allSatisfy { $0.written == 0 } ? output.claims[index].remove(withRows: false) : nil
      }
    }
  }

  /// Removes the files that the recording made or overwrote, with their rows, after its end.
  ///
  /// Files that were appended to stay, because their rows may be nowhere else.
  /// - Parameter isPartial: Whether an output, by its number, has only a part of its readings.
  /// - Returns: The paths of these files; for parts, that of the recording.
  package func removeFiles(where isPartial: (Int) -> Bool) -> [String] {
    outputs.indices.filter(isPartial).flatMap { outputs[$0].claims.compactMap { $0.remove(withRows: true) } }
  }

  // MARK: Pausable

  /// Whether the sink is paused.
  public var paused: Bool { state.withLock { $0.machine.pausing != nil } }

  /// Pauses. Readings that came before are still written.
  public func pause() {
    waking { state in
      takeReceived(&state)
      state.machine.pause(pauseMode)
    }
  }

  /// Resumes writing.
  public func resume() {
    waking { state in
      state.machine.resume()
      takeHeld(&state)
    }
    goOn()
  }

  /// Reports the progress of an output with one store: now, and on its queue after each change. Call it before the first
  /// reading.
  package func tellProgress(of output: Int, to progressed: @escaping @Sendable (OutputProgress) -> Void) {
    let output = outputs[output]
    if output.stores.count == 1 { output.syncs.progress.whole = output.stores[0].file }
    output.syncs.progress.file = output.syncs.progress.whole
    output.progressed = progressed
    progressed(output.syncs.progress)
  }

  /// Ends the parts of the outputs that have parts: the next reading of each begins another.
  /// - Returns: Whether an output has parts.
  package func endParts() -> Bool {
    waking { state in
      takeReceived(&state)
      return outputs.reduce(false) { hasParts, output in
        output.stores.reduce(hasParts) { $1.endPart() || $0 }
      }
    }
  }

  /// Cuts the parts of an output in another way from now on.
  /// - Returns: Whether the output has parts.
  package func rotate(_ output: Int, by rotation: Rotation) -> Bool {
    waking { state in
      takeReceived(&state)
      return outputs[output].stores.reduce(false) { $1.rotate(by: rotation) || $0 }
    }
  }

  /// Requests the withheld demand, unless something still prevents it.
  func goOn() {
    guard let (subscription, demand) = state.withLock({ $0.machine.goOn() }) else { return }
    beforeGoingOn()
    subscription.request(demand)
  }

  // MARK: Subscriber

  public func receive(subscription: any Subscription) {
    guard state.withLock({ $0.machine.connect(subscription, ahead: ahead) }) else { return subscription.cancel() }
    tellOfReadersThatHaveGone()
    goOn()
  }

  /// Reports the outputs that have ended, when upstream can be cancelled.
  private func tellOfReadersThatHaveGone() {
    let (ended, isLast) = state.withLock { _ in
      (
        outputs.enumerated().compactMap { number, output in output.machine.failure.map { (number, $0) } },
        outputs.allSatisfy(\.machine.isOver)
      )
    }
    for (number, error) in ended { outputChanged(number, .failed(error)) }
    if isLast { cancel() }
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
      if state.machine.isOver { return (Operators.Taken(count: 0, demand: .none, isOver: true), false, []) }
      if state.machine.isHeldByPause {
        state.held += readings
      } else if readings.count == 1, let reading = readings.first, !state.idle, state.machine.pausing == nil,
        state.gaps.isEmpty
      {
        // Encoding one reading alone costs 1.5 times as much as encoding it with others.
        state.held.append(reading)
        if state.held.count == Self.single { takeHeld(&state) }
      } else {
        takeHeld(&state)
        take(readings, &state)
      }
      state.taken += readings.count
      let taken = Operators.Taken(
        count: readings.count, demand: state.machine.receive(readings.count), isOver: false)
      guard !state.afterGaps.isEmpty else { return (taken, wakes(&state), []) }
      defer { state.afterGaps = [] }
      return (taken, wakes(&state), state.afterGaps)
    }
    for reading in afterGaps { afterDiscard(reading) }
    if isToWake { wake() }
    return taken
  }

  public func receive(completion: Subscribers.Completion<Never>) {
    let isFirst = state.withLock { state -> Bool in
      takeHeld(&state)
      return state.machine.end()
    }
    if isFirst { finish() }
  }

  /// Stops receiving readings. Readings received so far are written.
  public func cancel() {
    state.withLock { $0.machine.cancel() }?.cancel()
    receive(completion: .finished)
  }

  // MARK: Readings

  /// Encodes the readings that came one by one, unless a pause holds them.
  func takeReceived(_ state: inout State) { if !state.machine.isHeldByPause { takeHeld(&state) } }

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
    if case .discard? = state.machine.pausing {
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
        guard output.machine.intake == .takes else {
          output.leave(readings, of: stream)
          continue
        }
        let taken = append(readings, of: stream, to: output, &state)
        output.machine.counts[stream].written += taken
        if taken < readings.count { output.machine.counts[stream].unwritten += readings.count - taken }
      }
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
      while output.machine.counts.count < streams.count { output.machine.counts.append(OutputCount()) }
    }
  }
}
