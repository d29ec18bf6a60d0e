import SluiceArguments
import SluicePipeline
import SluiceReadings

#if SLUICE_YAML
  import SluiceYAML
#endif

/// A plan or a station file that is run, or what is said about a recording instead of running it.
struct PlanOptions: ArgumentGroup {
  var printPlan = false
  var printStation = false
  var check = false
  var explain = false
  var printSchema = false
  var plan: String?

  static var rows: [ArgumentRow<Self>] {
    let rows: [ArgumentRow<Self>] = [
      .flag("print-plan", PlanForm.json.help, \.printPlan),
      .flag("print-station", PlanForm.station.help, \.printStation),
      .flag("check", "Check the plan, say what is wrong with it, and open nothing.", \.check),
      .flag(
        "explain",
        "Say in sentences what would happen, and how long the outputs and this program may stand still until a reading is lost; open nothing.",
        \.explain),
      .flag("print-schema", "Print the JSON schema of station files, for editors.", \.printSchema),
      .option(
        "plan", "FILE",
        "Run a plan, as --print-plan prints it; - is standard input. Takes no other options but --duration and --count, which limit this run, --root, --name, --quiet, --verbose, --stats, --live, those of viewers, events and health, and those that print, check or explain.",
        \.plan, completion: .file),
    ]
    return rows + stationRows
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
    var station: String?

    /// `libyaml 0.2.5`
    static var libraryVersion: String? { YAMLTree.libraryVersion }
  #else
    static var libraryVersion: String? { nil }

    var station: String? { nil }
  #endif

  /// What was given, with its verb.
  var title: String { plan != nil ? "the plan is" : station != nil ? "the station file is" : "the arguments are" }

  var form: PlanForm? { PlanForm(printPlan, printStation) }

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
