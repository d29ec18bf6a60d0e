import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The opened input of a ``Recording``, and the files that it reads.
struct RecordingInput {
  let input: PipelineInput
  /// By source of the plan, the numbers of the sources that it has opened; empty for a trace.
  let sources: [Range<Int>]
  /// The streams whose readings are events, by number, so that their silence says nothing.
  let eventStreams: Set<Int>
  /// The CSV layout of the trace.
  let traceLayout: CSVLayout?
  /// The identities and the paths of the files that are read. None of them is written.
  let files: [FileIdentity: String]

  init(_ plan: RecordingPlan, _ context: RecordingContext) throws(SluiceError) {
    switch plan.input {
    case .sources(let sources): try self.init(sources.map(\.spec), context)
    case .trace where !context.sources.isEmpty:
      throw SluiceError(
        .usage, "read", "a source beside a trace", because: "the times of a trace are not those of a clock",
        remedy: "record the source, and replay the recordings together")
    case .trace(let replay): try self.init(replay, isRaw: plan.outputs.contains(where: \.raw), context)
    }
  }

  private init(_ specs: [SourceSpec], _ context: RecordingContext) throws(SluiceError) {
    var surroundings = SourceContext(roots: context.roots) { [events = context.events] in events.send($0) }
    surroundings.isInterrupted = context.isInterrupted
    surroundings.events = context.events
    let opened = try SourceSpec.open(specs, surroundings, besides: context.sources, check: context.check)
    input = .devices(opened.flatMap { $0 })
    var sources: [Range<Int>] = []
    for own in opened {
      let first = sources.last?.upperBound ?? 0
      sources.append(first..<(first + own.count))
    }
    self.sources = sources
    var (eventStreams, first) = (Set<Int>(), 0)
    for (spec, own) in zip(specs, opened) {
      let count = own.reduce(0) { $0 + $1.streams.count }
      if spec.kind.isOfEvents { eventStreams.formUnion(first..<(first + count)) }
      first += count
    }
    self.eventStreams = eventStreams
    traceLayout = nil
    var files: [FileIdentity: String] = [:]
    for spec in specs {
      for path in try spec.source.inputs(context.roots) {
        if let identity = FileIdentity(path: path) { files[identity] = path }
      }
    }
    self.files = files
  }

  private init(_ plan: ReplayPlan, isRaw: Bool, _ context: RecordingContext) throws(SluiceError) {
    let changes = plan.changes
    let reader = try plan.reader(
      changes, warn: { [events = context.events] in events.send(.notice($0)) }, isInterrupted: context.isInterrupted)
    if isRaw { try Self.checkRaw(reader) }
    let pace = plan.rate.map { Pace(rate: $0, maxGap: plan.maxGap?.nanoseconds, clock: context.paceClock) }
    var replay = try Replay(reader, window: plan.window, changes, pace: pace, isInterrupted: context.isInterrupted)
    if let window = plan.reorder {
      replay.reorder = { ReorderAccount(window: window.nanoseconds, changes.reorderCounts) }
    }
    // The recorded end does not fit corrected times, a window or a loop.
    if plan.times == .recorded, plan.window == nil, plan.loop == .once {
      replay.ended = reader.metadata?.runs.last?.clocks.flatMap { $0.offset == nil ? nil : $0.ended }
    }
    (input, sources, eventStreams) = (.trace(replay), [], [])
    traceLayout = reader.layout
    files = Dictionary(
      reader.inputs.compactMap { input in input.identity.map { ($0, input.path) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Values that were written with scale and offset cannot become raw again.
  private static func checkRaw(_ reader: TraceReader) throws(SluiceError) {
    guard reader.metadata?.values != .raw else { return }
    let cause =
      switch (reader.metadata, reader.metadata?.values) {
      case (nil, _): "it has no metadata that says how its values were made"
      case (_, nil): "nothing says how its values were made, or not of all of them"
      default: "it was recorded without --raw"
      }
    throw SluiceError(.usage, "give raw values of", reader.path, because: cause, remedy: "leave out --raw")
  }

  /// The stages of a plan for these sources.
  func stages(_ plan: RecordingPlan) -> PipelineStages {
    PipelineStages(
      plan.stages.map(\.stage),
      ofSources: zip(sources, plan.sources).map { PipelineStages.OfSources($0, $1.stages.map(\.stage)) },
      ofOutputs: plan.outputs.map(\.allStages))
  }
}
