public import ArgumentParser
@_spi(Preview) import SluicePipeline
import SluiceReadings
@_spi(Preview) public import SluiceRecording

extension CSVLayout: NamedChoice {}
extension RowTime: NamedChoice {}
extension Rotation: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
extension Retention: ExpressibleByArgument {
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
      "Where to write: a file, a folder (one file per stream; DIR/ makes it), or - for standard output; may be given several times. Metadata is written beside each file. Stages and operators behind it act on this output alone, and buffer=N is a buffer of its own: slow.csv,every=10,buffer=1000.",
      valueName: "FILE|DIR|-"), completion: .file())
  var output: [String] = []

  @Option(
    help: ArgumentHelp(
      "Format of the outputs: \(OutputFormats.names.joined(separator: ", ")). (default: by the ending of the file's name, or else csv)",
      valueName: "FORMAT"), completion: .list(OutputFormats.names))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Columns: wide has one per channel, long is time_ns,stream,channel,value. (default: that of a trace that is replayed; or else long for several streams in one file, and wide for one)",
      valueName: "wide|long"))
  var layout: CSVLayout?

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
      "Times in CSV and JSON Lines: ns are nanoseconds since the epoch (time_ns), relative are seconds since the first reading (time_s), iso is ISO 8601 in UTC (time).",
      valueName: "ns|relative|iso"))
  var time: RowTime = .nanoseconds

  @Option(
    help: ArgumentHelp("Round values to at most N decimals, 0 to 18. (default: all digits)", valueName: "N"))
  var decimals: Int?

  @Flag(help: "Write units into the header of a wide CSV file, as in accel_x (m/s^2).")
  var headerUnits = false

  @Option(
    help: ArgumentHelp("Note this in the metadata beside the file; may be given several times.", valueName: "KEY=VALUE")
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
      "How to print the summary, or a file for the account as JSON; a file of this name is replaced.",
      valueName: "text|json|FILE"), completion: .file())
  var stats: SummaryArgument = .text

  func validate() throws {
    if quiet, verbose { throw ValidationError("--quiet prints less and --verbose prints more; give one of them") }
    let paths = try texts().map(\.path)
    if paths.contains("") { throw ValidationError("-o takes a file, a folder, or - for standard output") }
    if let path = paths.indices.first(where: { paths[..<$0].contains(paths[$0]) }).map({ paths[$0] }) {
      throw ValidationError("-o \(path) is given twice; give each output a file of its own")
    }
    if keep != nil, rotate == nil {
      throw ValidationError("--keep says which parts are kept, and without --rotate there are none; give both")
    }
    if rotate != nil, force {
      throw ValidationError("--force overwrites, and parts never are: remove them, or give --append for further parts")
    }
    if rotate != nil, paths.contains("-") {
      throw ValidationError("--rotate needs a file; standard output has no parts")
    }
    if append, force {
      throw ValidationError("--append goes on with a file and --force overwrites it; give one of them")
    }
    if append, paths.contains("-") {
      throw ValidationError("--append needs a file; standard output always begins with a header")
    }
    if layout != nil, !paths.isEmpty, !paths.contains(where: { OutputFormats.hasLayout($0, format) }) {
      throw ValidationError("--layout is for CSV, and no output is CSV; leave it out")
    }
    if time != .nanoseconds, !paths.isEmpty, !paths.contains(where: { OutputFormats.type(of: $0, format).takesTimes }) {
      throw ValidationError("--time is for CSV and JSON Lines, but no output is one of them; leave it out")
    }
    if decimals != nil, !paths.isEmpty, !paths.contains(where: { OutputFormats.type(of: $0, format).takesDecimals }) {
      throw ValidationError(
        "--decimals is for text formats, but no output is text; leave it out, and round in the query")
    }
    if time == .relative, append {
      throw ValidationError(
        "--time relative counts from the first reading of each run, so --append would mix them; use --time iso")
    }
    if decimals != nil, raw {
      throw ValidationError("--decimals rounds values, but --raw writes them as the device gave them; give one of them")
    }
    if headerUnits, !paths.isEmpty, !paths.contains(where: { OutputFormats.hasLayout($0, format) }) {
      throw ValidationError("--header-units is for CSV, but no output is CSV; leave it out")
    }
    if headerUnits, raw {
      throw ValidationError("--header-units names units, but --raw writes values without them; give one of them")
    }
    if headerUnits, layout == .long {
      throw ValidationError(
        "--header-units is for --layout wide, where each column has one unit; leave one of them out")
    }
    if !meta.isEmpty, !paths.isEmpty, paths.allSatisfy({ $0 == "-" }) {
      throw ValidationError("--meta is noted beside a file, and standard output has no metadata; leave out one of them")
    }
    for (index, entry) in meta.enumerated() where meta[..<index].contains(where: { $0.note.key == entry.note.key }) {
      throw ValidationError("--meta \(entry.note.key) is given twice")
    }
    if let decimals, !(0...18).contains(decimals) { throw ValidationError("--decimals takes 0 to 18") }
    if let maxLoss, maxLoss < 0 { throw ValidationError("--max-loss takes 0 or more readings") }
  }

  /// - Throws: If there is no output.
  func plans() throws -> [OutputPlan] {
    if output.isEmpty { throw ValidationError("say where to write: -o FILE, -o DIR/ or -o -") }
    return try texts().map { text in
      let path = text.path
      let type = OutputFormats.type(of: path, format)
      let plan = OutputPlan(
        path, format: format, layout: OutputFormats.hasLayout(path, format) ? layout : nil, existing: existing,
        raw: raw, time: type.takesTimes ? time : .nanoseconds, decimals: type.takesDecimals ? decimals : nil,
        headerUnits: headerUnits && OutputFormats.hasLayout(path, format), rotation: rotation)
      return text.adding(to: plan)
    }
  }

  private func texts() throws -> [OutputText] {
    try output.map { text in
      do throws(UsageError) { return try OutputText(text) } catch { throw ValidationError(error.description) }
    }
  }

  var notes: [RecordingPlan.Note] { meta.map(\.note) }

  private var rotation: Rotation? {
    var rotation = rotate
    rotation?.keep = keep
    return rotation
  }

  /// The limits of the whole run.
  var limits: RecordingPlan.Limits {
    RecordingPlan.Limits(
      grace: grace ?? RecordingPlan.Limits.standardGrace, minFree: minFree, maxLoss: maxLoss)
  }

  private var existing: ExistingFile { append ? .append : force ? .overwrite : .refuse }

  /// Whether no option for outputs, losses or notes was given.
  var isEmpty: Bool {
    output.isEmpty && format == nil && layout == nil && !append && !force && !raw && time == .nanoseconds
      && decimals == nil && !headerUnits && sync == nil && rotate == nil
      && keep == nil && meta.isEmpty && maxLoss == nil && grace == nil && minFree == nil
  }
}
