import Dispatch
public import Sluice
public import SluiceDevices
import SluiceDispatch
public import SluiceReadings
package import SluiceRecording
import SluiceStages
import SluiceSystem

/// Runs the plan of a recording or a replay, with metadata and an account.
///
/// Use it to record from a program as `sluice record` does.
///
/// ```swift
/// let plan = RecordingPlan(
///   sources: [try SourceSpec("sim:imu@200,seed=7")], stages: [.buffer()], outputs: [OutputPlan("walk.csv")])
/// let recording = try Recording(plan)
/// recording.start()
/// recording.stop()
/// print(recording.wait().text)
/// ```
///
/// One thread calls ``start()`` and then ``wait()``. Any thread may call ``pause()``, ``resume()`` and ``stop()``. A recording
/// reads the kernel's devices, and writes the files that the plan names.
public final class Recording: @unchecked Sendable {
  // `state` has its lock; the rest does not change after `init`.

  struct State {
    /// The plan with the computed sizes of its buffers.
    var plan = RecordingPlan(sources: [], outputs: [])
    /// The plan as it was given.
    var given = RecordingPlan(sources: [], outputs: [])
    var isStarted = false
    var started: DispatchTime?
    var metadata: BegunMetadata?
    /// The metadata of the outputs that came while it ran, the outcome before each of them, and their files. Only `queue`
    /// and the end use them.
    var later: [(metadata: BegunMetadata, before: RecordingMetadata.Outcome, files: OutputFiles)] = []
    /// What the metadata of all outputs is made from.
    var described: RecordingMetadata?
    /// Whether the queue will write the plan.
    var isPlanDue = false
    var timers: [any Cancellable] = []
    var account: Account?
    /// Whether the queue will write the marks.
    var areMarksDue = false
    /// Who waits for this write.
    var marksAwaited: [@Sendable (Bool) -> Void] = []
  }

  /// What outputs that come later need to know.
  struct Surroundings {
    /// The files that are read, which no output may be.
    var inputs: [FileIdentity: String]
    var disk: Disk
    var freeSpace: @Sendable (_ path: String) -> Int?
    var clocks: any MachineClocks
  }

  /// The plan of this recording.
  public var plan: RecordingPlan { state.withLock { $0.plan } }
  let pipeline: Pipeline
  private let metadata: RunMetadata
  private let files: OutputFiles
  let parts: PartMetadata
  let surroundings: Surroundings
  /// By source of the plan, the numbers of the sources that it has opened; empty for a trace.
  let sources: [Range<Int>]
  /// Watches the clocks; nil for a replay, because its times come from the trace.
  private let clockWatch: ClockWatch?
  private let clocks: any MachineClocks
  private let space: FreeSpace?
  private let command: Account.Command
  /// The streams whose readings are events, by number.
  package let eventStreams: Set<Int>
  /// One change of the plan at a time. It waits for disks.
  let reloading = PriorityInheritanceMutex(())
  /// The queue for the time limits.
  let queue = DispatchQueue(label: "sluice.recording")
  let state = Locked(State())
  /// The subscription of the closure for errors.
  private let watching = Locked((any Cancellable)?.none)

  /// Opens everything in the plan: devices, the trace, files.
  /// - Parameter failed: Called with each error of a source or an output when it happens, on any thread.
  /// - Throws: A `SluiceError` that names the object that cannot be opened, or the fault in the plan. No file is
  ///   changed before all files of the recording are open and locked. After an error, devices are in their previous
  ///   state.
  public convenience init(
    _ plan: RecordingPlan, failed: @escaping @Sendable (SluiceError) -> Void = { _ in }
  ) throws(SluiceError) {
    try self.init(plan, sources: [], failed: failed)
  }

