import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The opened sources of a ``Recording``: devices, or a trace.
struct RecordingInput {
  let sources: [Source]
  /// The CSV layout of the trace.
  let traceLayout: CSVLayout?
  /// The identities and the paths of the files that are read. None of them is written.
  let files: [FileIdentity: String]

  init(_ plan: RecordingPlan, _ context: RecordingContext) throws(SluiceError) {
    if let replay = plan.replay {
      try self.init(replay, isRaw: plan.outputs.contains(where: \.raw), context)
    } else {
      try self.init(plan.sources, context)
    }
  }

  private init(_ specs: [SourceSpec], _ context: RecordingContext) throws(SluiceError) {
    sources = try SourceSpec.open(
      specs, SourceContext(roots: context.roots, say: context.say), check: context.check)
    traceLayout = nil
    var files: [FileIdentity: String] = [:]
    for spec in specs {
      for path in try spec.source.inputs(context.roots) {
        if let identity = FileIdentity(path: path) { files[identity] = path }
      }
    }
    self.files = files
  }

  private init(_ replay: ReplayPlan, isRaw: Bool, _ context: RecordingContext) throws(SluiceError) {
    let changes = replay.changes
    let reader = try replay.reader(changes, warn: context.note, isInterrupted: context.isInterrupted)
    if isRaw { try Self.checkRaw(reader) }
    let pace = replay.rate.map { Pace(rate: $0, maxGap: replay.maxGap?.nanoseconds, clock: context.paceClock) }
    var source = try Source.replay(
      reader, window: replay.window, changes, pace: pace, isInterrupted: context.isInterrupted)
    if let window = replay.reorder {
      source.reorder = { ReorderAccount(window: window.nanoseconds, changes.reorderCounts) }
    }
    // The recorded end does not fit corrected times, a window or a loop.
    if replay.times == .recorded, replay.window == nil, replay.loop == .once {
      source.ended = reader.metadata?.runs.last?.clocks.flatMap { $0.offset == nil ? nil : $0.ended }
    }
    sources = [source]
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
}
