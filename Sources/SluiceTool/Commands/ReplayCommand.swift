public import ArgumentParser
public import SluicePipeline
import SluiceReadings
public import SluiceRecording

extension TraceFormat.Unit: ExpressibleByArgument {}
extension TraceTimes: ExpressibleByArgument {}
extension ReplayLoop: ExpressibleByArgument {
  /// Parses an argument.
  public init?(argument: String) { self.init(argument) }
}

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Send a recorded trace through the operators, by its own time: same trace, same options, same bytes.",
    discussion: """
      Examples: sluice replay walk.csv --throttle 100ms -o slow.csv
                sluice replay walk.csv --rate 1 --max-gap 5s --loop forever -o -

      Keys, with --rate and if standard input is a terminal: space pauses and goes on, right arrow gives one reading \
      while paused, q or Ctrl-C ends. SIGUSR1 pauses, SIGUSR2 goes on.
      """
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
      "The file is a dump of an IIO buffer: its channels in the order of their indices, each as NAME=TYPE [+OFFSET] [*SCALE] [UNIT], such as 'accel_x=le:s12/16>>4 *0.0005 m/s^2, timestamp=le:s64/64>>0'.",
      valueName: "CHANNEL,..."))
  var scanLayout: String?

  @Option(
    help: ArgumentHelp("With --scan-layout without a timestamp: how many scans there are per second.", valueName: "HZ"))
  var sampleRate: String?

  @Option(
    help: ArgumentHelp(
      "Times as they were recorded, or corrected by what the metadata knows of the clock.",
      valueName: "recorded|corrected"))
  var times: TraceTimes = .recorded

  @Option(help: ArgumentHelp("Times faster than recorded; max does not wait at all.", valueName: "N|max"))
  var rate: RateArgument = .unlimited

  @Option(
    help: ArgumentHelp(
      "With --rate: wait for a stretch without readings as if it were no longer than T, by the times of the trace. Times in the output stay as they are.",
      valueName: "T"))
  var maxGap: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "Put readings into the order of their times that are out of order by no more than T; others are late.",
      valueName: "T"))
  var reorder: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "Replay the trace N times; the times of each round follow those of the round before.", valueName: "N|forever"))
  var loop = ReplayLoop.once

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
    if sampleRate != nil, scanLayout == nil {
      throw ValidationError("--sample-rate gives times to a dump of an IIO buffer; give --scan-layout too")
    }
    if maxGap != nil, rate == .unlimited {
      throw ValidationError(
        "--max-gap shortens what a replay waits for, and without --rate it does not wait; give both")
    }
    if loop != .once, trace == "-" {
      throw ValidationError(
        "--loop reads the trace again, and standard input can be read only once; write it to a file first")
    }
  }

  /// The plan of the arguments, without I/O.
  func recordingPlan() throws -> RecordingPlan {
    let format = TraceFormat(timeColumn: timeColumn, timeUnit: timeUnit, columns: columns?.columns ?? [])
    var replay = ReplayPlan(trace, format: format, times: times, rate: rate.times, start: start, duration: duration)
    replay.scans = try scanLayout.map { layout throws(SluiceError) in try RawScans(layout, sampleRate: sampleRate) }
    (replay.skipsBad, replay.maxGap, replay.reorder, replay.loop) = (skipBad, maxGap, reorder, loop)
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