  /// Opens everything in the plan, and adds sources of your own after those of the plan, which needs none then.
  ///
  /// ```swift
  /// let recording = try Recording(RecordingPlan(sources: [], outputs: [OutputPlan("room.csv")]), sources: [thermometer])
  /// ```
  /// - Parameters:
  ///   - sources: The sources, not read yet. Their streams follow those of the plan; streams with equal names are
  ///     refused.
  ///   - failed: Called with each error of a source or an output when it happens, on any thread.
  /// - Throws: As for a plan alone, and for a plan that is a replay.
  public convenience init(
    _ plan: RecordingPlan, sources: [any ReadingSource], failed: @escaping @Sendable (SluiceError) -> Void = { _ in }
  ) throws(SluiceError) {
    try plan.validate(hasOtherSources: !sources.isEmpty)
    var context = RecordingContext()
    context.sources = sources
    let watching = context.events.publisher.sink { if case .failed(let error) = $0.kind { failed(error) } }
    try self.init(plan, context)
    self.watching.withLock { $0 = watching }
  }

  /// - Parameter plan: A plan that has been checked.
  package init(_ plan: RecordingPlan, _ context: RecordingContext) throws(SluiceError) {
    let clocks = context.clocks
    let clock = EpochClock(offset: EpochClock.difference({ clocks.realtime }, from: { clocks.monotonic }))
    let began = RecordingMetadata.Instant(
      time: clocks.monotonic &+ clock.offset, monotonicOffset: clock.offset, isSynchronised: clocks.isSynchronised,
      errors: clocks.quality?.errors)
    let isLive = plan.replay == nil
    if let limit = plan.limits.maxClockError { try MaxClockError.check(limit, clocks.quality) }
    let maxError = plan.limits.maxClockError?.nanoseconds
    let watch =
      isLive
      ? ClockWatch(clocks, clock, isSynchronised: began.isSynchronised, maxError: maxError, on: queue) : nil
    clockWatch = watch
    var isTimeUncertain: (@Sendable () -> Bool)?
    if maxError != nil, let watch { isTimeUncertain = { watch.isWorse } }
    self.clocks = clocks
    command = context.command ?? (isLive ? .record : .replay)
    context.events.use(clock)
    let opened = try RecordingInput(plan, context)
    let inputs = opened.files
    (sources, eventStreams) = (opened.sources, opened.eventStreams)
    let input = opened.input
    if plan.limits.maxLoss != nil { try MaxLoss.check(input) }
    let received = input.streams
    // Here the stages are prepared only for their streams, which the outputs need. The pipeline prepares them again.
    var stages = opened.stages(plan)
    let prepared = try PreparedStages(stages, for: input, outputs: plan.outputs.count)
    let streams = prepared.streams
    let isGrowing = received.more != nil
    var outputs: [RecordingOutput] = []
    for (number, output) in plan.outputs.enumerated() {
      outputs.append(
        try RecordingOutput(output, traceLayout: opened.traceLayout, for: isGrowing ? nil : streams[number]))
    }
    // Rows in memory are lost if the machine stops. With a spill they can wait on the disk instead, so less memory is enough.
    for (number, spill) in plan.spills.enumerated() where spill.isSpilling {
      outputs[number].capacity = SpillPlan.outputCapacity
    }
    var disk = Disk(files: context.files, sync: plan.sync ?? (isLive ? .standard : .never))
    disk.isInterrupted = context.isInterrupted
    for number in outputs.indices where !isGrowing {
      outputs[number] = try outputs[number].continued(
        at: isLive ? clock.now : nil, window: stages.all.map(\.window).max() ?? 0, streams[number], disk,
        tell: { context.events.send($0) })
    }
    for (output, opened) in zip(plan.outputs, outputs) where output.format == nil && opened.kind.hasFiles {
      if let notice = RecordingFormats.notice(for: output.path) { context.events.send(.notice(notice)) }
    }
    for notice in stages.notices(received.known, ofOutputs: streams) {
      context.events.send(.notice(notice))
    }
    if isLive, !plan.outputs.contains(where: \.raw) {
      for notice in KernelUnits.notices(of: streams) { context.events.send(.notice(notice)) }
    }
    let given = plan
    var plan = plan
    stages = stages.sized(for: received.known, ofOutputs: streams)
    plan.stages = stages.shared.map { StagePlan($0) }
    for (number, own) in stages.ofOutputs.enumerated() {
      if let buffer = own.last as? BufferStage { plan.outputs[number].buffer = OutputPlan.Buffer(buffer) }
    }
    let space = plan.limits.minFree.map { FreeSpace($0, outputs, context.freeSpace) }
    try space?.check()
    self.space = space
    // This may make folders for the files. They are removed if a later step fails.
    let files = try OutputFiles(outputs, streams, inputs: inputs, disk: disk)
    self.files = files
    var described = RecordingMetadata(input, streams, plan, command, arguments: context.arguments, began: began)
    var spills: [SpillSetup?] = []
    do throws(SluiceError) {
      // All checks come before the pipeline, because it opens, locks and changes the files.
      let continued = files.continued
      try AppendCheck.run(
        continued, streams, parts: Set(files.newestParts.map(\.file.path)), takesNames: isLive,
        isGrowing: isGrowing, warn: { context.events.send(.notice($0)) })
      try context.check()
      spills = try SpillSetup.open(plan, began: began.time, outputs, streams, files, disk) {
        context.events.send(.notice($0))
      }
      let rings = RingFolder(outputs, plan.outputs, plan.spill, disk)
      if stages.all.contains(where: { $0 is AroundStage }) { rings?.removeLeft() }
      let earlier = EarlierTotals(
        isLive ? prepared : nil, files.earlier,
        spilled: { spills.isEmpty ? ([:], []) : (spills[$0]?.folder.lastReadings ?? [:], streams[$0]) },
        warn: { context.events.send(.notice($0)) })
      for sentence in earlier.sentences { context.events.send(.total(sentence)) }
      described.totals = earlier.totals
      parts = PartMetadata(described, outputs, disk, clocks, context.events)
      pipeline = try Pipeline(
        input, earlier.goingOn(stages), outputs, inputs: inputs,
        pauseMode: plan.pauseMode,
        count: plan.limits.count, grace: plan.limits.grace, clock: clock, parts: parts, disk: disk, spills: spills,
        servers: plan.servers(isLive: isLive),
        // An earlier run may have written its readings only to its spill.
        isContinued: !continued.isEmpty || spills.contains { $0?.folder.waiting ?? 0 > 0 },
        isTimeUncertain: isTimeUncertain, totals: earlier.totals, rings: rings,
        isInterrupted: context.isInterrupted, isChangeable: context.isChangeable && isLive, events: context.events)
    } catch {
      SpillSetup.close(spills)
      files.removeEmptyFolders()
      throw error
    }
    metadata = RunMetadata(described, files.files)
    surroundings = Surroundings(inputs: inputs, disk: disk, freeSpace: context.freeSpace, clocks: clocks)
    state.withLock { [described, plan] in ($0.plan, $0.given, $0.described) = (plan, given, described) }
    let details = RecordingDetails(
      input: input, stages: stages, outputs: outputs, sync: disk.sync)
    for line in details.lines { context.events.send(.detail(line)) }
    parts.look { [weak pipeline] in pipeline?.outcome }
  }

