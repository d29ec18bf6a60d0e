import ArgumentParser
import Sluice
import SluiceDevices
import SluicePipeline
import SluiceReadings
import SluiceRecording

extension PauseMode: ExpressibleByArgument {}

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record from devices until stopped by Ctrl-C, or by --duration or --count.",
    discussion: """
      Examples: sluice record timer:1ms --duration 2s -o t.csv
                sluice record METER=gpio:gpiochip0:3 iio:bmi160 -o all.csv

      SIGUSR1 pauses, SIGUSR2 resumes, SIGINT, SIGTERM and SIGHUP end the recording with everything received written.
      """
  )

  @OptionGroup(title: "Sources") var sources: SourceOptions
  @OptionGroup(title: "Settings, for all sources that have them") var settings: SettingOptions

  @Option(help: ArgumentHelp("Stop after T, such as 500ms, 90s or 5m.", valueName: "T"))
  var duration: TimeSpan?

  @Option(help: ArgumentHelp("Stop after N readings.", valueName: "N"))
  var count: Int?

  @Option(help: ArgumentHelp("Stop when nothing has come for T, such as 30s.", valueName: "T"))
  var idleTimeout: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "While paused: hold readings in the buffer, or discard and count them.", valueName: "hold|discard"))
  var pauseMode: PauseMode = .hold

  @Flag(help: "Begin paused; SIGUSR2 resumes.")
  var startPaused = false

  @OptionGroup(title: "Operators") var operators: OperatorOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  @Flag(help: "Print what these arguments mean as JSON, and open nothing.")
  var printPlan = false

  func validate() throws {
    // What has no KIND may be the value of a misspelt option, which is found out after this.
    if sources.sources.allSatisfy({ $0.contains(":") }) {
      let arguments = try arguments()
      if output.raw, arguments.contains(where: { $0.settings.si ?? false }) {
        throw ValidationError("--raw writes what the device gave, and --si another unit: take one")
      }
    }
    if let count, count < 1 { throw ValidationError("--count takes 1 or more readings") }
  }

  /// What the arguments say, without I/O.
  func plan() throws -> RecordingPlan {
    var plan = RecordingPlan(
      sources: try arguments(), stages: operators.stages(isReplay: false).map { StagePlan($0) },
      outputs: output.plans)
    plan.limits = RecordingPlan.Limits(
      duration: duration, count: count, idleTimeout: idleTimeout, maxLoss: output.maxLoss)
    plan.pauseMode = pauseMode
    plan.startPaused = startPaused
    plan.notes = output.notes
    try plan.validate()
    return plan
  }

  func run() throws {
    try reportingErrors {
      guard !printPlan else { return try printOutput(plan().text + "\n") }
      let (inbox, signals) = SignalInbox.open()
      defer { signals.cancel() }
      let clock = EpochClock()
      let began = RecordingMetadata.Instant.now(clock)
      let sources = try SourceSpec.open(
        arguments(), SourceContext(roots: settings.roots, say: Console.say),
        check: inbox.check)
      if output.maxLoss != nil { try MaxLoss.check(sources) }
      let streams = sources.flatMap(\.streams)
      let outputs = try output.resolve(streams)
      let run = try Run(
        sources, operators, outputs, output, inputs: inputs(), inbox: inbox,
        command: "record", pauseMode: pauseMode, count: count, clock: clock, began: began)
      try run.session(verb: "recorded", duration: duration, idleTimeout: idleTimeout, startPaused: startPaused).run()
    }
  }

  func arguments() throws -> [SourceSpec] { try sources.arguments(settings) }

  /// The files that are polled.
  private func inputs() throws -> [FileIdentity: String] {
    var inputs: [FileIdentity: String] = [:]
    for path in try arguments().flatMap({ try $0.source.inputs(settings.roots) }) {
      if let identity = FileIdentity(path: path) { inputs[identity] = path }
    }
    return inputs
  }
}
