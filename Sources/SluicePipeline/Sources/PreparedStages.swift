import SluiceReadings
import SluiceStages

/// The stages of a pipeline, each for the streams that reach it.
struct PreparedStages {
  /// The sources that one source of a plan has opened, and its own stages.
  struct OfSources {
    let sources: Range<Int>
    /// The numbers of their streams.
    let streams: Range<Int>
    let stages: [any PipelineStage]
    let prepared: [PreparedStage]
  }

  private let stages: PipelineStages
  /// In the order of the sources, each source in one of them.
  let ofSources: [OfSources]
  let shared: [PreparedStage]
  /// The streams of the readings that reach the outputs.
  let written: InputStreams

  /// - Throws: If a setting does not fit the streams, or if two streams get the same name.
  init(_ stages: PipelineStages, for input: PipelineInput) throws(SluiceError) {
    self.stages = stages
    var streams = input.streams
    ofSources = try Self.ofSources(stages, input.devices)
    if !stages.ofSources.isEmpty {
      streams.known = ofSources.flatMap { $0.prepared.last?.streams.known ?? Array(streams.known[$0.streams]) }
      try StreamNames.check(streams.known)
    }
    shared = try PreparedStage.all(stages.shared, for: streams)
    written = shared.last?.streams ?? streams
  }

  /// The stages that make totals, each with the stages behind it, and the names of the streams that pass both; nil for
  /// all streams.
  var totals: [(stage: any TotalStage, following: [any PipelineStage], streams: Set<ExactName>?)] {
    func totals(_ stages: [any PipelineStage]) -> [(stage: any TotalStage, following: ArraySlice<any PipelineStage>)] {
      stages.indices.compactMap { number in stages[number].totalStage.map { ($0, stages[(number + 1)...]) } }
    }
    return ofSources.flatMap { own in
      let names = Set((own.prepared.last?.streams.known ?? []).map { ExactName($0.name) })
      return totals(own.stages).map { ($0.stage, Array($0.following) + stages.shared, names) }
    } + totals(stages.shared).map { ($0.stage, Array($0.following), nil) }
  }

  private static func ofSources(
    _ stages: PipelineStages, _ sources: [Source]
  ) throws(SluiceError) -> [OfSources] {
    var all: [OfSources] = []
    var (next, first) = (0, 0)
    func add(_ range: Range<Int>, _ stages: [any PipelineStage]) throws(SluiceError) {
      let streams = sources[range].flatMap(\.streams)
      all.append(
        OfSources(
          sources: range, streams: first..<(first + streams.count), stages: stages,
          prepared: try PreparedStage.all(stages, for: InputStreams(streams))))
      (next, first) = (range.upperBound, first + streams.count)
    }
    for own in stages.ofSources {
      while next < own.sources.lowerBound { try add(next..<(next + 1), []) }
      try add(own.sources, own.stages)
    }
    while next < sources.count { try add(next..<(next + 1), []) }
    return all
  }
}