  deinit { if !state.withLock({ $0.isStarted }) { discard() } }

  /// Removes the files of a recording that was not started.
  private func discard() {
    pipeline.discard()
    files.removeEmptyFolders()
  }

  // MARK: Running

  /// Starts the recording. A replay that does not wait may have ended when this returns.
  public func start() {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    guard isFirst else { return }
    let begun = metadata.begin { [pipeline] in pipeline.report($0) }
    // This comes after the metadata. Otherwise the time of a slow disk would count for the duration.
    let now = DispatchTime.now()
    state.withLock { ($0.metadata, $0.started) = (begun, now) }
    // The watch calls again for a change that could not be written.
    let told = Locked(0)
    let isExcessTold = Locked(false)
    clockWatch?.start(
      suspended: { [pipeline] in pipeline.addSuspend(at: $0) },
      changed: { [weak self, parts, pipeline] changes in
        let isNew = told.withLock { told in
          defer { told = changes.count }
          return changes.count > told
        }
        if isNew, let last = changes.first.last { pipeline.events.send(.clockChanged(last), at: last.time) }
        if let excess = changes.excesses.first,
          !isExcessTold.withLock({ isTold in
            defer { isTold = true }
            return isTold
          })
        {
          pipeline.events.send(.clockExceeded(excess), at: excess.from)
        }
        var isWritten = begun.update(changes)
        for later in self?.state.withLock({ $0.later }) ?? [] {
          isWritten = later.metadata.update(changes) && isWritten
        }
        return parts.update(changes) && isWritten
      })
    if plan.replay == nil, !pipeline.marks.isEmpty { writeMarks() }
    if plan.startPaused { pipeline.pause() }
    if let duration = plan.limits.duration {
      queue.asyncAfter(deadline: now + .nanoseconds(Int(clamping: duration.nanoseconds))) { [weak pipeline] in
        pipeline?.stop()
      }
    }
    if let timeout = plan.limits.idleTimeout {
      let watch = watchIdleness(timeout)
      state.withLock { $0.timers.append(watch) }
    }
    if let space, space.isNeeded { watch(space) }
    pipeline.start()
  }

