import ArgumentParser
import SluicePipeline
import SluiceReadings

#if SLUICE_YAML
  import SluiceYAML

  /// The option for a recording in YAML.
  struct StationOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Run a station file: sources, stages, outputs and limits in YAML; - is standard input. Takes the same other options as --plan.",
        valueName: "FILE"), completion: .file(extensions: ["yaml", "yml"]))
    var station: String?

    /// `libyaml 0.2.5`
    static var libraryVersion: String? { YAMLTree.libraryVersion }

    /// The plan of the station file; nil if none is given.
    func plan() throws(SluiceError) -> RecordingPlan? {
      guard let station else { return nil }
      return try RecordingPlan(station: station)
    }

    /// Reads the station file again; nil if there is no such file, or if it is standard input.
    var origin: (@Sendable () throws(SluiceError) -> RecordingPlan)? {
      guard let station, station != "-" else { return nil }
      return { () throws(SluiceError) in try RecordingPlan(station: station) }
    }
  }
#else
  /// Without the module for YAML, there is no option for station files.
  struct StationOptions: ParsableArguments {
    static var libraryVersion: String? { nil }

    var station: String? { nil }

    func plan() -> RecordingPlan? { nil }

    var origin: (@Sendable () throws(SluiceError) -> RecordingPlan)? { nil }
  }
#endif
