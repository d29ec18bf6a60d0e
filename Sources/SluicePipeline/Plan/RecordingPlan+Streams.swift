import Sluice
import SluiceDevices
import SluiceReadings

/// The streams of a plan before anything is opened, and its stages for them.
extension RecordingPlan {
  /// For each source, what it would open, with the names that the plan gives.
  /// - Parameter streams: For each source, its streams.
  func namedSources(_ streams: [[StreamDescription]]) throws(SluiceError) -> [[Source]] {
    try SourceSpec.named(
      zip(streams, sources).map { streams, source in
        (streams.map { Source(streams: [$0], publisher: { _, _ in Empty().eraseToAnyPublisher() }) }, source.spec.name)
      })
  }

  /// The stages for these sources, as a recording prepares them.
  func prepared(for named: [[Source]]) throws(SluiceError) -> PreparedStages {
    var ranges: [Range<Int>] = []
    for own in named {
      let first = ranges.last?.upperBound ?? 0
      ranges.append(first..<(first + own.count))
    }
    let stages = PipelineStages(
      stages.map(\.stage), ofSources: zip(ranges, sources).map { .init($0, $1.stages.map(\.stage)) },
      ofOutputs: outputs.map(\.allStages))
    return try PreparedStages(stages, for: .devices(named.flatMap { $0 }), outputs: outputs.count)
  }

  /// For each source, the streams that it will have on every machine; nil if they are known only when it is open.
  private var certainStreams: [[StreamDescription]?] {
    // The devices of this machine do not count, because the plan may be for another machine.
    let nowhere = DeviceRoots(root: "/nonexistent")
    return sources.map { source in
      let forecast = source.spec.source.forecast(source.spec.settings, nowhere)
      switch forecast.certainty {
      case .never: return nil
      case .named: return source.spec.name == nil ? nil : forecast.streams
      case .always: return forecast.streams
      }
    }
  }

  /// The first stage that does not fit the streams before it, and the reason. Streams that are known only when their
  /// source is open fit every stage.
  var misfit: (place: [PlanKey], error: SluiceError)? {
    let certain = certainStreams
    let known = certain.indices.filter { certain[$0] != nil }
    guard !known.isEmpty, let named = try? bare(known).namedSources(known.compactMap { certain[$0] }) else {
      return nil
    }
    var additions: [(place: [PlanKey], add: (inout RecordingPlan) -> Void)] = []
    for (place, number) in known.enumerated() {
      for (index, stage) in sources[number].stages.enumerated() {
        additions.append(
          (
            ["sources", PlanKey(number), "stages", PlanKey(index)],
            { plan in
              var sources = plan.sources
              sources[place].stages.append(stage)
              plan.input = .sources(sources)
            }
          ))
      }
    }
    if known.count == sources.count {
      for (index, stage) in stages.enumerated() {
        additions.append((["stages", PlanKey(index)], { $0.stages.append(stage) }))
      }
      for (number, output) in outputs.enumerated() {
        for (index, stage) in output.stages.enumerated() {
          additions.append(
            (
              ["outputs", PlanKey(number), "stages", PlanKey(index)],
              { $0.outputs[number].stages.append(stage) }
            ))
        }
      }
    }
    var plan = bare(known)
    guard (try? plan.prepared(for: named)) != nil else { return nil }
    for addition in additions {
      addition.add(&plan)
      do throws(SluiceError) { _ = try plan.prepared(for: named) } catch { return (addition.place, error) }
    }
    return nil
  }

  /// The plan without stages.
  /// - Parameter known: The numbers of the sources that stay.
  private func bare(_ known: [Int]) -> RecordingPlan {
    var plan = self
    plan.input = .sources(
      known.map { number in
        var source = sources[number]
        source.stages = []
        return source
      })
    plan.stages = []
    for output in plan.outputs.indices { plan.outputs[output].stages = [] }
    return plan
  }

  /// A sentence for each source whose streams must be compared with the stages, and are known only when the source is
  /// open.
  package var unknownSources: [String] {
    let hasShared = (stages + outputs.flatMap(\.stages)).contains { !($0.stage is BufferStage) }
    return zip(sources, certainStreams).compactMap { source, streams in
      guard streams == nil, hasShared || !source.stages.isEmpty else { return nil }
      let name = source.spec.name ?? "\(source.spec.kind.name):\(source.spec.what)"
      return "\(name): its channels are known only when it is open"
    }
  }
}