  /// Pauses. The ``RecordingPlan/pauseMode`` decides whether readings are held in the buffer or discarded. A paced
  /// replay stops its pace.
  public func pause() { pipeline.pause() }
  /// Resumes after a pause.
  public func resume() { pipeline.resume() }
  /// Ends the part of each output that is cut into parts: its next reading begins another part, as if the part were
  /// full. ``RecordingEvent/Kind/partEnded(path:)`` and ``RecordingEvent/Kind/partBegan(path:)`` follow then. Any thread
  /// may call it.
  /// - Throws: A `SluiceError` if no output has a rotation.
  public func rotate() throws(SluiceError) {
    guard pipeline.endParts() else {
      throw SluiceError(
        .usage, "begin", "another part", because: "no output is cut into parts",
        remedy: "give an output a rotation (--rotate)")
    }
  }

  /// Calls back when everything that writes has been reached once. A write that hangs keeps the answer away; silent sources
  /// do not, nor does a disk that is known to be full or away.
  /// - Parameter answered: Called once, or never, on any queue.
  package func ping(_ answered: @escaping @Sendable () -> Void) { pipeline.ping(answered) }

  /// Whether the recording is paused.
  package var isPaused: Bool { pipeline.isPaused }
  /// Delivers one reading of a paced replay that is paused.
  package func step() { pipeline.step() }
  /// Ends the recording. Everything received is still written, for as long as ``RecordingPlan/Limits/grace`` allows.
  public func stop() { pipeline.stop() }
  /// Ends the recording and abandons everything that is not written yet, like a grace of zero.
  public func stopAtOnce() { pipeline.stopAtOnce() }

  /// Waits until everything is written and every device is restored.
  ///
  /// It waits for the end of the sources, a limit of the plan, ``stop()``, or the failure of the last output. After a
  /// stop, it waits for the outputs as long as the grace of the plan allows. It does not wait longer for a write that
  /// blocks.
  /// - Returns: The account.
  @discardableResult public func wait() -> Account {
    if let account = state.withLock({ $0.account }) { return account }
    pipeline.wait()
    // A plan that is being taken over is taken over, or finds the end.
    reloading.withLock { _ in }
    let (begun, later, timers) = state.withLock { state in
      defer { (state.metadata, state.timers) = (nil, []) }
      return (state.metadata, state.later, state.timers)
    }
    for timer in timers { timer.cancel() }
    let clockChanges = clockWatch?.end() ?? ClockChanges()
    // The metadata of a mark may still be on its way.
    queue.sync {}
    let errorsAtEnd = clocks.quality?.errors
    var outcome: RecordingMetadata.Outcome {
      var outcome = pipeline.outcome
      outcome.ended.errors = errorsAtEnd
      return outcome
    }
    if let error = parts.end(outcome) { pipeline.report(error) }
    let removed = pipeline.errors.isEmpty ? [] : removeFiles()
    begun?.end(outcome, clockChanges, removed: removed)
    for later in later { later.metadata.end(outcome.since(later.before), clockChanges, removed: removed) }
    if !removed.isEmpty { for files in [files] + later.map(\.files) { files.removeEmptyFolders() } }
    let account = currentAccount
    state.withLock { $0.account = account }
    return account
  }

