import Dispatch
import Sluice
package import SluiceReadings
import SluiceRecording
import SluiceStages

extension Recording {
  /// The result of a plan that was read again.
  package struct Reload: Equatable, Sendable {
    /// The changes that were taken over, each as a sentence.
    package var changed: [String] = []
    /// The differences that were not taken over, each as a sentence with the reason.
    package var kept: [String] = []

    /// The result as a sentence.
    package var text: String {
      switch (changed.count, kept.count) {
      case (0, 0): "the plan has no changes"
      case (0, _): "no change of the plan can be taken over while the recording runs"
      case (let count, 0): count == 1 ? "1 thing is changed" : "\(count) things are changed"
      case (let count, let kept): "\(count) of \(count + kept) things are changed"
      }
    }
  }

  /// Takes over those changes of another plan that are possible while readings pass: stages, the rotation of parts, new
  /// outputs. No reading is lost, and none is written twice. The readings that the old stages hold are written first.
  ///
  /// If a part of the plan is wrong, such as a new output that cannot be opened, nothing changes.
  /// - Parameter new: A plan that has been checked.
  /// - Throws: Why the plan is not taken over.
  package func reload(_ new: RecordingPlan) throws(SluiceError) -> Reload {
    let result = reloading.withLock { _ in
      Result { () throws(SluiceError) in try reloadAlone(new) }
    }
    return try result.get()
  }

  private func refused(_ cause: String) -> SluiceError {
    SluiceError(.usage, "take over", "the plan", because: cause, remedy: "stop the recording, and start it anew")
  }

  private func reloadAlone(_ new: RecordingPlan) throws(SluiceError) -> Reload {
    guard pipeline.isChangeable else { throw refused("the recording did not begin with a plan that can change") }
    let (isRunning, old) = state.withLock { ($0.started != nil && $0.account == nil, $0.given) }
    guard isRunning else { throw refused("the recording does not run") }
    var places = PlanDifference.Places(exchangeable: placesOfPlan(), hasMarks: pipeline.hasMarks)
    places.reason = { [self] place, region, stages throws(SluiceError) in
      try pipeline.reason(inPipeline(place), region, stages)
    }
    let difference = try PlanDifference(from: old, to: new, places)
    try difference.plan.validate(hasOtherSources: difference.plan.sources.isEmpty)
    let added = try AddedOutputs(difference.newOutputs, of: self)
    // From here on, nothing can fail.
    var reload = Reload(kept: difference.kept)
    let time = pipeline.epoch.now
    for rotation in difference.rotations {
      pipeline.rotate(rotation.path, by: rotation.rotation)
      reload.changed.append(rotation.sentence)
    }
    for exchange in difference.exchanges {
      reload.changed.append(exchange.sentence + (try perform(exchange) ? "" : Self.later))
    }
    if !difference.newOutputs.isEmpty {
      if begin(added) {
        reload.changed += difference.newOutputs.map { "\($0.path) is written from now on" }
      } else {
        added.discard()
      }
    }
    guard !reload.changed.isEmpty else { return reload }
    keep(difference.plan, RecordingMetadata.PlanChange(time: time, changed: reload.changed), added)
    pipeline.events.send(.planChanged(reload.changed), at: time)
    return reload
  }

  private static let later = ", as soon as the outputs take what the former stages hold"

  /// The place in the pipeline. The pipeline numbers devices, and a source of the plan may have several devices.
  private func inPipeline(_ place: PlanDifference.Place) -> PlanDifference.Place {
    guard case .source(let number) = place else { return place }
    return .source(sources.indices.contains(number) ? sources[number].lowerBound : -1)
  }

  private func placesOfPlan() -> Set<PlanDifference.Place> {
    let exchangeable = pipeline.exchangeable
    return Set(
      exchangeable.compactMap { place in
        guard case .source(let first) = place else { return place }
        return sources.firstIndex { $0.lowerBound == first }.map { .source($0) }
      })
  }

  /// - Returns: Whether the new stages are there already. In a pause, or while a disk is away, the outputs take no
  ///   readings, so that the old stages stay for now.
  private func perform(_ exchange: PlanDifference.Exchange) throws(SluiceError) -> Bool {
    let done = DispatchSemaphore(value: 0)
    try pipeline.exchange(inPipeline(exchange.place), exchange.region, for: exchange.stages) { _ in done.signal() }
    return done.wait(timeout: .now() + .seconds(2)) == .success
  }

  // MARK: Outputs

  /// New outputs that are open, but get no readings yet.
  struct AddedOutputs {
    var outputs: [RecordingOutput] = []
    var branches: [OutputBranch] = []
    var files: OutputFiles?
    var space: FreeSpace?

