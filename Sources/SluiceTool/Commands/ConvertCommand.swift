import ArgumentParser
import SluicePipeline

struct ConvertCommand: GroupedOptions {
  static let firstOptions = ["output", "from", "to", "duration", "select"]

  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write traces in other formats: one trace, or several that are merged by time.",
    discussion: """
      Examples: sluice convert walk.csv -o walk.db
                sluice convert phone.csv logger.csv --join=10Hz -o table.csv
                sluice convert imu.csv meter.vcd --select imu.x,METER -o all.csv
      """
  )

  @Argument(
    help: ArgumentHelp(
      "Traces of any format, folders of them, or - for standard input.", valueName: "TRACE"), completion: .file())
  var traces: [String]

  @Option(
    help: ArgumentHelp(
      "Add a time to all times of one trace, such as b.csv+1.25s or b.csv-50ms. Can be repeated.",
      valueName: "TRACE+T|TRACE-T"))
  var shift: [String] = []

  @Flag(help: "Count the times of each trace from its first reading, and then apply --shift.")
  var startTogether = false

  @OptionGroup(title: "Input, how a trace is read") var input: TraceOptions
  @OptionGroup(title: "Stages, which compute results from readings") var stages: StageOptions
  @OptionGroup(title: "Output, formats and files") var output: OutputOptions

  @OptionGroup(title: "Plans, which are files for a recording") var print: PrintOptions

  func validate() throws {
    try output.check()
    if traces.contains("") { throw ValidationError("convert takes files, folders, or - for standard input") }
    if let path = traces.indices.first(where: { traces[..<$0].contains(traces[$0]) }).map({ traces[$0] }) {
      throw ValidationError("\(path) is given twice; give each trace once")
    }
    var shifted: Set<String> = []
    for text in shift {
      guard let shift = TraceShift(text) else {
        throw ValidationError("--shift takes a trace and a time, such as b.csv+1.25s, not \"\(text)\"")
      }
      guard traces.contains(shift.trace) else {
        throw ValidationError("--shift: \(shift.trace) is not one of the traces")
      }
      guard shifted.insert(shift.trace).inserted else {
        throw ValidationError("--shift: \(shift.trace) is shifted twice; give the sum of both times")
      }
    }
  }

  /// The plan of the arguments, without I/O.
  func recordingPlan() throws -> RecordingPlan {
    var trace = try input.plan(traces)
    (trace.shifts, trace.startsTogether) = (shift.compactMap { TraceShift($0) }, startTogether)
    let plan = try output.plan(.trace(trace), stages: stages.stages())
    try plan.validate()
    return plan
  }

  func run() throws {
    try reportingErrors {
      let plan = try recordingPlan()
      if let form = print.form { return try form.print(plan) }
      try Session(plan: plan, command: .convert, verbosity: output.verbosity, stats: output.stats ?? .text).run()
    }
  }
}
