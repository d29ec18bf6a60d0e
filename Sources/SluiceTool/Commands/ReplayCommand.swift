import SluiceArguments
import SluiceDevices
import SluicePipeline
import SluiceReadings

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
  var input = TraceOptions()
  var operators = OperatorOptions()
  var stages = StageOptions()
  var output = OutputOptions()
  var waiting = WaitOptions()
  var viewers = ViewerOptions()
  var view: PlanView?
  private var given: Set<String> = []

  mutating func take(given: Set<String>) { self.given = given }

  static var rows: [ArgumentRow<Self>] {
    [
      .argument(
        "TRACE",
        "A recording, a log of another program (CSV, JSON Lines, VCD, gpiomon, candump, sigrok), a folder of these, or - for standard input.",
        \.trace, completion: .file),
      .setting("rate", of: ReplayPlan.settings, \.input.plan),
      .setting("max-gap", of: ReplayPlan.settings, \.input.plan),
      .setting("loop", of: ReplayPlan.settings, \.input.plan),
      .group("Input, how a trace is read", \.input),
      .group("Operators, which pass fewer readings, and a buffer", \.operators),
      .group("Stages, which compute results from readings", \.stages),
      .group("Output, formats and files", \.output),
      .group("Servers, and what waits on the disk", \.waiting),
      .group("Viewers, in the terminal and in browsers", \.viewers),
    ] + .views([.json, .station], \.view)
  }

  func validate() throws {
    try output.check()
    if let sentence = StageText.fault(behindTrace: trace) { throw Fault(sentence) }
    if trace.isEmpty { throw Fault("replay takes a file, a folder, or - for standard input") }
    if given.contains("when-full"), operators.buffer.size == nil {
      throw Fault("--when-full says what a full buffer does, and a replay has none unless --buffer asks for one")
    }
    #if SLUICE_HTTP
      if viewers.http != nil, input.plan.rate == nil {
        throw Fault("--http shows a replay that takes its time; give --rate too, such as --rate 1")
      }
    #endif
    _ = try input.plan([trace])
  }

  /// The plan of the arguments, without I/O.
  func recordingPlan() throws -> RecordingPlan {
    var plan = try output.plan(.trace(input.plan([trace])), stages: operators.stages(isReplay: true, stages.stages()))
    try waiting.set(in: &plan, hasPolicy: true)
    return plan
  }

  func run() throws {
    try reportingErrors {
      let plan = try recordingPlan()
      if let view { return try view.show(plan, DeviceRoots(), title: "the arguments are") }
      try Session(
        plan: plan, verbosity: output.verbosity, stats: output.stats ?? .text, isLive: viewers.live, viewers: viewers
      )
      .run()
    }
  }
}
