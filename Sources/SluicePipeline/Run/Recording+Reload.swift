import Dispatch
import Sluice
package import SluiceReadings
@_spi(Preview) import SluiceRecording
import SluiceStages

extension Recording {
  /// What became of a plan that was read again.
  package struct Reload: Hashable, Sendable {
    /// What was taken over, each as a sentence.
    package var changed: [String] = []
    /// What stays as it is, each as a sentence with its reason.
    package var kept: [String] = []

    /// The whole of it as a sentence.
    package var text: String {
      switch (changed.count, kept.count) {
      case (0, 0): "nothing is different in the plan"
      case (0, _): "nothing of what is different in the plan can change while it runs"
      case (let count, 0): count == 1 ? "1 thing is changed" : "\(count) things are changed"
      case (let count, let kept): "\(count) of \(count + kept) things are changed"
      }
    }
  }

  /// Takes over what can change of another plan while readings pass: stages, the rotation of parts, more outputs. No reading
  /// is lost, and none is written twice. The readings that the former stages hold are written first.
  ///
  /// If anything of it is wrong, such as a new output that cannot be opened, nothing changes.
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
    // From here on nothing fails.
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

  /// The numbers of sources in a pipeline are those of the devices, of which a source of the plan may have several.
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

  /// - Returns: Whether the new stages are there. The outputs may take nothing for now, in a pause or while a disk is away.
  private func perform(_ exchange: PlanDifference.Exchange) throws(SluiceError) -> Bool {
    let done = DispatchSemaphore(value: 0)
    try pipeline.exchange(inPipeline(exchange.place), exchange.region, for: exchange.stages) { _ in done.signal() }
    return done.wait(timeout: .now() + .seconds(2)) == .success
  }

  // MARK: Outputs

  /// Outputs that are open, and not written yet.
  struct AddedOutputs {
    var outputs: [RecordingOutput] = []
    var branches: [OutputBranch] = []
    var files: OutputFiles?
    var space: FreeSpace?

    /// Opens the outputs of a plan for a recording that runs.
    init(_ plans: [OutputPlan], of recording: Recording) throws(SluiceError) {
      guard !plans.isEmpty else { return }
      let (pipeline, context) = (recording.pipeline, recording.surroundings)
      let disk = context.disk
      var prepared: [PreparedStages.OfOutputs] = []
      for (index, plan) in plans.enumerated() {
        let own = try pipeline.prepared(plan.allStages, output: pipeline.outputs.count + index)
        try pipeline.checkDemand(own.stages, of: plan.path)
        prepared.append(own)
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
      // A FIFO has a reader, or there is none: a recording that runs does not wait for one.
      let end = DispatchTime.now() + .seconds(2)
      do throws(SluiceError) {
        let continued = files.files.filter(\.isAppended) + files.newestParts
        try AppendCheck.run(
          continued, recording.streamsOfOutputs + streams, parts: Set(files.newestParts.map(\.file.path)),
          takesNames: true, isGrowing: false, warn: { pipeline.events.send(.notice($0)) })
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

  /// By output, the streams that reach it.
  private var streamsOfOutputs: [[StreamDescription]] { pipeline.outcome.streams }

  /// - Returns: Whether the outputs are there; false if the recording has ended meanwhile.
  private func begin(_ added: AddedOutputs) -> Bool {
    let outcome = pipeline.outcome
    guard var metadata = state.withLock({ $0.described }) else { return false }
    let received = pipeline.input.streams.known
    for branch in added.branches {
      metadata.streams.append(branch.streams)
      metadata.isWhole.append(RecordingMetadata.isWhole(branch.streams, received, pipeline.input.isWhole))
    }
    state.withLock { [metadata] in $0.described = metadata }
    // Before the first part of an output, whose metadata has these streams.
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
      // The sizes that the stages have got depend on the streams, which have not changed.
      state.plan = plan.sized(like: state.plan)
      state.described?.plan = state.plan
      state.described?.planChanges.append(change)
      if let count = state.described?.planChanges.count, count > RecordingMetadata.PlanChange.limit {
        state.described?.planChanges.removeFirst()
      }
    }
    writePlan()
  }
}

extension RecordingPlan {
  /// This plan with the computed sizes of the buffers of another one, whose buffers are the same.
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
