import SluiceArguments
import SluicePipeline
import SluiceReadings
import SluiceRecording

struct RecordCommand: ArgumentCommand {
  static let firstOptions: [String]? = ["output", "duration", "count", "append", "throttle"] + PlanOptions.first

  static let name = "record"
  static let summary = "Record from devices until stopped by Ctrl-C, or by --duration or --count."
  static let discussion = """
    Examples: sluice record timer:1ms --duration 2s -o t.csv
              sluice record METER=gpio:gpiochip0:3 iio:bmi160 -o all.csv
              sluice record iio:bmi160 --throttle 1s -o slow.csv

    Keys on a terminal: space pauses and resumes, m marks this moment with a text, arrows or j and k select a stream, \
    Enter shows it as a chart, q or Ctrl-C ends. SIGUSR1 pauses, and SIGUSR2 resumes. SIGINT, SIGTERM and SIGHUP end the recording, after everything received is \
    written; with --station FILE, SIGHUP reads the file again. A second SIGINT or SIGTERM ends it at once.
    """

  // This is the order of the help. The options that nearly every recording has come first.
  var sources = SourceOptions()
  var output = OutputOptions()
  var settings = SettingOptions()
  var select: NameList?
  var operators = OperatorOptions()
  var stages = StageOptions()
  var waiting = WaitOptions()
  var viewers = ViewerOptions()
  var control = ControlOptions()
  var plans = PlanOptions()
  var view: PlanView?
  private var isSchema = false
  private var given: Set<String> = []

  mutating func take(given: Set<String>) { self.given = given }

  static var rows: [ArgumentRow<Self>] {
    [
      .rows(of: \.sources),
      .group("Output, formats and files", \.output),
      .group(
        "End, when the recording stops",
        rows: [
          .setting("duration", of: RecordingPlan.Limits.settings, \.output.plan.limits),
          .setting("count", of: RecordingPlan.Limits.settings, \.output.plan.limits)
            .named("-s", "--samples", in: "iio_readdev"),
          .setting("idle-timeout", of: RecordingPlan.Limits.settings, \.output.plan.limits)
            .named("-T", "--timeout", in: "iio_readdev"),
          .setting("max-clock-error", of: RecordingPlan.Limits.settings, \.output.plan.limits),
        ]),
      .group(
        "Keys, behind sources that have them",
        rows: [
          .rows(of: \.settings),
          .option(
            "select", "NAME,...",
            "Take only these of what the sources have: STREAM, STREAM.channel, or channel for this channel of all streams.",
            \.select
          )
          .earlier("channels"),
        ]),
      .group(
        "Pauses, what becomes of readings",
        rows: .settings("pause-mode", "start-paused", of: RecordingPlan.settings, \.output.plan)
      ),
      .group("Operators, which pass fewer readings, and a buffer", \.operators),
      .group("Stages, which compute results from readings", \.stages),
      .group("Servers, and what waits on the disk", \.waiting),
      .group("Viewers, in the terminal and in browsers", \.viewers),
      .group("Control, events and health, with other programs", \.control),
      .group("Plans, which are files for a recording", \.plans),
      .flag("print-schema", "Print the JSON schema of station files.", \.isSchema).written { _ in "sluice plan schema"
      },
    ] + .views(PlanView.allCases, \.view)
  }

  func validate() throws {
    if isSchema {
      return try checkNothingBesides("--print-schema prints the same for all recordings; leave out the rest")
    }
    if plans.plan != nil || plans.station != nil { return try checkNothingBesidesThePlan() }
    // A station file or a plan is not a source.
    for (option, endings) in [("--station", [".yaml", ".yml"]), ("--plan", [".json"])] {
      if let file = sources.sources.first(where: { source in endings.contains { source.hasSuffix($0) } }),
        !file.contains(":")
      {
        throw Fault("\(file) is a file that describes a whole recording: give it with \(option) \(file)")
      }
    }
    // An argument without KIND may be the value of a misspelt option, which is reported later.
    try output.check(sources: sources.sources.allSatisfy { $0.contains(":") } ? try sourcePlans() : [])
  }

  /// A plan has all options of the recording, so only the limits of this run may be given besides.
  private func checkNothingBesidesThePlan() throws {
    let (option, file) = plans.station == nil ? ("--plan", "the plan") : ("--station", "the file")
    try checkNothingBesides(
      "\(option) describes the whole recording, and only --duration and --count may limit this run; "
        + "write other settings into \(file), or leave out \(option)", ["duration", "count"])
    if plans.plan != nil, plans.station != nil {
      throw Fault("--plan and --station both describe the whole recording; give one of them")
    }
  }

  /// - Parameter allowed: The options that say nothing of the recording itself.
  private func checkNothingBesides(_ sentence: String, _ allowed: Set<String> = []) throws {
    if !given.isSubset(of: allowed.union(Self.besides)) { throw Fault(sentence) }
  }

  /// What is said of one run, and not of the recording.
  private static let besides = Set<String>([
    "root", "name", "quiet", "verbose", "stats", "live", "http", "http-token", "http-origin", "http-control",
    "on-event", "events", "on-event-limit", "textfile", "plan", "station", "print-schema",
  ]).union(PlanView.allCases.map(\.option))

  /// The plan of the arguments. The only I/O is to read the file of `--plan` or `--station`.
  func recordingPlan() throws -> RecordingPlan {
    if let plan = try plans.recordingPlan() { return try RunLimits(output.plan.limits).limited(plan) }
    let selected: [StagePlan] = select.map { [.select($0.names)] } ?? []
    var plan = try output.plan(
      .sources(sourcePlans()), stages: try operators.stages(isReplay: false, selected + stages.stages()))
    plan.name = control.name
    try waiting.set(in: &plan, hasPolicy: given.contains("when-full"))
    try plan.checkRules()
    return plan
  }

  func run() throws {
    try reportingErrors {
      if isSchema { return try printOutput(StationSchema().json.lines() + "\n") }
      let plan = try recordingPlan()
      if let view { return try view.show(plan, settings.roots, title: plans.title) }
      try Session(
        plan: plan, roots: settings.roots, verbosity: output.verbosity, stats: output.stats ?? .text,
        isLive: viewers.live, viewers: viewers, control: control, origin: origin,
        hangUp: plans.station == nil ? .stop : .reload
      ).run()
    }
  }

  /// Reads the plan or the station file again, with the limits of this run; nil if it cannot be read twice.
  private var origin: (@Sendable () throws(SluiceError) -> RecordingPlan)? {
    guard let read = plans.origin else { return nil }
    let limits = RunLimits(output.plan.limits)
    return { () throws(SluiceError) in try limits.limited(read()) }
  }

  func sourcePlans() throws -> [SourcePlan] {
    try sources.plans(settings) + (control.markStream ? [SourcePlan(argument: "marks:number")] : [])
  }
}
