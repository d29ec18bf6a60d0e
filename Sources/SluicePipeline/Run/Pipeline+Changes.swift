import Sluice
import SluiceReadings
import SluiceRecording
import SluiceStages
import SluiceSystem

// The changes while readings pass: other stages, another rotation of parts, new outputs.

extension Pipeline {
  // MARK: Stages

  /// The places whose stages can be exchanged.
  var exchangeable: Set<PlanDifference.Place> { Set(state.withLock { $0.exchanges.keys }) }

  /// Whether stages learn that time passes also while no reading comes.
  var hasMarks: Bool {
    input.devices.count > 1 || (stages.shared + stages.ofOutputs.flatMap { $0 }).contains(where: \.endsByTime)
  }

  private func place(_ place: PlanDifference.Place, _ region: Int) -> StagePlace? {
    state.withLock { state in
      state.exchanges[place].flatMap { $0.indices.contains(region) ? $0[region] : nil }
    }
  }

  /// Why stages do not fit into a place; nil if they do.
  /// - Throws: The fault of a stage that does not fit its streams.
  func reason(
    _ place: PlanDifference.Place, _ region: Int, _ stages: [any RecordingStage]
  ) throws(SluiceError) -> String? {
    guard let found = self.place(place, region) else { return "they are not there" }
    return try found.prepared(stages) == nil
      ? "other streams or channels would come out of them, and the outputs have rows of these" : nil
  }

  /// Exchanges the stages of a place, between two runs of readings.
  /// - Parameter done: Called once: with true when the new stages have been made, and with false if the pipeline has
  ///   ended.
  func exchange(
    _ place: PlanDifference.Place, _ region: Int, for stages: [any RecordingStage],
    _ done: @escaping @Sendable (Bool) -> Void
  ) throws(SluiceError) {
    guard let found = self.place(place, region), let prepared = try found.prepared(stages) else { return done(false) }
    let kinds = stages.map { type(of: $0) as any RecordingStage.Type }
    state.withLock { $0.kinds += kinds }
    found.exchange.exchange(making(stages, prepared, found.number, found.context), done)
  }

  // MARK: Outputs

  /// Gives an output another rotation of its parts.
  func rotate(_ path: String, by rotation: Rotation) {
    let layout = state.withLock { $0.layout }
    guard let number = layout.outputs.firstIndex(where: { $0.path == path }),
      let branch = layout.branches.first(where: { $0.outputs.contains(number) }),
      let index = branch.outputs.firstIndex(of: number)
    else { return }
    _ = branch.sink.rotate(index, by: rotation)
  }

  /// Prepares the stages of a new output for the streams that reach it.
  func prepared(_ stages: [any RecordingStage], output number: Int) throws(SluiceError) -> PreparedStages.OfOutputs {
    let streams = prepared.written
    let sized = stages.map { $0.sized(for: streams.known) }
    let own = try PreparedStage.all(sized, for: streams)
    let written = own.last?.streams ?? streams
    try StreamNames.check(written.known)
    return PreparedStages.OfOutputs(outputs: [number], stages: sized, prepared: own, written: written)
  }

  /// Checks that a new output needs no buffer of its own, or has one.
  /// - Throws: If the output would get more readings than it asks for.
  func checkDemand(_ stages: [any RecordingStage], of path: String) throws(SluiceError) {
    guard fork?.isUnlimited ?? true, !stages.contains(where: { $0 is BufferStage }) else { return }
    throw SluiceError(
      .usage, "add", path, because: "every other output has a buffer of its own, and it has none",
      remedy: "give it one: \"buffer\": {}")
  }

  /// Opens new outputs, each with its stages. No reading reaches them yet.
  /// - Throws: If one of the outputs cannot be opened. Then none of them is open.
  func open(
    _ outputs: [(output: RecordingOutput, prepared: PreparedStages.OfOutputs)], inputs: [FileIdentity: String],
    parts: any PartObserver, disk: Disk, isInterrupted: @escaping @Sendable () -> Bool
  ) throws(SluiceError) -> [OutputBranch] {
    let changed: @Sendable (Int, OutputEvent) -> Void = { [weak self] number, event in
      self?.outputChanged(number, event)
    }
    var claimed: [FileIdentity: String] = [:]
    for branch in branches { claimed.merge(branch.sink.files) { first, _ in first } }
    guard let first = outputs.first?.prepared.outputs.first else { return [] }
    let opened: RecordingSink.OpenOutputs
    do throws(SluiceError) {
      opened = try RecordingSink.open(
        outputs.map(\.output), for: outputs.map(\.prepared.written.known),
        OutputClaims(
          inputs: inputs, claimed: claimed, disk: disk, parts: parts, servers: servers, isInterrupted: isInterrupted),
        first: first, membersEndByTime: !input.isAtOnce, outputChanged: changed, makeQueue: makeQueue)
    } catch {
      // The next output that is added has the same number.
      state.withLock { $0.early = [] }
      throw error
    }
    return outputs.enumerated().map { index, output in branch(of: output.prepared, opened[[index]], changed) }
  }

  /// Adds outputs. They get the readings that follow the present run.
  /// - Returns: Whether the outputs were added; false if the pipeline has ended.
  func add(_ outputs: [RecordingOutput], _ branches: [OutputBranch]) -> Bool {
    guard let fork else { return false }
    let passed = fork.passed
    for branch in branches { branch.start.withLock { $0 = OutputBranch.Start(ledgers, passed: passed) } }
    let kinds = branches.flatMap(\.prepared.stages).map { type(of: $0) as any RecordingStage.Type }
    let isThere = state.withLock { state in
      guard !state.isOver, !state.stopping else {
        state.early = []
        return false
      }
      state.layout.outputs += outputs
      state.layout.branches += branches
      state.kinds += kinds
      state.tellsEarly = true
      return true
    }
    guard isThere else { return false }
    tellEarly()
    for branch in branches { attach(branch, to: fork) }
    // A stop may have come before the outputs could be stopped.
    if state.withLock({ $0.stopping }) { stop() }
    return true
  }

  private func attach(_ branch: OutputBranch, to fork: Fork) {
    if isPaused { branch.sink.pause() }
    let first = Locked(StageExchange?.none)
    let readings = behind(
      branch,
      fork.laterBranch { [ledgers] promised, passed in
        // From this point on, the branch gets the same readings as the other branches.
        branch.start.withLock { $0 = OutputBranch.Start(ledgers, passed: passed) }
        first.withLock { $0 }?.promise(promised)
      })
    let exchange = branch.outputs.first.flatMap { place(.output(outputs[$0].path), 0)?.exchange }
    first.withLock { $0 = exchange }
    readings.subscribe(branch.sink)
    // A pause may have begun or ended meanwhile.
    if isPaused { branch.sink.pause() } else { branch.sink.resume() }
  }
}
