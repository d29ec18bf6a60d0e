public import ArgumentParser
public import SluicePipeline
import SluiceReadings
import SluiceRecording

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
      "A recording, a log of another program (CSV, JSON Lines, VCD, gpiomon, sigrok), a folder of these, or - for standard input.",
      valueName: "TRACE"))
  var trace: String

  @Option(help: ArgumentHelp("Times faster than recorded; max does not wait at all.", valueName: "N|max"))
  var rate: RateArgument = .unlimited

  @Option(
    help: ArgumentHelp(
      "With --rate: wait for a stretch without readings as if it were no longer than T, by the times of the trace. Times in the output stay as they are.",
      valueName: "T"))
  var maxGap: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "Replay the trace N times; the times of each round follow those of the round before.", valueName: "N|forever"))
  var loop = ReplayLoop.once

  @OptionGroup(title: "Input") var input: TraceOptions
  @OptionGroup(title: "Operators") var operators: OperatorOptions
  @OptionGroup(title: "Stages") var stages: StageOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  @Flag(help: "Print the plan of these arguments as JSON, and open nothing.")
  var printPlan = false

  func validate() throws {
    _ = try output.plans()
    if operators.whenFull != nil, operators.buffer == nil {
      throw ValidationError(
        "--when-full says what a full buffer does, and a replay has none unless --buffer asks for one")
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
    var replay = try input.plan([trace])
    (replay.rate, replay.maxGap, replay.loop) = (rate.times, maxGap, loop)
    var plan = RecordingPlan(
      replay: replay, stages: try operators.stages(isReplay: true, stages.stages()).map { StagePlan($0) },
      outputs: try output.plans())
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
