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
      written; with --station FILE, SIGHUP reads the file again. A second SIGINT or SIGTERM ends it at once.
      """
  )

  // This is the order of the help. The options that nearly every recording has come first.
  @OptionGroup(title: "End") var end: EndOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Sources") var sources: SourceOptions
  @OptionGroup(title: "Settings, for all sources that have them") var settings: SettingOptions

  @Option(
    help: ArgumentHelp(
      "While paused: hold readings in the buffer, discard and count them, or write them to the spill.",
      valueName: "hold|discard|spill"))
  var pauseMode: PauseMode = .hold

  @Option(
    help: ArgumentHelp(
      "The folder for the spills, which must exist. Without it, FILE-spill is beside FILE.",
      valueName: "DIR"), completion: .directory)
  var spill: String?

  @Option(
    help: ArgumentHelp("The largest size of the spill of an output. (default: 1G)", valueName: "SIZE"))
  var spillSize: ByteSize?

  @Flag(help: "Begin paused; SIGUSR2 resumes.")
  var startPaused = false

  @Option(
    name: .selection,
    help: ArgumentHelp(
      "Only these streams or channels, of those that the sources have: NAME, or NAME.channel.", valueName: "NAME,..."))
  var select: NameList?

  @OptionGroup(title: "Operators") var operators: OperatorOptions
  @OptionGroup(title: "Stages") var stages: StageOptions

  @OptionGroup(title: "Servers") var sending: SendingOptions
  @OptionGroup(title: "Viewers") var live: LiveOptions
  @OptionGroup(title: "Viewers") var viewers: ViewerOptions
  @OptionGroup(title: "Events") var events: EventOptions
  @OptionGroup(title: "Control") var control: ControlOptions

  @OptionGroup var print: PrintOptions

  @Flag(help: "Check the plan, say what is wrong with it, and open nothing.")
  var check = false

  @Flag(
    help:
      "Say in sentences what would happen, and how long the outputs and this program may stand still until a reading is lost; open nothing."
  )
  var explain = false

  @Flag(help: "Print the JSON schema of station files, for editors.")
  var printSchema = false

  @Option(
    help: ArgumentHelp(
      "Run a plan, as --print-plan prints it; - is standard input. Takes no other options but --root, --name, --quiet, --verbose, --stats, --live, those of viewers and events, and those that print, check or explain.",
      valueName: "FILE"), completion: .file())
  var plan: String?

  @OptionGroup var station: StationOptions

  func validate() throws {
    try checkModes()
    if printSchema {
      return try checkNothingBesides("--print-schema prints the same for all recordings; leave out the rest")
    }
    if plan != nil || station.station != nil { return try checkNothingBesidesThePlan() }
    // An argument without KIND may be the value of a misspelt option, which is reported later.
    try output.check(sources: sources.sources.allSatisfy { $0.contains(":") } ? try sourcePlans() : [])
  }

  /// What is done instead of the recording.
  private func checkModes() throws {
    let modes = [
      ("--print-plan", print.printPlan), ("--print-station", print.printStation), ("--print-schema", printSchema),
      ("--check", check), ("--explain", explain),
    ].filter(\.1).map(\.0)
    if modes.count > 1 {
      throw ValidationError(
        "\(modes.joined(separator: " and ")) each take the place of the recording; give one of them")
    }
  }

  /// A plan has all options of the recording, so no other option may be given.
  private func checkNothingBesidesThePlan() throws {
    let (option, what) = station.station == nil ? ("--plan", "the plan") : ("--station", "the file")
    try checkNothingBesides("\(option) says all of the recording; change \(what), or leave it out")
    if plan != nil, station.station != nil {
      throw ValidationError("--plan and --station both say all of the recording; give one of them")
    }
  }

  private func checkNothingBesides(_ sentence: String) throws {
    let isAlone =
      sources.isEmpty && settings.settings.keys.isEmpty && operators.isEmpty && stages.isEmpty && output.isEmpty
      && select == nil && end.isEmpty && pauseMode == .hold && spill == nil
      && spillSize == nil && sending.plan == nil && !startPaused && !control.markStream
    if !isAlone { throw ValidationError(sentence) }
  }

  /// The plan of the arguments. The only I/O is to read the file of `--plan` or `--station`.
  func recordingPlan() throws -> RecordingPlan {
    if let plan { return try RecordingPlan(path: plan) }
    if let plan = try station.plan() { return plan }
    let selected: [StagePlan] = select.map { [.select($0.names)] } ?? []
    var plan = try output.plan(
      .sources(sourcePlans()), stages: operators.stages(isReplay: false, selected + stages.stages()))
    (plan.limits.duration, plan.limits.count, plan.limits.idleTimeout) = (end.duration, end.count, end.idleTimeout)
    plan.limits.maxClockError = end.maxClockError
    plan.name = control.name
    plan.pauseMode = pauseMode
    if spill != nil || spillSize != nil { plan.spill = SpillPlan(folder: spill, size: spillSize) }
    try sending.set(in: &plan)
    plan.startPaused = startPaused
    try plan.validate()
    return plan
  }

  func run() throws {
    try reportingErrors {
      if printSchema {
        let schema = StationSchema(
          describe: { OptionHelp.sentence(of: $0, RecordCommand.self) },
          describeReplay: { OptionHelp.sentence(of: $0, ReplayCommand.self) })
        return try printOutput(schema.json.lines() + "\n")
      }
      let plan = try recordingPlan()
      guard try !print.prints(plan) else { return }
      if check { return try printText(plan.checked() + "\n") }
      if explain {
        _ = try plan.checked()
        return try printText(Explanation(plan, roots: settings.roots).text)
      }
      try Session(
        plan: plan, roots: settings.roots, verbosity: output.verbosity, stats: output.stats, isLive: live.live,
        events: events, viewers: viewers, control: control, origin: origin,
        hangUp: station.station == nil ? .stop : .reload
      ).run()
    }
  }

  /// Reads the file of the plan again; nil if there is none that can be read again.
  private var origin: (@Sendable () throws(SluiceError) -> RecordingPlan)? {
    guard let plan else { return station.origin }
    guard plan != "-" else { return nil }
    return { () throws(SluiceError) in try RecordingPlan(path: plan) }
  }

  func sourcePlans() throws -> [SourcePlan] {
    try sources.plans(settings) + (control.markStream ? [SourcePlan(argument: "marks:number")] : [])
  }
}
