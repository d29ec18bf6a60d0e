import ArgumentParser
import SluicePipeline
import SluiceReadings
import SluiceRecording

extension TraceFormat.Unit: ExpressibleByArgument {}

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Send a recorded trace through the operators, by its own time: same trace, same options, same bytes.",
    discussion: "Example: sluice replay walk.csv --throttle 100ms -o slow.csv"
  )

  @Argument(
    help: ArgumentHelp(
      "A CSV file with a time column, a folder that was recorded, or - for standard input.", valueName: "TRACE"))
  var trace: String

  @Option(help: ArgumentHelp("The name of the time column.", valueName: "C"))
  var timeColumn = "time_ns"

  @Option(help: ArgumentHelp("The unit of the time column.", valueName: "s|ms|us|ns"))
  var timeUnit: TraceFormat.Unit = .nanoseconds

  @Option(help: ArgumentHelp("Times faster than recorded; max does not wait at all.", valueName: "N|max"))
  var rate: RateArgument = .unlimited

  @Option(help: ArgumentHelp("Leave out what comes earlier than T after the first reading.", valueName: "T"))
  var start: TimeSpan?

  @Option(help: ArgumentHelp("Replay only so much of the trace.", valueName: "T"))
  var duration: TimeSpan?

  @OptionGroup(title: "Operators") var operators: OperatorOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  @Flag(help: "Print what these arguments mean as JSON, and open nothing.")
  var printPlan = false

  func validate() throws {
    if operators.whenFull != nil, operators.buffer == nil {
      throw ValidationError(
        "--when-full says what a full buffer does, and a replay has none unless --buffer asks for one")
    }
  }

  /// What the arguments say, without I/O.
  func plan() throws -> RecordingPlan {
    let replay = ReplayPlan(
      trace, format: TraceFormat(timeColumn: timeColumn, timeUnit: timeUnit), rate: rate.times, start: start,
      duration: duration)
    var plan = RecordingPlan(
      replay: replay, stages: operators.stages(isReplay: true).map { StagePlan($0) }, outputs: output.plans)
    plan.limits.maxLoss = output.maxLoss
    plan.notes = output.notes
    try plan.validate()
    return plan
  }

  func run() throws {
    try reportingErrors {
      guard !printPlan else { return try printOutput(plan().text + "\n") }
      let (inbox, signals) = SignalInbox.open()
      defer { signals.cancel() }
      let reader = try TraceReader(
        path: trace, format: TraceFormat(timeColumn: timeColumn, timeUnit: timeUnit),
        warn: { [quiet = output.quiet] text in if !quiet { Console.printLine("sluice: \(text)") } },
        isInterrupted: { inbox.isStopped })
      if output.raw { try checkRaw(reader) }
      let source = Source.replay(reader, window: window, rate: rate.times)
      if output.maxLoss != nil { try MaxLoss.check([source]) }
      let outputs = try output.resolve(
        reader.isGrowing ? nil : reader.streams, traceLayout: reader.layout)
      let inputs = Dictionary(
        reader.inputs.compactMap { input in input.identity.map { ($0, input.path) } },
        uniquingKeysWith: { first, _ in first })
      let run = try Run(
        [source], operators, outputs, output, inputs: inputs, inbox: inbox,
        command: "replay", trace: source.trace)
      try run.session(verb: "replayed").run()
    }
  }

  /// Values that were written with scale and offset have lost what the device gave.
  private func checkRaw(_ reader: TraceReader) throws(SluiceError) {
    guard reader.metadata?.values != .raw else { return }
    let cause =
      switch (reader.metadata, reader.metadata?.values) {
      case (nil, _): "it has no metadata that says how its values were made"
      case (_, nil): "nothing says how its values were made, or not of all of them"
      default: "it was recorded without --raw"
      }
    throw SluiceError(.usage, "give raw values of", trace, because: cause, remedy: "leave out --raw")
  }

  /// Nil for everything, also what is earlier than the first reading.
  private var window: Range<Int64>? {
    guard start != nil || duration != nil else { return nil }
    let from = start?.nanoseconds ?? 0
    let (to, overflow) = from.addingReportingOverflow(duration?.nanoseconds ?? .max)
    return (start == nil ? .min : from)..<(overflow ? .max : to)
  }
}