    /// Opens the new outputs of a plan for a running recording.
    init(_ plans: [OutputPlan], of recording: Recording) throws(SluiceError) {
      guard !plans.isEmpty else { return }
      let (pipeline, context) = (recording.pipeline, recording.surroundings)
      let disk = context.disk
      var prepared: [PreparedStages.OfOutputs] = []
      var whole = recording.plan
      whole.outputs = plans
      let spills = whole.spills
      for (index, plan) in plans.enumerated() {
        let own = try pipeline.prepared(plan.allStages, output: pipeline.outputs.count + index)
        try pipeline.checkDemand(own.stages, of: plan.path)
        if spills[index].isSpilling {
          throw SluiceError(
            .usage, "add", plan.path, because: "an output with a spill can only be added at the start",
            remedy: "start the recording anew")
        }
        prepared.append(own)
        if OutputKinds.isServer(plan.path) {
          throw SluiceError(
            .usage, "add", plan.path, because: "an output that is a server can only be added at the start",
            remedy: "start the recording anew")
        }
        let output = try RecordingOutput(plan, for: own.written.known)
        let window = (own.stages + pipeline.stages.all).map(\.window).max() ?? 0
        outputs.append(
          try output.continued(at: pipeline.epoch.now, window: window, own.written.known, disk) {
            pipeline.events.send($0)
          })
      }
      space = recording.plan.limits.minFree.map { FreeSpace($0, outputs, context.freeSpace) }
      try space?.check()
      let streams = prepared.map(\.written.known)
      let files = try OutputFiles(outputs, streams, inputs: context.inputs, disk: disk, first: pipeline.outputs.count)
      self.files = files
      // A running recording does not wait until a FIFO has a reader.
      let end = DispatchTime.now() + .seconds(2)
      do throws(SluiceError) {
        try AppendCheck.run(
          files.continued, recording.streamsOfOutputs + streams, parts: Set(files.newestParts.map(\.file.path)),
          takesNames: true, isGrowing: false, warn: { pipeline.events.send(.notice($0)) })
        let earlier = EarlierTotals(prepared, files.earlier, warn: { pipeline.events.send(.notice($0)) })
        for sentence in earlier.sentences { pipeline.events.send(.total(sentence)) }
        for (index, own) in prepared.enumerated() {
          prepared[index] = try pipeline.prepared(own.stages.map(earlier.goingOn), output: own.outputs[0])
        }
        branches = try pipeline.open(
          Array(zip(outputs, prepared)), inputs: context.inputs, parts: recording.parts, disk: disk,
          isInterrupted: { DispatchTime.now() > end })
      } catch {
        files.removeEmptyFolders()
        throw error
      }
    }

    func discard() {
      for branch in branches { branch.sink.discard() }
      files?.removeEmptyFolders()
    }
  }

  /// For each output, the streams that reach it.
  private var streamsOfOutputs: [[StreamDescription]] { pipeline.outcome.streams }

  /// Adds the new outputs to the pipeline and to the metadata.
  /// - Returns: Whether the outputs were added; false if the recording has ended meanwhile.
  private func begin(_ added: AddedOutputs) -> Bool {
    let outcome = pipeline.outcome
    guard var metadata = state.withLock({ $0.described }) else { return false }
    let received = pipeline.input.streams.known
    for branch in added.branches {
      metadata.streams.append(branch.streams)
      metadata.isWhole.append(RecordingMetadata.isWhole(branch.streams, received, pipeline.input.isWhole))
    }
    state.withLock { [metadata] in $0.described = metadata }
    // This comes before the first part of an output, because the metadata of the part has these streams.
    parts.take(metadata, pipeline.outputs + added.outputs, since: outcome)
    guard pipeline.add(added.outputs, added.branches) else { return false }
    guard let files = added.files else { return true }
    metadata.began = began(metadata.began)
    let begun = RunMetadata(metadata, files.files).begin { [pipeline] in pipeline.report($0) }
    queue.sync { state.withLock { $0.later.append((begun, outcome, files)) } }
    if let space = added.space, space.isNeeded { watch(space) }
    return true
  }

  /// Now, by the clock of the recording.
  private func began(_ first: RecordingMetadata.Instant) -> RecordingMetadata.Instant {
    let quality = surroundings.clocks
    return RecordingMetadata.Instant(
      time: pipeline.epoch.now, monotonicOffset: first.monotonicOffset, isSynchronised: quality.isSynchronised,
      errors: quality.quality?.errors)
  }

  // MARK: The plan

  private func keep(_ plan: RecordingPlan, _ change: RecordingMetadata.PlanChange, _ added: AddedOutputs) {
    state.withLock { state in
      state.given = plan
      // The computed sizes of the buffers depend on the streams, which have not changed.
      state.plan = plan.sized(like: state.plan)
      state.described?.plan = RecordingMetadata.WrittenPlan(state.plan)
      state.described?.planChanges.append(change)
      if let count = state.described?.planChanges.count, count > RecordingMetadata.PlanChange.limit {
        state.described?.planChanges.removeFirst()
      }
    }
    writePlan()
  }
}

extension RecordingPlan {
  /// This plan with the computed sizes of the buffers of another plan that has the same buffers.
  fileprivate func sized(like other: RecordingPlan) -> RecordingPlan {
    var plan = self
    let sizes = StageRegions(other.stages.map(\.stage)).fixed
    var stages = StageRegions(plan.stages.map(\.stage))
    if stages.fixed.count == sizes.count { stages.fixed = sizes }
    plan.stages = stages.stages.map { StagePlan($0) }
    for number in plan.outputs.indices {
      guard plan.outputs[number].buffer != nil,
        let same = other.outputs.first(where: { $0.path == plan.outputs[number].path })
      else { continue }
      plan.outputs[number].buffer = same.buffer
    }
    return plan
  }
}
