import SluiceArguments
import SluicePipeline
import SluiceReadings
package import SluiceRecording

extension CSVLayout: NamedChoice {}
extension RowTime: NamedChoice {}
extension Rotation: ArgumentValue {
  package init?(argument: String) { self.init(argument) }
  package static func why(_ argument: String) -> String? { TimeReason.why(argument, orSize: true) }
}
extension Retention: ArgumentValue {
  package init?(argument: String) { self.init(argument) }
  package static func why(_ argument: String) -> String? { TimeReason.why(argument, orSize: true) }
}
extension RowTag: ArgumentValue {}
extension SyncPolicy: TimeArgument {
  package init?(argument: String) { self.init(argument) }
}

/// The options for the outputs, the losses and the notes.
struct OutputOptions: ArgumentGroup {
  var output: [String] = []
  var format: String?
  var layout: CSVLayout?
  var excel: SpreadsheetArgument?
  var append = false
  var force = false
  var rotate: Rotation?
  var keep: Retention?
  var sync: SyncPolicy?
  var raw = false
  var time: RowTime?
  var decimals: Int?
  var headerUnits = false
  var tag: [RowTag] = []
  var meta: [MetaArgument] = []
  var maxLoss: Int?
  var grace: TimeSpan?
  var minFree: ByteSize?
  var quiet = false
  var verbose = false
  var stats: SummaryArgument?

  static var rows: [ArgumentRow<Self>] {
    [
      .option(
        "output", short: "o", "FILE|DIR|URL|-",
        "Where to write: a file, a folder (one file per stream; DIR/ makes it), - for standard output, or a server such as 'http://HOST/write?db=NAME' (line protocol) or mqtt://HOST/TOPIC; can be repeated. Metadata is written beside each file. After a comma stand stages and operators for this output alone, and buffer=N for its own buffer: slow.csv,every=10,buffer=1000.",
        \.output, completion: .file),
      .option(
        "format", "FORMAT",
        "Format of the outputs: \(RecordingFormats.names.joined(separator: ", ")). (default: by the ending of the file's name, or else csv)",
        \.format, completion: .list(RecordingFormats.names)),
      .option(
        "layout", "wide|long",
        "Columns: wide has one per channel, long is time_ns,stream,channel,value. (default: that of a trace that is replayed; or else long for several streams in one file, and wide for one)",
        \.layout),
      .option(
        "excel", "en|de",
        "Write CSV for a spreadsheet: a wide table whose times the spreadsheet knows as dates, in UTC. de has semicolons and decimal commas. (alone: en)",
        \.excel, alone: SpreadsheetArgument.en.rawValue),
      .flag("append", "Append to an existing file with the same streams, units and scales.", \.append),
      .flag("force", "Overwrite an existing file.", \.force),
      .option(
        "rotate", "SIZE|T|T,SIZE",
        "Cut each output into parts by size (100M), by time (1h, from midnight UTC), or by both (1h,100M): NAME.000001.20261121T145507Z.csv.",
        \.rotate),
      .option(
        "keep", "T|SIZE|Nparts",
        "With --rotate: remove old parts beyond this age (7d), size (10G) or number (100parts).", \.keep),
      .option(
        "sync", "T|batch|none",
        "When written data is forced to the disk: every T (1s), after each write (batch), or when the system decides (none). (default: 1s when recording, none when replaying)",
        \.sync),
      .flag("raw", "Write values as the device gave them, without offset and scale.", \.raw),
      .option(
        "time", "ns|relative|iso",
        "Times in CSV and JSON Lines: ns are nanoseconds since the epoch (time_ns), relative are seconds since the first reading (time_s), iso is ISO 8601 in UTC (time). (default: ns)",
        \.time),
      .option("decimals", "N", "Round values to at most N decimals, 0 to 18. (default: all digits)", \.decimals),
      .flag("header-units", "Write units into the header of a wide CSV file, as in accel_x (m/s^2).", \.headerUnits),
      .option(
        "tag", "NAME=VALUE", "Give each row of line protocol this tag, such as site=cellar; can be repeated.", \.tag),
      .option("meta", "KEY=VALUE", "Note this in the metadata beside the file; can be repeated.", \.meta),
      .option(
        "max-loss", "N", "Exit with status 3 if more than N readings, or an unknown number, are lost.", \.maxLoss),
      .option(
        "grace", "T", "After a stop, give up what cannot be written within T, and exit with status 1. (default: 10s)",
        \.grace),
      .option(
        "min-free", "SIZE", "Stop when less than SIZE is free on the disk of an output, such as 100M.", \.minFree),
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

  private var rowTime: RowTime { time ?? .nanoseconds }

  func validate() throws {
    if quiet, verbose { throw ArgumentFault("--quiet prints less and --verbose prints more; give one of them") }
    if excel != nil, format != nil || layout != nil || rowTime != .nanoseconds || headerUnits {
      throw ArgumentFault(
        "--excel is a format with times, columns and units of its own; leave out --format, --layout, --time and --header-units"
      )
    }
    if append, force {
      throw ArgumentFault("--append goes on with a file and --force overwrites it; give one of them")
    }
    // With `--plan`, no `-o` is needed.
    if !output.isEmpty { try check() }
    if let maxLoss, maxLoss < 0 { throw ArgumentFault("--max-loss takes 0 or more readings") }
  }

  /// - Throws: If there is no output, or if a rule of the outputs does not hold.
  func check(sources: [SourcePlan] = []) throws { _ = try plan(.sources(sources)) }

  /// The plan of a recording with these outputs.
  func plan(_ input: RecordingPlan.Input, stages: [StagePlan] = []) throws -> RecordingPlan {
    do {
      var plan = RecordingPlan(input: input, stages: stages, outputs: try outputs())
      plan.limits = RecordingPlan.Limits(
        grace: grace ?? RecordingPlan.Limits.standardGrace, minFree: minFree, maxLoss: maxLoss)
      plan.sync = sync
      plan.notes = meta.map(\.note)
      try plan.checkRules()
      return plan
    } catch let rule as BrokenRule {
      throw ArgumentFault(rule.option)
    } catch let error as UsageError {
      throw ArgumentFault(error.description)
    }
  }

  private func outputs() throws -> [OutputPlan] {
    let rotation = try OutputPlan.rotation(rotate, keep: keep)
    let given = try output.map { argument in
      let text = try OutputText(argument)
      var plan = OutputPlan(
        text.path, format: excel?.format ?? format, layout: layout,
        existing: append ? .append : force ? .overwrite : .refuse,
        raw: raw, time: rowTime, decimals: decimals, headerUnits: headerUnits, rotation: rotation)
      plan.tags = tag
      return text.adding(to: plan)
    }
    // An option applies to each output whose format supports it. It is an error if no format does.
    for rule in given.first?.unfit ?? [] where given.allSatisfy({ $0.unfit.contains { $0.option == rule.option } }) {
      throw rule
    }
    return try given.map { plan in
      try plan.fitted.checkRules()
      return plan.fitted
    }
  }

  /// Whether no option for outputs, losses or notes was given.
  var isEmpty: Bool {
    output.isEmpty && excel == nil && format == nil && layout == nil && !append && !force && !raw
      && rowTime == .nanoseconds && decimals == nil && !headerUnits && tag.isEmpty && sync == nil && rotate == nil
      && keep == nil && meta.isEmpty && maxLoss == nil && grace == nil && minFree == nil
  }
}
