import ArgumentParser
import SluicePipeline

struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write traces in other formats: one trace, or several that are merged by time.",
    discussion: """
      Examples: sluice convert walk.csv -o walk.db
                sluice convert imu.csv meter.vcd --select imu.x,METER -o all.csv
      """
  )

  @Argument(
    help: ArgumentHelp(
      "Traces of any format, folders of them, or - for standard input.", valueName: "TRACE"), completion: .file())
  var traces: [String]

  @OptionGroup(title: "Input") var input: TraceOptions
  @OptionGroup(title: "Stages") var stages: StageOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  @OptionGroup var print: PrintOptions

  func validate() throws {
    try output.check()
    if traces.contains("") { throw ValidationError("convert takes files, folders, or - for standard input") }
    if let path = traces.indices.first(where: { traces[..<$0].contains(traces[$0]) }).map({ traces[$0] }) {
      throw ValidationError("\(path) is given twice; give each trace once")
    }
  }

  /// The plan of the arguments, without I/O.
  func recordingPlan() throws -> RecordingPlan {
    let plan = try output.plan(.trace(input.plan(traces)), stages: stages.stages())
    try plan.validate()
    return plan
  }

  func run() throws {
    try reportingErrors {
      let plan = try recordingPlan()
      guard try !print.prints(plan) else { return }
      try Session(plan: plan, command: .convert, verbosity: output.verbosity, stats: output.stats).run()
    }
  }
}
