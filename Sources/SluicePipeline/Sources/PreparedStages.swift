import SluiceReadings
import SluiceStages

/// The stages of a pipeline, each for the streams that reach it.
struct PreparedStages {
  /// The sources that one source of a plan has opened, and its own stages.
  struct OfSources {
    let sources: Range<Int>
    /// The numbers of their streams.
    let streams: Range<Int>
    let stages: [any RecordingStage]
    let prepared: [PreparedStage]
  }

  /// Outputs that get the same readings, and the stages that only they have.
  struct OfOutputs {
    /// The numbers of the outputs.
    let outputs: [Int]
    let stages: [any RecordingStage]
    let prepared: [PreparedStage]
    /// The streams of the readings that reach the outputs.
    let written: InputStreams

    /// Those of the stages that make totals.
    var totals: [Total] { PreparedStages.totals(stages) }
  }

  private let stages: PipelineStages
  /// In the order of the sources, each source in one of them.
  let ofSources: [OfSources]
  /// The streams in front of the stages that all share.
  let received: InputStreams
  let shared: [PreparedStage]
  /// The streams behind the stages that all share.
  let written: InputStreams
  /// In the order of their first outputs. One, unless an output has stages of its own or a spill.
  let ofOutputs: [OfOutputs]

  /// - Parameters:
  ///   - outputs: The number of outputs.
  ///   - alone: The outputs that share no sink with others, because they have a spill.
  ///   - marks: The marks of this run; nil if there are none.
  ///   - rings: Where readings wait that do not fit into memory; nil if there is no disk for it.
  /// - Throws: If a setting does not fit the streams, or if two streams get the same name.
  init(
    _ stages: PipelineStages, for input: PipelineInput, outputs: Int, alone: Set<Int> = [], marks: MarkTimes? = nil,
    rings: RingFolder? = nil
  ) throws(SluiceError) {
    self.stages = stages
    var streams = input.streams
    if let marks, input.isLive { streams.marks = marks }
    if let rings { streams.makeStore = { rings.ring() } }
    ofSources = try Self.ofSources(stages, input.devices, streams)
    if !stages.ofSources.isEmpty {
      streams.known = ofSources.flatMap { $0.prepared.last?.streams.known ?? Array(streams.known[$0.streams]) }
      try StreamNames.check(streams.known)
    }
    received = streams
    shared = try PreparedStage.all(stages.shared, for: streams)
    if let last = shared.last?.streams { (streams.known, streams.more) = (last.known, last.more) }
    written = streams
    ofOutputs = try Self.ofOutputs(stages, outputs, alone, written)
  }

  /// By output, the streams that reach it, as far as they are known.
  var streams: [[StreamDescription]] {
    let numbers = ofOutputs.flatMap { own in own.outputs.map { ($0, own.written.known) } }
    return numbers.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Outputs without stages of their own and without a spill share one sink, and so its demand.
  private static func ofOutputs(
    _ stages: PipelineStages, _ outputs: Int, _ alone: Set<Int>, _ streams: InputStreams
  ) throws(SluiceError) -> [OfOutputs] {
    var all: [OfOutputs] = []
    let plain = (0..<outputs).filter { number in
      !alone.contains(number) && (stages.ofOutputs.isEmpty || stages.ofOutputs[number].isEmpty)
    }
    for number in 0..<outputs {
      let own = stages.ofOutputs.isEmpty ? [] : stages.ofOutputs[number]
      let isPlain = plain.contains(number)
      if isPlain, number != plain.first { continue }
      let prepared = try PreparedStage.all(own, for: streams)
      let written = prepared.last?.streams ?? streams
      if !own.isEmpty { try StreamNames.check(written.known) }
      all.append(
        OfOutputs(outputs: isPlain ? plain : [number], stages: own, prepared: prepared, written: written))
    }
    return all
  }

  /// A stage that makes totals, the stages behind it, and the names of the streams that pass both; nil for all streams.
  typealias Total = (stage: any TotalStage, following: [any RecordingStage], streams: Set<ExactName>?)

  private static func totals(
    _ stages: [any RecordingStage], _ others: [any RecordingStage] = [], _ streams: Set<ExactName>? = nil
  )
    -> [Total]
  {
    stages.indices.compactMap { number in
      stages[number].totalStage.map { ($0, Array(stages[(number + 1)...]) + others, streams) }
    }
  }

  /// The stages that make totals.
  var totals: [Total] {
    ofSources.flatMap { own in
      let names = Set((own.prepared.last?.streams.known ?? []).map { ExactName($0.name) })
      return Self.totals(own.stages, stages.shared, names)
    } + Self.totals(stages.shared) + ofOutputs.flatMap(\.totals)
  }

  private static func ofSources(
    _ stages: PipelineStages, _ sources: [Source], _ surroundings: InputStreams
  ) throws(SluiceError) -> [OfSources] {
    var all: [OfSources] = []
    var (next, first) = (0, 0)
    func add(_ range: Range<Int>, _ stages: [any RecordingStage]) throws(SluiceError) {
      let streams = sources[range].flatMap(\.streams)
      var inputs = InputStreams(streams)
      (inputs.marks, inputs.makeStore) = (surroundings.marks, surroundings.makeStore)
      all.append(
        OfSources(
          sources: range, streams: first..<(first + streams.count), stages: stages,
          prepared: try PreparedStage.all(stages, for: inputs)))
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
