import Dispatch
import Sluice
import SluiceDispatch
import SluiceExtras
package import SluiceReadings
package import SluiceRecording
import SluiceStages
package import SluiceSystem
import Synchronization

/// Connects sources, stages and outputs.
///
/// The stages act in the given order, on each stream separately, by the readings' own time. So a recording that is
/// replayed through the same stages gives the same file as the live pipeline.
package final class Pipeline: @unchecked Sendable {
  // `state` has its lock; the rest does not change after `init`.

  struct State {
    var errors: [SluiceError] = []
    /// The error of each output that failed, and the time when it was noticed.
    var failures: [Int: (error: SluiceError, time: Int64)] = [:]
    /// A buffer that ends the recording was full.
    var isFull = false
    /// An error has ended a trace before its last row.
    var isTraceCutShort = false
    var stopping = false
    /// The sink has received everything.
    var isOver = false
    var stopped: Int64?
    /// The end time that the stages received; nil if no stage asked for it.
    var ended: Int64?
    var pauses: [Pause] = []
    var marks: [Mark] = []
    /// The number of suspends that were noticed, and the times of the first and the last.
    var suspends: (count: Int, first: Int64, last: Int64)?
    /// The time that outputs had before they were abandoned: `within 10s`.
    var timeLeft: String?
    /// For each output whose disk is away: the readings that were dropped before.
    var droppedBefore: [Int: Int] = [:]
  }

  /// A ledger for each possible stream.
  let ledgers: [StreamLedger]
  let input: PipelineInput
  private let stages: PipelineStages
  private let prepared: PreparedStages
  /// The streams of the input.
  private let sourceStreams: InputStreams
  /// The readings per stream that the stages keep while the outputs cannot write.
  let capacity: Int
  /// The number of readings that the sink requests before it has written the previous readings.
  private let ahead: Int
  private let outputs: [RecordingOutput]
  let pauseMode: PauseMode
  let epoch: EpochClock
  let events: RecordingEvents
  private let stopSignal = PassthroughSubject<Void, Never>()
  private let stopFlag = StopFlag()
  let tap = ReadingTap()
  let resuming: any WorkQueue
  /// The time for writing the received readings after a stop; nil for no limit.
  private let grace: TimeSpan?
  private let finished = DispatchSemaphore(value: 0)
  let state = Locked(State())
  var sink: RecordingSink?
  private var quota: Quota?
  /// Not an `Atomic`: Swift 6.3 crashes when it optimises `Recording.init`, which then destroys one.
  private let mostHeld = Locked(0)
  /// The last totals that the stages have made, by stream.
  private let totals: Locked<[ExactName: TraceMetadata.Total]>
  /// Whether the rows of earlier runs come before those of this run.
  private let isContinued: Bool

  /// - Parameters:
  ///   - stages: The stages, each list in the order in which readings pass them.
  ///   - inputs: The identities and the paths of the files that are read. None of them is written.
  ///   - count: The number of readings after which the pipeline stops.
  ///   - grace: The time for writing the received readings after a stop; nil for no limit.
  ///   - clock: The clock for the readings of all devices.
  ///   - parts: Observes the parts of outputs with rotation.
  ///   - disk: The file system of the outputs.
  ///   - makeQueue: Makes a queue with this name.
  ///   - isContinued: Whether rows are appended to those of an earlier run.
  ///   - totals: The totals of the earlier run.
  ///   - isInterrupted: Asked while an output waits for its reader.
  ///   - events: Gets what happens to the sources and the outputs.
  package init(
    _ input: PipelineInput, _ stages: PipelineStages, _ outputs: [RecordingOutput],
    inputs: [FileIdentity: String] = [:],
    pauseMode: PauseMode = .hold, count: Int? = nil, grace: TimeSpan? = nil, clock: EpochClock = EpochClock(),
    parts: any PartObserver = NoPartObserver(), disk: Disk = Disk(),
    makeQueue: (String) -> any WorkQueue = { DispatchWorkQueue($0) }, isContinued: Bool = false,
    totals: [TraceMetadata.Total] = [],
    isInterrupted: @escaping @Sendable () -> Bool = { false },
    events: RecordingEvents = RecordingEvents()
  ) throws(SluiceError) {
    (self.grace, self.events) = (grace, events)
    resuming = makeQueue("sluice.resume")
    self.isContinued = isContinued
    self.totals = Locked(Dictionary(totals.map { (ExactName($0.stream), $0) }) { first, _ in first })
    self.input = input
    self.stages = stages
    sourceStreams = input.streams
    prepared = try PreparedStages(stages, for: input)
    let written = prepared.written
    self.outputs = outputs
    self.pauseMode = pauseMode
    capacity = stages.capacity
    ahead = input.isLive ? min(256, max(1, capacity)) : 1_024
    epoch = clock
    ledgers = (0..<input.capacity).map { _ in StreamLedger() }
    quota = count.map { count in Quota(count) { [weak self] in self?.stop() } }
    sink = try RecordingSink(
      outputs, streams: written.known, pauseMode: pauseMode, ahead: ahead,
      claims: OutputClaims(inputs: inputs, disk: disk, parts: parts, isInterrupted: isInterrupted),
      moreStreams: written.more,
      rowsEndByTime: input.isLive, membersEndByTime: !input.isAtOnce,
      afterDiscard: { [ledgers] reading in
        if !reading.flags.contains(.gapBefore) { ledgers[Int(reading.stream.index)].addGap(beforeWritten: reading) }
      },
      outputChanged: { [weak self] number, event in self?.outputChanged(number, event) },
      beforeGoingOn: { [weak self] in self?.lookAtHeld() },
      // A replay does not wait for a disk that is away, because its trace can be replayed again.
      waitsForDisk: input.isLive, makeQueue: makeQueue
    ) { [weak self] _ in
      self?.state.withLock { $0.isOver = true }
      self?.finished.signal()
    }
  }

  /// The streams that reach the outputs, as far as they are known.
  package var streams: [StreamDescription] { prepared.written.more?() ?? prepared.written.known }

  // MARK: Running

  /// Connects everything. A replay without a pace may have ended when this returns.
  package func start() {
    guard let sink else { return }
    acting(prepared.shared, from: stages.firstShared, ledgers, on: readings).tapped(by: tap).subscribe(sink)
    // `stop()` may have come before there was something to stop.
    if state.withLock({ $0.stopping }) { stop() }
  }

  /// Discards a pipeline that is never started: closes its files, and removes the files that it made.
  package func discard() { sink?.discard() }

  /// The readings of the input, each counted, in the order of their times.
  private var readings: AnyPublisher<Reading, Never> {
    switch input {
    case .devices(let sources): return inOrder(sources)
    case .trace(let replay):
      return replay.publisher().until(stopFlag).intake(ledgers, quota: quota) { [weak self] error in
        self?.state.withLock { $0.isTraceCutShort = true }
        self?.report(error)
      }.eraseToAnyPublisher()
    }
  }

  /// The readings of all sources in the order of their times, behind the stages of single sources.
  private func inOrder(_ sources: [Source]) -> AnyPublisher<Reading, Never> {
    let lines = prepared.ofSources.map { own in
      own.stages.isEmpty
        ? received(from: sources[own.sources.lowerBound], own.streams.lowerBound, ledgers)
        : staged(own, sources)
    }
    if lines.count == 1, !stages.shared.contains(where: \.endsByTime) { return lines[0] }
    // What the stages of a source held back comes when it comes. Its lateness was judged before them.
    let isStaged = prepared.ofSources.flatMap { own in own.streams.map { _ in !own.stages.isEmpty } }
    return merged(lines, sources) { [ledgers] reading in
      let stream = Int(reading.stream.index)
      if !isStaged[stream] { ledgers[stream].flagLate(&reading) }
    }
  }

  /// The readings of the sources that one source of a plan has opened, behind its stages. These see streams that are
  /// numbered from 0.
  private func staged(_ own: PreparedStages.OfSources, _ sources: [Source]) -> AnyPublisher<Reading, Never> {
    let ledgers = Array(self.ledgers[own.streams])
    let sources = Array(sources[own.sources])
    var received: [AnyPublisher<Reading, Never>] = []
    var base = 0
    for source in sources {
      received.append(self.received(from: source, base, ledgers))
      base += source.streams.count
    }
    // Always with marks: they end the windows of a silent source.
    let inOrder = merged(received, sources) { ledgers[Int($0.stream.index)].flagLate(&$0) }
    let first = own.streams.lowerBound
    return acting(own.prepared, from: 0, ledgers, on: inOrder).compactMap { reading in
      guard reading.stream != .none else { return nil }
      var reading = reading
      reading.stream = StreamID(UInt16(truncatingIfNeeded: first + Int(reading.stream.index)))
      return reading
    }.eraseToAnyPublisher()
  }

  /// Readings in the order of their times. A clock releases those that wait for a silent source.
  private func merged(
    _ lines: [AnyPublisher<Reading, Never>], _ sources: [Source], onLate: @escaping (inout Reading) -> Void
  ) -> AnyPublisher<Reading, Never> {
    let lateness = sources.map(\.lateness).max() ?? 0
    let marks = Publishers.timer(interval: .milliseconds(100)).map { [epoch] time in
      Reading(time: epoch.time(monotonic: time.uptimeNanoseconds) &- lateness, stream: .none, values: Values())
    }
    return Publishers.MergeByTime(lines, marks: marks, by: ReadingStamps(), onLate: onLate).eraseToAnyPublisher()
  }

  /// The publisher of one source until the stop, which counts its readings.
  private func received(from source: Source, _ base: Int, _ ledgers: [StreamLedger]) -> AnyPublisher<Reading, Never> {
    var published = source.publisher(StreamID(UInt16(truncatingIfNeeded: base)), epoch)
    if isContinued { published = published.flaggingFirst(base..<(base + source.streams.count)) }
    if source.finish == nil { published = published.prefix(untilOutputFrom: stopSignal).eraseToAnyPublisher() }
    return published.intake(ledgers, quota: quota) { [weak self] in self?.report($0) }.eraseToAnyPublisher()
  }

  /// The end time of the recording. A stage ends its last windows with it, so that a replay gives the same as the
  /// recording.
  private var ended: Int64? {
    if let replay = input.replay { return replay.ended }
    return state.withLock { state in
      state.ended = state.ended ?? epoch.now
      return state.ended
    }
  }

  /// Readings behind some stages.
  /// - Parameters:
  ///   - number: The number of the first of the stages in the ledgers.
  ///   - ledgers: Those of the streams of the readings.
  private func acting(
    _ stages: [PreparedStage], from number: Int, _ ledgers: [StreamLedger], on readings: AnyPublisher<Reading, Never>
  ) -> AnyPublisher<Reading, Never> {
    stages.enumerated().reduce(readings) { $1.element.act($0, stageContext(number + $1.offset, ledgers)) }
  }

  private func stageContext(_ number: Int, _ ledgers: [StreamLedger]) -> StageContext {
    StageContext(
      number: number, ledgers: ledgers,
      keepTotal: { [totals] total in totals.withLock { $0[ExactName(total.stream)] = total } },
      ended: { [weak self] in self?.ended }, sourcesWait: !input.isLive,
      ahead: ahead,
      leaveOut: { ledgers[Int($0.stream.index)].suppressed.add(1, ordering: .relaxed) },
      drop: { [weak self] in self?.drop($0, failing: $1) },
      flagGap: { reading in
        guard !reading.flags.contains(.gapBefore) else { return }
        reading.flags.insert(.gapBefore)
        ledgers[Int(reading.stream.index)].addGap(before: reading)
      })
  }

  /// Counts a reading that a full buffer drops.
  /// - Parameter size: The size of the buffer if the recording must end when it is full; nil for any other buffer.
  private func drop(_ reading: Reading, failing size: Int?) {
    ledgers[Int(reading.stream.index)].addDrop(of: reading)
    guard let size else { return }
    let isFirst = state.withLock { state in
      defer { state.isFull = true }
      return !state.isFull
    }
    guard isFirst else { return }
    report(
      SluiceError(
        .failed, "keep up with", streams[Int(reading.stream.index)].name,
        because: "its buffer of \(size) reading\(size == 1 ? "" : "s") is full",
        remedy: "give --buffer more, or say with --when-full what may be dropped"))
    stop()
  }

  // MARK: Control

  /// Ends the streams at the sources. Everything received is still written, as far as the grace allows.
  package func stop() {
    let isFirst = state.withLock { state in
      defer { state.stopped = state.stopped ?? epoch.now }
      state.stopping = true
      return state.stopped == nil
    }
    if isFirst { beginGrace() }
    stopFlag.raise()
    stopSignal.send()
    input.finish()
    // This runs on another queue, so that the caller is not blocked. Held readings must be written; discarded readings
    // must not.
    resuming.perform { [sink, pauseMode] in
      if pauseMode == .hold { sink?.resume() }
      sink?.drain()
    }
  }

  private func beginGrace() {
    guard let grace else { return }
    let end = DispatchTime.now() + .nanoseconds(Int(clamping: grace.nanoseconds))
    DispatchQueue(label: "sluice.grace").asyncAfter(deadline: end) { [weak self] in
      self?.abandon(within: "within \(grace)")
    }
  }

  /// Ends the streams, and does not wait for the outputs. Readings that are not written yet count as unwritten.
  package func stopAtOnce() {
    stop()
    abandon(within: "before it was stopped at once")
  }

  /// - Parameter time: The words for the sentence: `within 10s`.
  private func abandon(within time: String) {
    state.withLock { $0.timeLeft = $0.timeLeft ?? time }
    sink?.abandon { SluiceError(.failed, "finish", Self.named($0), because: "it was not finished \(time)") }
  }

  private static func named(_ output: String) -> String { output == "-" ? "standard output" : output }

  /// Reports the outputs that were abandoned, after the last reading.
  private func reportLeft() {
    guard let time = state.withLock({ $0.timeLeft }), let sink else { return }
    let left = sink.left { ledgers.reduce(0) { $0 + $1.outgoing } }
    for (number, name, count) in left {
      let cause =
        count == 0
        ? "it was not closed \(time)"
        : "\(grouped(count)) reading\(count == 1 ? " was" : "s were") not written \(time)"
      fail(number, SluiceError(.failed, "finish", Self.named(name), because: cause))
    }
  }

  /// Adds a suspend. Any thread may call it.
  package func addSuspend(at time: Int64) {
    state.withLock { state in
      state.suspends = ((state.suspends?.count ?? 0) + 1, state.suspends?.first ?? time, time)
    }
    events.send(.suspended, at: time)
  }

  /// The pauses of this run and of the replayed trace.
  private var pauses: [Pause] {
    (input.replay?.pauses ?? []) + state.withLock { $0.pauses }
  }

  /// The marks of the replayed trace, or those of this run.
  package var marks: [Mark] { input.replay?.marks ?? state.withLock { $0.marks } }

  /// Marks this moment, and sends the event. Any thread may call it.
  package func mark(_ text: String) throws(SluiceError) {
    let time = epoch.now
    let isKept = state.withLock { state in
      guard state.marks.count < Mark.limit else { return false }
      state.marks.append(Mark(time: time, text: text))
      return true
    }
    guard isKept else {
      throw SluiceError(
        .failed, "mark", "the recording", because: "it has \(grouped(Mark.limit)) marks already, and keeps no more")
    }
    events.send(.marked(text), at: time)
  }

  /// Ends the parts of all outputs that have parts.
  func endParts() -> Bool { sink?.endParts() ?? false }

  /// Waits until everything is written and every device is restored.
  package func wait() {
    finished.wait()
    for source in input.devices {
      source.closed()
      guard source.isAway() else { continue }
      let names = source.streams.map(\.name).joined(separator: ", ")
      report(
        SluiceError(
          .disconnected, "go on with", names, because: "it was removed and has not come back",
          remedy: "connect it again and start anew"))
    }
    reportLeft()
    // If the outputs have cancelled it, it has not received an end.
    tap.end()
  }

  private func outputChanged(_ number: Int, _ event: OutputEvent) {
    let path = outputs[number].path
    switch event {
    case .failed(let error): fail(number, error)
    case .syncFailed(let error): report(error)
    case .away(let error, let time):
      let now = dropped(for: number)
      let before = state.withLock { state in
        state.droppedBefore[number] = state.droppedBefore[number] ?? now
        return state.droppedBefore[number] ?? now
      }
      events.send(.outputAway(path: path, error, nanoseconds: time, dropped: now - before))
    case .back(let time):
      let before = state.withLock { $0.droppedBefore.removeValue(forKey: number) } ?? 0
      events.send(.outputBack(path: path, nanoseconds: time, dropped: dropped(for: number) - before))
    case .tailCut(let path, let tail):
      events.send(.tailCut(path: path, bytes: tail.byteCount, sentence: tail.sentence))
    case .begunAnew(let path): events.send(.begunAnew(path: path))
    }
  }

  /// The number of readings that the buffer and this output have dropped so far.
  private func dropped(for output: Int) -> Int {
    dropped + (sink?.standing.shares[output].counts.reduce(0) { $0 + $1.dropped } ?? 0)
  }

  private func fail(_ output: Int, _ error: SluiceError) {
    let isLast = state.withLock { state in
      state.failures[output] = (error, epoch.now)
      defer { if error.isOfReaderThatHasGone, state.failures.count == outputs.count { state.stopping = true } }
      return state.failures.count == outputs.count
    }
    guard error.isOfReaderThatHasGone else { return report(error) }
    // The reader closed the pipe, as `head` does. If it was the last output, no message is needed.
    if !isLast { events.send(.readerLeft(path: error.object, error)) }
  }

  package func report(_ error: SluiceError) {
    state.withLock { $0.errors.append(error) }
    events.send(.failed(error))
  }

  /// The readings received so far, in all streams.
  package var received: Int { ledgers.reduce(0) { $0 + $1.received.load(ordering: .relaxed) } }
  /// The readings that full buffers have dropped so far.
  package var dropped: Int { ledgers.reduce(0) { $0 + $1.dropped.load(ordering: .relaxed) } }

  /// The highest number of readings seen waiting in the stages. The pipeline looks when the outputs request more after
  /// a time without demand.
  package var peakHeld: Int {
    lookAtHeld()
    return mostHeld.withLock { $0 }
  }

  private func lookAtHeld() {
    guard let sink else { return }
    let held = ledgers.reduce(0) { $0 + $1.outgoing } - sink.taken
    mostHeld.withLock { $0 = max($0, held) }
  }

  /// The used part of the buffers in percent; nil for a trace, which waits, and for a run without a buffer.
  package var fill: Int? {
    guard let sink, capacity > 0, input.isLive else { return nil }
    let held = ledgers.reduce(0) { $0 + $1.outgoing } - sink.taken
    return min(
      100,
      Int(Double(max(0, held)) / (Double(capacity) * Double(max(1, input.capacity))) * 100)
    )
  }

  package var errors: [SluiceError] { state.withLock { $0.errors } }

  /// The account of the run.
  package func account(seconds: Double) -> Account {
    var account = Account(
      command: trace == nil ? .record : .replay, streams: streamAccounts(of: nil), outputs: outputAccounts,
      losses: losses, lossesShown: input.lossCoverage, unseen: input.unseen, trace: trace,
      errors: errors.map(\.description), seconds: seconds)
    for stage in stages.all.map({ type(of: $0) }) where stage.leavesOut && !account.leftOutBy.contains(stage.name) {
      account.leftOutBy.append(stage.name)
    }
    for stage in stages.all.map({ type(of: $0) }) where stage.makes && !account.madeBy.contains(stage.name) {
      account.madeBy.append(stage.name)
    }
    account.peakHeld = peakHeld
    account.wasStopped = state.withLock { $0.stopping }
    account.reorder = input.replay?.reorder?()
    account.pace = input.replay?.pace?.account
    return account
  }

  /// The account of each stream so far.
  /// - Parameter output: The number of an output; nil for all outputs.
  func streamAccounts(of output: Int?) -> [StreamAccount] {
    guard let standing = sink?.standing else { return [] }
    let shares = output.map { [standing.shares[$0]] } ?? standing.shares
    let received = sourceStreams.more?() ?? sourceStreams.known
    return zip(streams, ledgers).enumerated().map { index, stream in
      let ledger = stream.1
      // The sink knows a new stream only from its first reading on.
      let counts = shares.map { index < $0.counts.count ? $0.counts[index] : OutputCount() }
      let own = output != nil && counts[0].dropped > 0 ? shares[0].droppedTimes : nil
      return StreamAccount(
        stream: stream.0.name, input: index < received.count ? received[index].name : nil,
        received: ledger.received.load(ordering: .relaxed),
        dropped: ledger.dropped.load(ordering: .relaxed), suppressed: ledger.suppressed.load(ordering: .relaxed),
        used: ledger.used.load(ordering: .relaxed), made: ledger.made.load(ordering: .relaxed),
        discarded: index < standing.discarded.count ? standing.discarded[index] : 0,
        late: ledger.flagged.late.count, droppedTimes: [ledger.droppedTimes, own].compactMap { $0 },
        outputs: zip(counts, shares).map { ($0, $1.failure != nil) }, isOne: output != nil)
    }
  }

  private var outputAccounts: [OutputAccount] {
    let failures = state.withLock { $0.failures }
    return zip(outputs, sink?.standing.shares ?? []).enumerated().map { number, output in
      OutputAccount(
        output: output.0.path, format: type(of: output.0.format).name,
        streams: zip(streams, output.1.counts).map { stream, count in
          OutputCount(
            stream: stream.name, written: count.written, unwritten: count.unwritten, dropped: count.dropped,
            synced: min(count.synced, count.written))
        },
        ended: failures[number].flatMap { $0.error.isOfReaderThatHasGone ? $0.error.cause : nil },
        error: failures[number].flatMap { $0.error.isOfReaderThatHasGone ? nil : $0.error.description },
        since: failures[number]?.time, firstDropped: output.1.droppedTimes?.lowerBound,
        lastDropped: output.1.droppedTimes?.upperBound,
        longestSync: output.1.longestSync > 0 ? output.1.longestSync : nil)
    }
  }

  /// The flagged readings of each stream, including those that a trace does not list.
  private var flagged: [StreamFlags] {
    let unlisted = input.replay?.unlisted ?? [:]
    return zip(streams, ledgers).map { stream, ledger in
      var flagged = ledger.writtenFlags
      for flag in [\StreamFlags.gapBefore, \.initialLevel, \.late] {
        flagged[keyPath: flag].count += unlisted[ExactName(stream.name)]?[keyPath: flag].count ?? 0
      }
      return flagged
    }
  }

  /// The outcome, after the end of the run.
  package var outcome: RecordingMetadata.Outcome {
    var ended = RecordingMetadata.Instant.now()
    ended.time = state.withLock { $0.ended } ?? ended.time
    return RecordingMetadata.Outcome(
      ended: ended, streams: streams, accounts: outputs.indices.map { streamAccounts(of: $0) }, flagged: flagged,
      losses: losses,
      coverage: trace?.hasAccount ?? true ? input.lossCoverage : nil, pauses: pauses, marks: marks,
      totals: totals.withLock { $0.values.sorted { $0.stream < $1.stream } }, errors: errors,
      isTraceCutShort: state.withLock { $0.isTraceCutShort }, abandoned: sink?.abandoned ?? [])
  }

  /// Removes the files without rows, after the end of a run that failed.
  /// - Returns: The paths of these files.
  package func removeFilesWithoutRows() -> [String] { sink?.removeFilesWithoutRows() ?? [] }

  /// Removes the files of the outputs that have only a part of the trace, after the end of a conversion that failed.
  /// - Returns: The paths of these files.
  package func removePartialFiles() -> [String] {
    let failed = state.withLock { state in
      outputs.indices.filter {
        state.isTraceCutShort || state.failures[$0].map { !$0.error.isOfReaderThatHasGone } ?? false
      }
    }
    return sink?.removeFiles { failed.contains($0) } ?? []
  }

  /// Whether the trace could not be read to its end.
  package var isTraceCutShort: Bool { state.withLock { $0.isTraceCutShort } }

  /// The trace that is replayed.
  package var trace: ReplayedTrace? { input.replay?.trace }
}
