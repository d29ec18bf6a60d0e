import SluiceArguments
package import SluicePipeline
import SluiceReadings
import SluiceRecording

extension ReplayLoop: ArgumentValue {
  /// The command itself refuses 0 rounds or less, because its message can say why.
  package init?(argument: String) {
    if let count = Int(argument) { self = .rounds(count) } else { self.init(argument) }
  }
}

struct ReplayCommand: ArgumentCommand {
  static let firstOptions: [String]? = ["output", "rate", "from", "to", "duration", "select"]

  static let name = "replay"
  static let summary = "Send a recorded trace through the operators, by the times in the trace."
  static let discussion = """
    Examples: sluice replay walk.csv --throttle 100ms -o slow.csv
              sluice replay walk.csv --rate 1 --max-gap 5s --loop forever -o -

    Keys, if --rate is given and standard input is a terminal: space pauses and resumes, right arrow gives one reading \
    while paused, arrows or j and k select a stream, Enter shows it as a chart, q or Ctrl-C ends. SIGUSR1 pauses, SIGUSR2 resumes.
    """

  var trace = ""
  var rate: RateArgument = .unlimited
  var maxGap: TimeSpan?
  var loop = ReplayLoop.once
  var input = TraceOptions()
  var operators = OperatorOptions()
  var stages = StageOptions()
  var output = OutputOptions()
  var sending = SendingOptions()
  var viewers = ViewerOptions()
  var print = PrintOptions()

  static var rows: [ArgumentRow<Self>] {
    [
      .argument(
        "TRACE",
        "A recording, a log of another program (CSV, JSON Lines, VCD, gpiomon, candump, sigrok), a folder of these, or - for standard input.",
        \.trace, completion: .file),
      .option(
        "rate", "N|max",
        "Replay N times as fast as recorded: 1 is the recorded speed, max does not wait. (default: max)", \.rate),
      .option(
        "max-gap", "T",
        "With --rate: wait no longer than T between two readings, such as 5s. T is a time of the trace; times in the output do not change.",
        \.maxGap),
      .option(
        "loop", "N|forever",
        "Replay the trace N times, or until it is stopped. The times of each round continue after the previous round. (default: 1)",
        \.loop),
      .group("Input, how a trace is read", \.input),
      .group("Operators, which pass fewer readings, and a buffer", \.operators),
      .group("Stages, which compute results from readings", \.stages),
      .group("Output, formats and files", \.output),
      .group("Servers, to which readings are sent", \.sending),
      .group("Viewers, in the terminal and in browsers", \.viewers),
      .group("Plans, which are files for a recording", \.print),
    ]
  }

  func validate() throws {
    try output.check()
    if let sentence = StageText.fault(behindTrace: trace) { throw ArgumentFault(sentence) }
    if trace.isEmpty { throw ArgumentFault("replay takes a file, a folder, or - for standard input") }
    if operators.whenFull != nil, operators.buffer == nil {
      throw ArgumentFault(
        "--when-full says what a full buffer does, and a replay has none unless --buffer asks for one")
    }
    if let times = rate.times, !(times > 0 && times.isFinite) {
      throw ArgumentFault(
        "--rate takes a number above 0, because each wait is divided by it; give max to wait for nothing")
    }
    if case .rounds(let count) = loop, count < 1 {
      throw ArgumentFault("--loop \(count) would replay nothing; give a number of rounds above 0, or forever")
    }
    #if SLUICE_HTTP
      if viewers.http != nil, rate == .unlimited {
        throw ArgumentFault("--http shows a replay that takes its time; give --rate too, such as --rate 1")
      }
    #endif
    if maxGap != nil, rate == .unlimited {
      throw ArgumentFault(
        "--max-gap shortens the waits of --rate; give --rate too, such as --rate 1")
    }
    if loop != .once, trace == "-" {
      throw ArgumentFault(
        "--loop reads the trace several times, but standard input can be read only once; write it to a file first")
    }
  }

  /// The plan of the arguments, without I/O.
  func recordingPlan() throws -> RecordingPlan {
    var replay = try input.plan([trace])
    (replay.rate, replay.maxGap, replay.loop) = (rate.times, maxGap, loop)
    var plan = try output.plan(.trace(replay), stages: operators.stages(isReplay: true, stages.stages()))
    try sending.set(in: &plan)
    try plan.validate()
    return plan
  }

  func run() throws {
    try reportingErrors {
      let plan = try recordingPlan()
      if let form = print.form { return try form.print(plan) }
      try Session(
        plan: plan, verbosity: output.verbosity, stats: output.stats ?? .text, isLive: viewers.live, viewers: viewers
      )
      .run()
    }
  }
}