  /// Removes files after a run with errors: those without rows, and the incomplete output of a conversion. That output
  /// stays if the input cannot be read again. A replay keeps the readings before the fault.
  /// - Returns: The paths of the removed files.
  private func removeFiles() -> [String] {
    let empty = pipeline.removeFilesWithoutRows()
    guard !pipeline.input.isLive else { return empty }
    let partial = command == .convert && areInputsThere ? pipeline.removePartialFiles() : []
    for path in partial { pipeline.events.send(.partialFileRemoved(path: path)) }
    if pipeline.isTraceCutShort {
      for path in plan.outputs.filter({ $0.existing == .refuse }).map(\.path)
      where FileIdentity(path: path)?.keepsBytes ?? false {
        pipeline.events.send(.partialFileKept(path: path))
      }
    }
    return empty + partial
  }

  /// Whether all inputs can be read again: none is a pipe, and none was removed in the meantime.
  private var areInputsThere: Bool {
    plan.replay.map { !$0.files.contains("-") } ?? false
      && surroundings.inputs.allSatisfy { identity, path in identity.isRegular && FileIdentity(path: path) == identity }
  }

  /// What happens to the recording, from the subscription on. Events come on the thread on which they happen, one at a
  /// time: a subscriber that takes long delays the recording.
  public var events: AnyPublisher<RecordingEvent, Never> { pipeline.events.publisher }

  /// The readings on their way to the outputs, for viewers: each has its own demand, and the recording waits for none.
  public var readings: RecordingReadings { RecordingReadings(pipeline.tap) }

  /// The streams of ``readings``, by `StreamID`. Streams of a trace from a pipe are added while it is read.
  public var streams: [StreamDescription] { pipeline.streams }

  /// The files that it writes, `-` for standard output. An output that is cut into parts has none: its parts are events.
  package var filePaths: [String] {
    ([files] + state.withLock { $0.later.map(\.files) }).flatMap { $0.files.map(\.file.path) }
  }
  /// The pauses so far, with those of a trace that is replayed.
  package var pauses: [Pause] { pipeline.pauses }
  /// The marks so far, or those of a trace that is replayed.
  package var marks: [Mark] { pipeline.marks }
  /// Whether the system says that the wall clock is synchronised; nil if it does not say, and for a replay.
  package var isClockSynchronised: Bool? { pipeline.input.isLive ? clocks.isSynchronised : nil }
  /// The clock of the readings.
  package var clock: EpochClock { pipeline.epoch }

  /// The account so far.
  public var account: Account { state.withLock { $0.account } ?? currentAccount }

  private var currentAccount: Account {
    var account = pipeline.account(seconds: seconds)
    account.command = command
    for (output, removed) in parts.removed { account.outputs[output].removed = removed }
    return account
  }

  /// The state of the recording, for a progress line.
  package var standing: RecordingStanding {
    let (account, isLive) = (account, pipeline.input.isLive)
    let times =
      account.losses.lazy.filter { !$0.isRecorded }.compactMap(\.last) + account.streams.compactMap(\.lastDropped)
    var standing = RecordingStanding(
      received: account.received, lost: account.lostHere,
      lossesShow: !isLive || account.lossesShown != .none,
      fill: pipeline.fill,
      // The times of a trace are not comparable with the clock of this machine.
      sinceLoss: isLive ? times.max().map { Double(pipeline.epoch.now &- $0) / 1e9 } : nil,
      seconds: seconds, isPaused: isPaused)
    (standing.now, standing.account) = (pipeline.epoch.now, account)
    standing.waiting = pipeline.shares.map(\.waiting)
    standing.isSynchronised = isClockSynchronised
    return standing
  }

  /// Seconds since the start.
  private var seconds: Double {
    guard let started = state.withLock({ $0.started }) else { return 0 }
    return Double(DispatchTime.now().uptimeNanoseconds - started.uptimeNanoseconds) / 1e9
  }
}
