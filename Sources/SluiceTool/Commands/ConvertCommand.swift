import SluiceArguments
import SluiceDevices
import SluicePipeline
import SluiceReadings

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
  var input = TraceOptions()
  var stages = StageOptions()
  var output = OutputOptions()
  var view: PlanView?

  static var rows: [ArgumentRow<Self>] {
    [
      .argument(
        "TRACE", "Traces of any format, folders of them, or - for standard input.", \.traces, completion: .file),
      .setting("shift", of: ReplayPlan.settings, \.input.plan),
      .setting("start-together", of: ReplayPlan.settings, \.input.plan),
      .group("Input, how a trace is read", \.input),
      .group("Stages, which compute results from readings", \.stages),
      .group("Output, formats and files", \.output),
    ] + .views([.json, .station], \.view)
  }

  func validate() throws {
    try output.check()
    if traces.contains("") { throw Fault("convert takes files, folders, or - for standard input") }
    if let path = traces.indices.first(where: { traces[..<$0].contains(traces[$0]) }).map({ traces[$0] }) {
      throw Fault("\(path) is given twice; give each trace once")
    }
    _ = try input.plan(traces)
  }

  /// The plan of the arguments, without I/O.
  func recordingPlan() throws -> RecordingPlan {
    try output.plan(.trace(input.plan(traces)), stages: stages.stages())
  }

  func run() throws {
    try reportingErrors {
      let plan = try recordingPlan()
      if let view { return try view.show(plan, DeviceRoots(), title: "the arguments are") }
      try Session(plan: plan, command: .convert, verbosity: output.verbosity, stats: output.stats ?? .text).run()
    }
  }
}
