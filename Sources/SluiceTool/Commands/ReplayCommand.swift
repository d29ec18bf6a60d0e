public import ArgumentParser
import SluicePipeline
import SluiceReadings
public import SluiceRecording

extension TraceFormat.Unit: ExpressibleByArgument {}
extension TraceTimes: ExpressibleByArgument {}

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Send a recorded trace through the operators, by its own time: same trace, same options, same bytes.",
    discussion: "Example: sluice replay walk.csv --throttle 100ms -o slow.csv"
  )

  @Argument(
    help: ArgumentHelp(
      "A recording, a CSV file with a time column, a VCD file, a folder of these, or - for standard input.",
      valueName: "TRACE"))
  var trace: String

  @Option(
    help: ArgumentHelp(
      "The time column, by its name or its number from 1; by default it is found by its name.", valueName: "C"))
  var timeColumn: String?

  @Option(
    help: ArgumentHelp(
      "The unit of the time column; iso is text such as 2024-03-01T12:00:00Z. By default it is found.",
      valueName: "s|ms|us|ns|iso"))
  var timeUnit: TraceFormat.Unit?

  @Option(
    help: ArgumentHelp(
      "Read only these columns of a CSV file, in this order: names, or numbers from 1.", valueName: "C,..."))
  var columns: ColumnList?

  @Flag(help: "Leave out and count rows that cannot be read; without it the first ends the replay.")
  var skipBad = false

  @Option(
    help: ArgumentHelp(
      "Times as they were recorded, or corrected by what the metadata knows of the clock.",
      valueName: "recorded|corrected"))
  var times: TraceTimes = .recorded

  @Option(help: ArgumentHelp("Times faster than recorded; max does not wait at all.", valueName: "N|max"))
  var rate: RateArgument = .unlimited

  @Option(help: ArgumentHelp("Leave out what comes earlier than T after the first reading.", valueName: "T"))
  var start: TimeSpan?

  @Option(help: ArgumentHelp("Replay only so much of the trace.", valueName: "T"))
  var duration: TimeSpan?

  @OptionGroup(title: "Operators") var operators: OperatorOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  @Flag(help: "Print the plan of these arguments as JSON, and open nothing.")
  var printPlan = false

  func validate() throws {
    _ = try output.plans()
    if operators.whenFull != nil, operators.buffer == nil {
      throw ValidationError(
        "--when-full says what a full buffer does, and a replay has none unless --buffer asks for one")
    }
  }

  /// The plan of the arguments, without I/O.
  func recordingPlan() throws -> RecordingPlan {
    let format = TraceFormat(timeColumn: timeColumn, timeUnit: timeUnit, columns: columns?.columns ?? [])
    var replay = ReplayPlan(
      trace, format: format, times: times, rate: rate.times,
      start: start, duration: duration)
    replay.skipsBad = skipBad
    var plan = RecordingPlan(
      replay: replay, stages: operators.stages(isReplay: true).map { StagePlan($0) }, outputs: try output.plans())
    plan.limits = output.limits
    plan.sync = output.sync
    plan.notes = output.notes
    try plan.validate()
    return plan
  }

  func run() throws {
    try reportingErrors {
      let plan = try recordingPlan()
      guard !printPlan else { return try printOutput(plan.text + "\n") }
      try Session(plan: plan, quiet: output.quiet, stats: output.stats).run()
    }
  }
}
