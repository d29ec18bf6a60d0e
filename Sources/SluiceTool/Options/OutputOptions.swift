import SluiceArguments
import SluicePipeline
import SluiceReadings
import SluiceRecording

/// The options for the outputs, the losses and the notes.
struct OutputOptions: ArgumentGroup {
  var output: [String] = []
  /// What each output has.
  var common = OutputPlan("")
  var excel: SpreadsheetArgument?
  /// What the options say of the rest of the plan.
  var plan = RecordingPlan()
  var quiet = false
  var verbose = false
  var stats: SummaryArgument?

  static var rows: [ArgumentRow<Self>] {
    var rows = ofFiles
    rows += .settings("append", "force", "rotate", "keep", of: OutputPlan.settings, \.common)
    rows += .settings("sync", of: RecordingPlan.settings, \.plan)
    rows += .settings("raw", "time", "decimals", "header-units", "tag", of: OutputPlan.settings, \.common)
    rows += .settings("meta", of: RecordingPlan.settings, \.plan)
    rows += .settings("max-loss", "grace", "min-free", of: RecordingPlan.Limits.settings, \.plan.limits)
    return rows + ofSummary
  }

  private static var ofFiles: [ArgumentRow<Self>] {
    [
      .option(
        "output", short: "o", "FILE|DIR|URL|-",
        "Where to write: a file, a folder (one file per stream; DIR/ makes it), - for standard output, or a server such as 'http://HOST/write?db=NAME' (line protocol) or mqtt://HOST/TOPIC; can be repeated. Metadata is written beside each file. After a comma stand stages and operators for this output alone, and buffer=N for its own buffer: slow.csv,every=10,buffer=1000.",
        \.output, completion: .file),
      .setting("format", of: OutputPlan.settings, \.common),
      .setting("layout", of: OutputPlan.settings, \.common),
      .option(
        "excel", "en|de",
        "Write CSV for a spreadsheet: a wide table whose times the spreadsheet knows as dates, in UTC. de has semicolons and decimal commas. (alone: en)",
        \.excel, alone: SpreadsheetArgument.en.rawValue),
    ]
  }

  private static var ofSummary: [ArgumentRow<Self>] {
    [
      .flag("quiet", short: "q", "Print errors and warnings only.", \.quiet),
      .flag(
        "verbose", short: "v",
        "Print details too: devices, settings, outputs; and the progress every 10 s if there is no terminal.", \.verbose
      ),
      .option(
        "stats", "text|json|FILE",
        "How to print the summary, or a file for the account as JSON; a file of this name is replaced. (default: text)",
        \.stats, completion: .file),
    ]
  }

  var verbosity: Verbosity { verbose ? .verbose : quiet ? .quiet : .normal }

  func validate() throws {
    if quiet, verbose { throw Fault("--quiet prints less and --verbose prints more; give one of them") }
    if excel != nil,
      common.format != nil || common.layout != nil || common.time != .nanoseconds || common.headerUnits
    {
      throw Fault(
        "--excel is a format with times, columns and units of its own; leave out --format, --layout, --time and --header-units"
      )
    }
    // With `--plan`, no `-o` is needed.
    if !output.isEmpty { try check() }
  }

  /// - Throws: If there is no output, or if a rule of the outputs does not hold.
  func check(sources: [SourcePlan] = []) throws { _ = try plan(.sources(sources)) }

  /// The plan of a recording with these outputs.
  func plan(_ input: RecordingPlan.Input, stages: [StagePlan] = []) throws(Fault) -> RecordingPlan {
    var plan = plan
    (plan.input, plan.stages, plan.outputs) = (input, stages, try outputs())
    try plan.checkRules()
    return plan
  }

  private func outputs() throws(Fault) -> [OutputPlan] {
    var given: [OutputPlan] = []
    for argument in output {
      let text = try OutputText(argument)
      var plan = common
      (plan.path, plan.format) = (text.path, excel?.format ?? plan.format)
      given.append(text.adding(to: plan))
    }
    // An option applies to each output whose format supports it. It is an error if no format does.
    for (key, fault) in given.first?.unfit ?? [] where given.allSatisfy({ $0.unfit.contains { $0.key == key } }) {
      throw fault
    }
    for index in given.indices {
      given[index] = given[index].fitted
      try given[index].checkRules()
    }
    return given
  }
}
