import ArgumentParser
import Sluice
import SluiceRecording

extension CSVLayout: ExpressibleByArgument {}

/// What a full buffer drops.
enum WhenFull: String, CaseIterable, ExpressibleByArgument {
  case dropOldest = "drop-oldest"
  case dropNewest = "drop-newest"
  case fail
}

/// The operators that readings pass, the same for recording and replaying.
struct OperatorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep up to N readings a stream while they cannot be written; 0 for none. (default: 32768 when recording, none when replaying)",
      valueName: "N"))
  var buffer: Int?

  @Option(help: ArgumentHelp("What a full buffer does.", valueName: "drop-oldest|drop-newest|fail"))
  var whenFull: WhenFull = .dropOldest

  @Option(help: ArgumentHelp("Let through one reading a stream in each interval, the latest.", valueName: "T"))
  var throttle: DurationArgument?

  @Flag(help: "With --throttle: the first reading of each interval instead of the latest.")
  var first = false

  @Option(
    help: ArgumentHelp(
      "Bring readings to the file N at a time, or those of T, or what comes first.", valueName: "N|T|N,T"))
  var collect: CollectArgument?

  func validate() throws {
    if let buffer, buffer < 0 { throw ValidationError("--buffer takes 0 or more readings") }
    if first, throttle == nil { throw ValidationError("--first says what --throttle keeps; give both") }
  }
}

/// Where readings go, and what is said about it.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Where to write: a CSV file, a folder (one file a stream), or - for standard output. Its metadata goes beside a file.",
      valueName: "FILE|DIR|-"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "Columns: wide has one a channel, long is time_ns,stream,channel,value. (default: wide for one stream)",
      valueName: "wide|long"))
  var layout: CSVLayout?

  @Flag(help: "Go on at the end of an existing file with the same header.")
  var append = false

  @Flag(help: "Overwrite an existing file.")
  var force = false

  @Flag(help: "Write values as the device gave them, without offset and scale.")
  var raw = false

  @Option(help: ArgumentHelp("Exit with status 3 if more than N readings are lost.", valueName: "N"))
  var maxLoss: Int?

  @Flag(name: .shortAndLong, help: "Say nothing but errors.")
  var quiet = false

  @Option(help: ArgumentHelp("How to print the summary.", valueName: "text|json"))
  var stats: SummaryFormat = .text

  func validate() throws {
    if append, force {
      throw ValidationError("--append goes on with a file and --force overwrites it; give one of them")
    }
    if let maxLoss, maxLoss < 0 { throw ValidationError("--max-loss takes 0 or more readings") }
    if output.isEmpty { throw ValidationError("-o takes a file, a folder, or - for standard output") }
  }

  var existing: ExistingFile { append ? .append : force ? .overwrite : .refuse }

  /// Where the rows of these streams go.
  func destination(for streams: [StreamDescription]) -> CSVDestination {
    if output != "-", isDirectory(output) { return .directory(output) }
    return .file(output, layout: layout ?? (streams.count == 1 ? .wide : .long))
  }
}
