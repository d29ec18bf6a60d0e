import ArgumentParser
import SluiceAnalysis
import SluicePipeline
import SluiceReadings

struct DiffCommand: GroupedOptions {
  static let firstOptions = ["from", "to", "duration", "select"]

  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two traces of any formats, reading by reading.",
    discussion: """
      Examples: sluice diff walk.csv walk.db
                sluice diff old.csv new.csv --time-tolerance 1ms --select imu.x
                sluice diff phone.csv log.csv --time-column t --skip-bad

      Exit status: 0 the traces are the same, 1 they differ, 2 a trace cannot be read or compared, 64 wrong usage.
      """)

  @Argument(
    help: ArgumentHelp("A trace, a folder of them, or - for standard input.", valueName: "A"), completion: .file())
  var a: String

  @Argument(help: ArgumentHelp("The trace to compare it with.", valueName: "B"), completion: .file())
  var b: String

  @OptionGroup(title: "Input, of both traces") var input: TraceOptions

  @Option(
    help: ArgumentHelp(
      "Compare readings whose times differ by no more than T, such as 1ms. (default: 0s)", valueName: "T"))
  var timeTolerance: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "Values that differ by no more than X are the same. (default: 0, so that 0.10 equals 0.1)",
      valueName: "X"))
  var tolerance: DecimalArgument?

  @Option(
    help: ArgumentHelp(
      "Values are the same if they differ by no more than X times the larger absolute value: 0.01 is 1 %.",
      valueName: "X"))
  var relativeTolerance: DecimalArgument?

  @Flag(help: "Stop at the first difference, and print one line.")
  var brief = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if a.isEmpty || b.isEmpty { throw ValidationError("diff takes files, folders, or - for standard input") }
    if a == "-", b == "-" {
      throw ValidationError("standard input can be read only once; give - for one of the traces")
    }
    if brief, json { throw ValidationError("--brief prints a line, but --json prints JSON; give one of them") }
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
