public import ArgumentParser
import SluicePipeline
import SluiceReadings
public import SluiceRecording

extension CSVLayout: NamedChoice {}
extension RowTime: NamedChoice {}
extension Rotation: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
extension Retention: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
extension RowTag: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
extension SyncPolicy: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

/// The options for the outputs, the losses and the notes.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Where to write: a file, a folder (one file per stream; DIR/ makes it), - for standard output, or a server such as 'http://HOST/write?db=NAME' (line protocol) or mqtt://HOST/TOPIC; can be repeated. Metadata is written beside each file. After a comma stand stages and operators for this output alone, and buffer=N for its own buffer: slow.csv,every=10,buffer=1000.",
      valueName: "FILE|DIR|URL|-"), completion: .file())
  var output: [String] = []

  @Option(
    help: ArgumentHelp(
      "Format of the outputs: \(RecordingFormats.names.joined(separator: ", ")). (default: by the ending of the file's name, or else csv)",
      valueName: "FORMAT"), completion: .list(RecordingFormats.names))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Columns: wide has one per channel, long is time_ns,stream,channel,value. (default: that of a trace that is replayed; or else long for several streams in one file, and wide for one)",
      valueName: "wide|long"))
  var layout: CSVLayout?

  @Option(
    help: ArgumentHelp(
      "Write CSV for a spreadsheet: a wide table whose times the spreadsheet knows as dates, in UTC. de has semicolons and decimal commas. (alone: en)",
      valueName: "en|de"))
  var excel: SpreadsheetArgument?

  @Flag(help: "Append to an existing file with the same streams, units and scales.")
  var append = false

  @Flag(help: "Overwrite an existing file.")
  var force = false

  @Option(
    help: ArgumentHelp(
      "Cut each output into parts by size (100M), by time (1h, from midnight UTC), or by both (1h,100M): NAME.000001.20261121T145507Z.csv.",
      valueName: "SIZE|T|T,SIZE"))
  var rotate: Rotation?

  @Option(
    help: ArgumentHelp(
      "With --rotate: remove old parts beyond this age (7d), size (10G) or number (100parts).",
      valueName: "T|SIZE|Nparts"))
  var keep: Retention?

  @Option(
    help: ArgumentHelp(
      "When written data is forced to the disk: every T (1s), after each write (batch), or when the system decides (none). (default: 1s when recording, none when replaying)",
      valueName: "T|batch|none"))
  var sync: SyncPolicy?

  @Flag(help: "Write values as the device gave them, without offset and scale.")
  var raw = false

  @Option(
    help: ArgumentHelp(
      "Times in CSV and JSON Lines: ns are nanoseconds since the epoch (time_ns), relative are seconds since the first reading (time_s), iso is ISO 8601 in UTC (time). (default: ns)",
      valueName: "ns|relative|iso"))
  var time: RowTime?

  @Option(
    help: ArgumentHelp("Round values to at most N decimals, 0 to 18. (default: all digits)", valueName: "N"))
  var decimals: Int?

  @Flag(help: "Write units into the header of a wide CSV file, as in accel_x (m/s^2).")
  var headerUnits = false

  @Option(
    help: ArgumentHelp(
      "Give each row of line protocol this tag, such as site=cellar; can be repeated.",
      valueName: "NAME=VALUE"))
  var tag: [RowTag] = []

  @Option(
    help: ArgumentHelp("Note this in the metadata beside the file; can be repeated.", valueName: "KEY=VALUE")
  )
  var meta: [MetaArgument] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Exit with status 3 if more than N readings, or an unknown number, are lost.", valueName: "N"))
  var maxLoss: Int?

  @Option(
    help: ArgumentHelp(
      "After a stop, give up what cannot be written within T, and exit with status 1. (default: 10s)", valueName: "T"))
  var grace: TimeSpan?

  @Option(
    help: ArgumentHelp("Stop when less than SIZE is free on the disk of an output, such as 100M.", valueName: "SIZE"))
  var minFree: ByteSize?

  @Flag(name: .shortAndLong, help: "Print errors and warnings only.")
  var quiet = false

  @Flag(
    name: .shortAndLong,
    help: "Print details too: devices, settings, outputs; and the progress every 10 s if there is no terminal.")
  var verbose = false

  var verbosity: Verbosity { verbose ? .verbose : quiet ? .quiet : .normal }

  @Option(
    help: ArgumentHelp(
      "How to print the summary, or a file for the account as JSON; a file of this name is replaced. (default: text)",
      valueName: "text|json|FILE"), completion: .file())
  var stats: SummaryArgument?

  private var rowTime: RowTime { time ?? .nanoseconds }

  func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet prints less and --verbose prints more; give one of them") }
    if excel != nil, format != nil || layout != nil || rowTime != .nanoseconds || headerUnits {
      throw ValidationError(
        "--excel is a format with times, columns and units of its own; leave out --format, --layout, --time and --header-units"
      )
    }
    if append, force {
      throw ValidationError("--append goes on with a file and --force overwrites it; give one of them")
    }
    // With `--plan`, no `-o` is needed.
    if !output.isEmpty { try check() }
    if let maxLoss, maxLoss < 0 { throw ValidationError("--max-loss takes 0 or more readings") }
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
      throw ValidationError(rule.option)
    } catch let error as UsageError {
      throw ValidationError(error.description)
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
