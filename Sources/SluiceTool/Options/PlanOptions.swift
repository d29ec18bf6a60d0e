import SluiceArguments
import SluicePipeline
import SluiceReadings

#if SLUICE_YAML
  import SluiceYAML
#endif

/// A plan or a station file that is run.
struct PlanOptions: ArgumentGroup {
  var plan: String?

  static var rows: [ArgumentRow<Self>] {
    [
      .option(
        "plan", "FILE",
        "Run a plan, as 'sluice plan json' prints it; - is standard input. Takes no other options but --duration and --count, which limit this run, --root, --name, --quiet, --verbose, --stats, --live, and those of viewers, events and health.",
        \.plan, completion: .file)
    ] + stationRows
  }

  private static var stationRows: [ArgumentRow<Self>] {
    #if SLUICE_YAML
      [
        .option(
          "station", "FILE",
          "Run a station file: sources, stages, outputs and limits in YAML; - is standard input. Takes the same other options as --plan.",
          \.station, completion: .files(endings: ["yaml", "yml"]))
      ]
    #else
      []
    #endif
  }

  #if SLUICE_YAML
    /// What the first page of the help explains.
    static let first = ["station"]

    var station: String?

    /// `libyaml 0.2.5`
    static var libraryVersion: String? { YAMLTree.libraryVersion }
  #else
    static let first: [String] = []
    static var libraryVersion: String? { nil }

    var station: String? { nil }
  #endif

  /// What was given, with its verb.
  var title: String { plan != nil ? "the plan is" : station != nil ? "the station file is" : "the arguments are" }

  /// The plan of the file; nil if none is given.
  func recordingPlan() throws(SluiceError) -> RecordingPlan? {
    if let plan { return try RecordingPlan(path: plan) }
    #if SLUICE_YAML
      if let station { return try RecordingPlan(station: station) }
    #endif
    return nil
  }

  /// Reads the file again; nil if there is no file, or if it is standard input.
  var origin: (@Sendable () throws(SluiceError) -> RecordingPlan)? {
    if let plan, plan != "-" { return { () throws(SluiceError) in try RecordingPlan(path: plan) } }
    #if SLUICE_YAML
      if let station, station != "-" { return { () throws(SluiceError) in try RecordingPlan(station: station) } }
    #endif
    return nil
  }
}
