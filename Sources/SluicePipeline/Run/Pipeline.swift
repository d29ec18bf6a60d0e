import Dispatch
package import Sluice
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
    /// The number of sinks that have received everything.
    var ended = 0
    /// All sinks have received everything.
    var isOver = false
    var stopped: Int64?
    /// The end time that the stages received; nil if no stage asked for it.
    var endTime: Int64?
    var pauses: [Pause] = []
    var marks: [Mark] = []
    /// The number of suspends that were noticed, and the times of the first and the last.
    var suspends: (count: Int, first: Int64, last: Int64)?
    /// The time that outputs had before they were abandoned: `within 10s`.
    var timeLeft: String?
    /// For each output whose disk is away: the readings that were dropped before.
    var droppedBefore: [Int: Int] = [:]
    var layout = Layout()
    /// What outputs have said that are opened while it runs, and are not in the layout yet.
    var early: [(number: Int, event: OutputEvent)] = []
    /// Whether the early events are told now, so that later ones must wait.
    var tellsEarly = false
    /// The places whose stages can be exchanged.
    var exchanges: [PlanDifference.Place: [StagePlace]] = [:]
    /// The kinds of stages that there have been.
    var kinds: [any RecordingStage.Type] = []
  }

  /// The outputs, and the branches that lead to them. A recording that runs may get more of both.
  struct Layout {
    var outputs: [RecordingOutput] = []
    var branches: [OutputBranch] = []
  }

  /// A ledger for each possible stream.
  let ledgers: [StreamLedger]
  let input: PipelineInput
  let stages: PipelineStages
  let prepared: PreparedStages
  /// The streams of the input.
  let sourceStreams: InputStreams
  /// The readings per stream that the stages keep while the outputs cannot write.
  let capacity: Int
  var outputs: [RecordingOutput] { state.withLock { $0.layout.outputs } }
  let pauseMode: PauseMode
  let epoch: EpochClock
  let events: RecordingEvents
  let stopSignal = PassthroughSubject<Void, Never>()
  let stopFlag = StopFlag()
  let tap = ReadingTap()
  let resuming: any WorkQueue
  /// The time for writing the received readings after a stop; nil for no limit.
  private let grace: TimeSpan?
  private let finished = DispatchSemaphore(value: 0)
  let state = Locked(State())
  var branches: [OutputBranch] { state.withLock { $0.layout.branches } }
  private(set) var quota: Quota?
  /// Whether stages can be exchanged, and outputs added, while it runs.
  let isChangeable: Bool
  /// Gives the branches their readings; nil if there is one branch for good.
  private(set) var fork: Fork?
  let makeQueue: (String) -> any WorkQueue
  let servers: ServerSurroundings
  /// Not an `Atomic`: Swift 6.3 crashes when it optimises `Recording.init`, which then destroys one.
  let mostHeld = Locked(0)
  /// The last totals that the stages have made, by stream.
  let totals: Locked<[ExactName: TraceMetadata.Total]>
  /// The times of the marks of this run, for stages.
  let markTimes = MarkTimes()
  /// Whether the rows of earlier runs come before those of this run.
  let isContinued: Bool
  /// Whether the time of a reading that comes now may be wrong by more than the plan allows; nil without a limit.
  let isTimeUncertain: (@Sendable () -> Bool)?
  /// The time, again and again: no source sends a reading from before it, but for its lateness.
  let ticks: AnyPublisher<Int64, Never>

  /// - Parameters:
  ///   - stages: The stages, each list in the order in which readings pass them.
  ///   - inputs: The identities and the paths of the files that are read. None of them is written.
  ///   - count: The number of readings after which the pipeline stops.
  ///   - grace: The time for writing the received readings after a stop; nil for no limit.
  ///   - clock: The clock for the readings of all devices.
  ///   - parts: Observes the parts of outputs with rotation.
  ///   - disk: The file system of the outputs.
  ///   - makeQueue: Makes a queue with this name.
  ///   - spills: By output, its spill; nil if it has none. Empty if no output has one.
  ///   - servers: What outputs that are servers need to know.
  ///   - isContinued: Whether rows are appended to those of an earlier run.
  ///   - isTimeUncertain: Whether the wall clock is worse than the plan allows; nil without a limit.
  ///   - totals: The totals of the earlier run.
  ///   - rings: Where readings wait that do not fit into memory; nil if there is no disk for it.
  ///   - ticks: The time of `clock`, ten times per second; nil for a timer.
  ///   - isInterrupted: Asked while an output waits for its reader.
  ///   - isChangeable: Whether stages can be exchanged, and outputs added, while it runs. It costs a little for each run of
  ///     readings.
  ///   - events: Gets what happens to the sources and the outputs.
  package init(
    _ input: PipelineInput, _ stages: PipelineStages, _ outputs: [RecordingOutput],
    inputs: [FileIdentity: String] = [:],
    pauseMode: PauseMode = .hold, count: Int? = nil, grace: TimeSpan? = nil, clock: EpochClock = EpochClock(),
    parts: any PartObserver = NoPartObserver(), disk: Disk = Disk(),
    makeQueue: @escaping (String) -> any WorkQueue = { DispatchWorkQueue($0) }, spills: [SpillSetup?] = [],
    servers: ServerSurroundings = ServerSurroundings(), isContinued: Bool = false,
    isTimeUncertain: (@Sendable () -> Bool)? = nil, totals: [TraceMetadata.Total] = [],
    rings: RingFolder? = nil, ticks: AnyPublisher<Int64, Never>? = nil,
    isInterrupted: @escaping @Sendable () -> Bool = { false }, isChangeable: Bool = false,
    events: RecordingEvents = RecordingEvents()
  ) throws(SluiceError) {
    (self.grace, self.events, self.isChangeable, self.makeQueue) = (grace, events, isChangeable, makeQueue)
    self.servers = servers
    resuming = makeQueue("sluice.resume")
    self.isContinued = isContinued
    self.isTimeUncertain = isTimeUncertain
    self.ticks =
      ticks
      ?? Publishers.timer(interval: .milliseconds(100)).map { clock.time(monotonic: $0.uptimeNanoseconds) }
      .eraseToAnyPublisher()
    self.totals = Locked(Dictionary(totals.map { (ExactName($0.stream), $0) }) { first, _ in first })
    self.input = input
    self.stages = stages
    sourceStreams = input.streams
    let alone = Set(spills.indices.filter { spills[$0] != nil })
    prepared = try PreparedStages(
      stages, for: input, outputs: outputs.count, alone: alone, marks: markTimes, rings: rings)
    self.pauseMode = pauseMode
    capacity = stages.capacity
    epoch = clock
    ledgers = (0..<input.capacity).map { _ in StreamLedger() }
    quota = count.map { count in Quota(count) { [weak self] in self?.stop() } }
    let changed: @Sendable (Int, OutputEvent) -> Void = { [weak self] number, event in
      self?.outputChanged(number, event)
    }
    // What an earlier run has left is told while the outputs are opened.
    state.withLock { $0.layout = Layout(outputs: outputs, branches: []) }
    let opened = try RecordingSink.open(
      outputs, for: prepared.streams,
      OutputClaims(
        inputs: inputs, cuts: SpillSetup.cuts(spills), disk: disk, parts: parts, servers: servers,
        isInterrupted: isInterrupted),
      membersEndByTime: !input.isAtOnce, outputChanged: changed, makeQueue: makeQueue)
    let branches = prepared.ofOutputs.map { prepared in
      let number = prepared.outputs[0]
      return branch(
        of: prepared, opened[prepared.outputs], changed,
        spill: spills.indices.contains(number)
          ? spills[number].map { Spill($0, streams: ledgers.count, isSynced: disk.syncs, makeQueue("sluice.spill")) }
          : nil)
    }
    let kinds = stages.all.map { type(of: $0) as any RecordingStage.Type }
    state.withLock { ($0.layout, $0.kinds) = (Layout(outputs: outputs, branches: branches), kinds) }
    if branches.count > 1 || isChangeable { fork = Fork(counting: isChangeable ? ledgers.count : 0) }
  }

  /// - Parameter changed: Called with the number of an output and its event.
  func branch(
    of prepared: PreparedStages.OfOutputs, _ opened: RecordingSink.OpenOutputs,
    _ changed: @escaping @Sendable (Int, OutputEvent) -> Void, spill: Spill? = nil
  ) -> OutputBranch {
    let isOnly = self.prepared.ofOutputs.count == 1 && prepared.stages.isEmpty && !isChangeable
    let own = isOnly ? nil : ledgers.map { _ in StreamLedger() }
    let counting = own ?? ledgers
    let numbers = prepared.outputs
    let sink = RecordingSink(
      opened, streams: prepared.written.known, pauseMode: pauseMode, ahead: ahead(prepared.stages),
      moreStreams: prepared.written.more, rowsEndByTime: input.isLive,
      afterDiscard: { reading in
        if !reading.flags.contains(.gapBefore) { counting[Int(reading.stream.index)].addGap(beforeWritten: reading) }
      },
      outputChanged: { changed(numbers[$0], $1) }, beforeGoingOn: { [weak self] in self?.lookAtHeld() },
      // A replay does not wait for a disk that is away, because its trace can be replayed again.
      waitsForDisk: input.isLive, makeQueue: makeQueue
    ) { [weak self] _ in self?.sinkEnded() }
    if let spill {
      sink.tellProgress(of: 0) { [weak spill] in spill?.progressed($0) }
      spill.settle = { [weak sink] done in
        guard let sink else { return done(.notYet) }
        // The readings that a pause holds in the sink are not written.
        sink.flush(holdsAll: true) { flushed in
          switch flushed.first {
          case .written?: done(.done)
          case .failed?: done(.unsafe)
          case .away?, .ended?, nil: done(.notYet)
          }
        }
      }
      let (path, folder) = (self.outputs[numbers[0]].path, spill.folder)
      spill.happened = { [events] in events.send($0.event(of: path, in: folder)) }
    }
    return OutputBranch(outputs: numbers, prepared: prepared, shared: ledgers, own: own, sink: sink, spill: spill)
  }

  /// The number of readings that a sink requests before it has written the previous readings.
  /// - Parameter own: The stages of its outputs.
  func ahead(_ own: [any RecordingStage]) -> Int {
    guard input.isLive else { return 1_024 }
    let (sum, isOverflow) = capacity.addingReportingOverflow(PipelineStages.capacity(own))
    return isOverflow ? 256 : min(256, max(1, sum))
  }

  private func sinkEnded() {
    let isLast = state.withLock { state in
      state.ended += 1
      state.isOver = state.ended == state.layout.branches.count
      return state.isOver
    }
    if isLast { finished.signal() }
  }

  /// The streams behind the stages that all share, as far as they are known.
  package var streams: [StreamDescription] { prepared.written.more?() ?? prepared.written.known }

  // MARK: Running

  /// Connects everything. A replay without a pace may have ended when this returns.
  package func start() {
    let shared = acting(
      .shared, (stages.shared, prepared.shared), for: prepared.received, from: stages.firstShared, ledgers, ahead([]),
      on: readings
    ).tapped(by: tap)
    let branches = branches
    if let fork {
      for branch in branches { spilled(branch, behind(branch, fork.branch)).subscribe(branch.sink) }
      shared.subscribe(fork)
    } else {
      // Without stages of its own and without a spill, nothing more stands on the way to the outputs.
      let branch = branches[0]
      if branch.prepared.stages.isEmpty, branch.spill == nil {
        shared.subscribe(branch.sink)
      } else {
        spilled(branch, behind(branch, shared.eraseToAnyPublisher())).subscribe(branch.sink)
      }
    }
    // `stop()` may have come before there was something to stop.
    if state.withLock({ $0.stopping }) { stop() }
  }

  private func spilled(_ branch: OutputBranch, _ readings: AnyPublisher<Reading, Never>) -> AnyPublisher<Reading, Never>
  {
    branch.spill?.behind(readings) ?? readings
  }

  /// Discards a pipeline that is never started: closes its files, and removes the files that it made.
  package func discard() {
    for branch in branches {
      branch.sink.discard()
      _ = branch.spill?.close()
    }
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
    resuming.perform { [pairs = branches.map { ($0.sink, $0.spill) }, pauseMode] in
      for (sink, spill) in pairs {
        if pauseMode != .discard { sink.resume() }
        // An output does not have to take all of its spill now: the next run can write the rest.
        if let spill {
          if sink.isAway { spill.keep() }
        } else {
          sink.drain()
        }
      }
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
    for branch in branches {
      branch.spill?.keep()
      branch.sink.abandon { SluiceError(.failed, "finish", outputTitle($0), because: "it was not finished \(time)") }
    }
  }

  /// Reports the outputs that were abandoned, after the last reading.
  private func reportLeft() {
    guard let time = state.withLock({ $0.timeLeft }) else { return }
    let left = branches.flatMap { branch in
      branch.sink.left { branch.spill == nil ? branch.outgoing : branch.sink.taken }.compactMap { output, name, count in
        guard let spill = branch.spill else { return (branch.outputs[output], name, count) }
        let lost = spill.lost(of: count, branch.sink.standing.shares[output])
        // What waits in the log is not lost, and the fault of the output was reported already.
        return lost == 0 && spill.account?.held ?? 0 > 0 ? nil : (branch.outputs[output], name, lost)
      }
    }
    for (number, name, count) in left {
      let cause =
        count == 0
        ? "it was not closed \(time)"
        : "\(grouped(count)) reading\(count == 1 ? " was" : "s were") not written \(time)"
      fail(number, SluiceError(.failed, "finish", outputTitle(name), because: cause))
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
  var pauses: [Pause] {
    (input.replay?.pauses ?? []) + state.withLock { $0.pauses }
  }

  /// The marks of the replayed trace, or those of this run.
  package var marks: [Mark] { input.replay?.marks ?? state.withLock { $0.marks } }

  /// Marks this moment, and sends the event. Any thread may call it.
  package func mark(_ text: String) throws(SluiceError) {
    // Within the lock, so that the list is in the order of the times.
    let kept = state.withLock { state -> (mark: Mark, number: Int)? in
      guard state.marks.count < Mark.limit else { return nil }
      let mark = Mark(time: max(epoch.now, state.marks.last?.time ?? .min), text: text)
      state.marks.append(mark)
      markTimes.add(mark.time)
      return (mark, state.marks.count)
    }
    guard let kept else {
      throw SluiceError(
        .failed, "mark", "the recording", because: "it has \(grouped(Mark.limit)) marks already, and keeps no more")
    }
    events.send(kept.mark, number: kept.number)
  }

  /// Ends the parts of all outputs that have parts.
  func endParts() -> Bool { branches.reduce(false) { $1.sink.endParts() || $0 } }

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
          remedy: "connect it and start the recording again"))
    }
    for branch in branches where branch.spill?.close() == false {
      report(
        SluiceError(
          .failed, "close the spill of", outputTitle(outputs[branch.outputs[0]].path),
          because: "its disk does not answer",
          remedy: "see dmesg; the next run with --append writes what is in it"))
    }
    reportLeft()
    // If the outputs have cancelled it, it has not received an end.
    tap.end()
  }

  package func report(_ error: SluiceError) {
    state.withLock { $0.errors.append(error) }
    events.send(.failed(error))
  }

  /// The readings received so far, in all streams.
  package var received: Int { ledgers.reduce(0) { $0 + $1.received.load(ordering: .relaxed) } }
  /// The readings that full buffers have dropped so far.
  package var dropped: Int { ledgers.reduce(0) { $0 + $1.dropped.load(ordering: .relaxed) } }

  package var errors: [SluiceError] { state.withLock { $0.errors } }

  /// Removes the files without rows, after the end of a run that failed.
  /// - Returns: The paths of these files.
  package func removeFilesWithoutRows() -> [String] { branches.flatMap { $0.sink.removeFilesWithoutRows() } }

  /// Removes the files of the outputs that have only a part of the trace, after the end of a conversion that failed.
  /// - Returns: The paths of these files.
  package func removePartialFiles() -> [String] {
    let failed = state.withLock { state in
      state.layout.outputs.indices.filter {
        state.isTraceCutShort || state.failures[$0].map { !$0.error.isOfReaderThatHasGone } ?? false
      }
    }
    return branches.flatMap { branch in branch.sink.removeFiles { failed.contains(branch.outputs[$0]) } }
  }

  /// Whether the trace could not be read to its end.
  package var isTraceCutShort: Bool { state.withLock { $0.isTraceCutShort } }

  /// The trace that is replayed.
  package var trace: ReplayedTrace? { input.replay?.trace }
}
