import SluiceArguments
import SluicePipeline

struct ConvertCommand: ArgumentCommand {
  static let firstOptions: [String]? = ["output", "from", "to", "duration", "select"]

  static let name = "convert"
  static let summary = "Write traces in other formats: one trace, or several that are merged by time."
  static let discussion = """
    Examples: sluice convert walk.csv -o walk.db
              sluice convert phone.csv logger.csv --join=10Hz -o table.csv
              sluice convert imu.csv meter.vcd --select imu.x,METER -o all.csv
    """

  var traces: [String] = []
  var shift: [String] = []
  var startTogether = false
  var input = TraceOptions()
  var stages = StageOptions()
  var output = OutputOptions()
  var print = PrintOptions()

  static var rows: [ArgumentRow<Self>] {
    [
      .argument(
        "TRACE", "Traces of any format, folders of them, or - for standard input.", \.traces, completion: .file),
      .option(
        "shift", "TRACE+T|TRACE-T",
        "Add a time to all times of one trace, such as b.csv+1.25s or b.csv-50ms. Can be repeated.", \.shift),
      .flag(
        "start-together", "Count the times of each trace from its first reading, and then apply --shift.",
        \.startTogether),
      .group("Input, how a trace is read", \.input),
      .group("Stages, which compute results from readings", \.stages),
      .group("Output, formats and files", \.output),
      .group("Plans, which are files for a recording", \.print),
    ]
  }

  func validate() throws {
    try output.check()
    if traces.contains("") { throw ArgumentFault("convert takes files, folders, or - for standard input") }
    if let path = traces.indices.first(where: { traces[..<$0].contains(traces[$0]) }).map({ traces[$0] }) {
      throw ArgumentFault("\(path) is given twice; give each trace once")
    }
    var shifted: Set<String> = []
    for text in shift {
      guard let shift = TraceShift(text) else {
        throw ArgumentFault("--shift takes a trace and a time, such as b.csv+1.25s, not \"\(text)\"")
      }
      guard traces.contains(shift.trace) else {
        throw ArgumentFault("--shift: \(shift.trace) is not one of the traces")
      }
      guard shifted.insert(shift.trace).inserted else {
        throw ArgumentFault("--shift: \(shift.trace) is shifted twice; give the sum of both times")
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
