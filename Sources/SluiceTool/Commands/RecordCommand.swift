import ArgumentParser
@_spi(Preview) import SluicePipeline
import SluiceReadings
public import SluiceRecording

extension PauseMode: NamedChoice {}

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record from devices until stopped by Ctrl-C, or by --duration or --count.",
    discussion: """
      Examples: sluice record timer:1ms --duration 2s -o t.csv
                sluice record METER=gpio:gpiochip0:3 iio:bmi160 -o all.csv

      Keys on a terminal: space pauses and resumes, m marks this moment with a text, arrows or j and k select a stream, \
      Enter shows it as a chart, q or Ctrl-C ends. SIGUSR1 pauses, and SIGUSR2 resumes. SIGINT, SIGTERM and SIGHUP end the recording, after everything received is \
      written; with --plan FILE, SIGHUP reads the plan again. A second SIGINT or SIGTERM ends it at once.
      """
  )

  // This is the order of the help. The options that nearly every recording has come first.
  @OptionGroup(title: "End") var end: EndOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Sources") var sources: SourceOptions
  @OptionGroup(title: "Settings, for all sources that have them") var settings: SettingOptions

  @Option(
    help: ArgumentHelp(
      "While paused: hold readings in the buffer, or discard and count them.", valueName: "hold|discard"))
  var pauseMode: PauseMode = .hold

  @Flag(help: "Begin paused; SIGUSR2 resumes.")
  var startPaused = false

  @Option(
    name: .selection,
    help: ArgumentHelp(
      "Only these streams or channels, of those that the sources have: NAME, or NAME.channel.", valueName: "NAME,..."))
  var select: NameList?

  @OptionGroup(title: "Operators") var operators: OperatorOptions
  @OptionGroup(title: "Stages") var stages: StageOptions

  @OptionGroup(title: "Viewers") var live: LiveOptions
  @OptionGroup(title: "Viewers") var viewers: ViewerOptions
  @OptionGroup(title: "Control") var control: ControlOptions

  @Flag(help: "Print the plan of these arguments as JSON, and open nothing.")
  var printPlan = false

  @Option(
    help: ArgumentHelp(
      "Run a plan, as --print-plan prints it; - is standard input. Takes no other options but --root, --name, --quiet, --verbose, --stats, --live and --print-plan.",
      valueName: "FILE"), completion: .file())
  var plan: String?

  func validate() throws {
    guard plan == nil else { return try checkNothingBesidesThePlan() }
    // An argument without KIND may be the value of a misspelt option, which is reported later.
    try output.check(sources: sources.sources.allSatisfy { $0.contains(":") } ? try sourcePlans() : [])
  }

  /// A plan has all options of the recording, so no other option may be given.
  private func checkNothingBesidesThePlan() throws {
    let isAlone =
      sources.isEmpty && settings.settings.keys.isEmpty && operators.isEmpty && stages.isEmpty && output.isEmpty
      && select == nil && end.isEmpty && pauseMode == .hold && !startPaused && !control.markStream
    if !isAlone {
      throw ValidationError("--plan says all of the recording; change the plan, or leave it out")
    }
  }

  /// The plan of the arguments. The only I/O is to read the file of `--plan`.
  func recordingPlan() throws -> RecordingPlan {
    if let plan { return try RecordingPlan(path: plan) }
    let selected: [StagePlan] = select.map { [.select($0.names)] } ?? []
    var plan = try output.plan(
      .sources(sourcePlans()), stages: operators.stages(isReplay: false, selected + stages.stages()))
    (plan.limits.duration, plan.limits.count, plan.limits.idleTimeout) = (end.duration, end.count, end.idleTimeout)
    plan.limits.maxClockError = end.maxClockError
    plan.pauseMode = pauseMode
    plan.startPaused = startPaused
    try plan.validate()
    return plan
  }

  func run() throws {
    try reportingErrors {
      let plan = try recordingPlan()
      guard !printPlan else { return try printOutput(plan.text + "\n") }
      try Session(
        plan: plan, roots: settings.roots, verbosity: output.verbosity, stats: output.stats, isLive: live.live,
        viewers: viewers, control: control, origin: self.plan.flatMap(Self.origin)
      ).run()
    }
  }

  /// Reads the plan of a file again; nil for standard input, which has been read.
  private static func origin(_ path: String) -> (@Sendable () throws(SluiceError) -> RecordingPlan)? {
    guard path != "-" else { return nil }
    return { () throws(SluiceError) in try RecordingPlan(path: path) }
  }

  func sourcePlans() throws -> [SourcePlan] {
    try sources.plans(settings) + (control.markStream ? [SourcePlan(argument: "marks:number")] : [])
  }
}
