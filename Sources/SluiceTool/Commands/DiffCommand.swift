import SluiceAnalysis
import SluiceArguments
import SluicePipeline
import SluiceReadings

struct DiffCommand: ArgumentCommand {
  static let firstOptions: [String]? = ["from", "to", "duration", "select"]

  static let name = "diff"
  static let summary = "Compare two traces of any formats, reading by reading."
  static let discussion = """
    Examples: sluice diff walk.csv walk.db
              sluice diff old.csv new.csv --time-tolerance 1ms --select imu.x
              sluice diff phone.csv log.csv --time-column t --skip-bad

    Exit status: 0 the traces are the same, 1 they differ, 2 a trace cannot be read or compared, 64 wrong usage.
    """

  var a = ""
  var b = ""
  var input = TraceOptions()
  var timeTolerance: TimeSpan?
  var tolerance: DecimalArgument?
  var relativeTolerance: DecimalArgument?
  var brief = false
  var json = false

  static var rows: [ArgumentRow<Self>] {
    [
      .argument("A", "A trace, a folder of them, or - for standard input.", \.a, completion: .file),
      .argument("B", "The trace to compare it with.", \.b, completion: .file),
      .group("Input, of both traces", \.input),
      .option(
        "time-tolerance", "T", "Compare readings whose times differ by no more than T, such as 1ms. (default: 0s)",
        \.timeTolerance),
      .option(
        "tolerance", "X", "Values that differ by no more than X are the same. (default: 0, so that 0.10 equals 0.1)",
        \.tolerance),
      .option(
        "relative-tolerance", "X",
        "Values are the same if they differ by no more than X times the larger absolute value: 0.01 is 1 %.",
        \.relativeTolerance),
      .flag("brief", "Stop at the first difference, and print one line.", \.brief),
      .flag("json", "Print JSON.", \.json),
    ]
  }

  func validate() throws {
    if a.isEmpty || b.isEmpty { throw Fault("diff takes files, folders, or - for standard input") }
    if a == "-", b == "-" {
      throw Fault("standard input can be read only once; give - for one of the traces")
    }
    if brief, json { throw Fault("--brief prints a line, but --json prints JSON; give one of them") }
  }

  func run() throws {
    var isSame = true
    try reportingErrors(failure: 2) {
      let diff = try TraceDiff(a, b, input.plan([a]), options) { [brief] in if !brief { Console.warn($0) } }
      isSame = diff.isSame
      if input.isPart, diff.streams.allSatisfy({ $0.readingsInA + $0.readingsInB == 0 }) {
        throw SluiceError(
          .unsupported, "compare", "\(a) and \(b)", because: "neither has a reading in this part of its time",
          remedy: "choose another --from, --to or --duration")
      }
      if json {
        try printOutput(diff.json.lines() + "\n")
      } else {
        try printText(brief ? [diff.line].asLines : diff.text)
      }
    }
    if !isSame { throw ExitCode(1) }
  }

  private var options: TraceDiff.Options {
    var options = TraceDiff.Options()
    options.values = ValueTolerance(
      absolute: tolerance?.value ?? .zero, relative: relativeTolerance?.value ?? .zero)
    options.timeTolerance = timeTolerance?.nanoseconds ?? 0
    options.stopsAtFirst = brief
    return options
  }
}
