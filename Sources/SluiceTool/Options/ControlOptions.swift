import ArgumentParser
import SluiceControl
import SluiceReadings

/// The options of a recording that `sluice ctl` controls.
struct ControlOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The name for 'sluice ctl', which no other running recording has. (default: that of the first output's file)",
      valueName: "NAME"))
  var name: String?

  func validate() throws {
    do throws(SluiceError) {
      _ = try name.map { name throws(SluiceError) in try ControlName(name) }
    } catch {
      throw ValidationError("--name: \(error.cause); \(error.remedy ?? "")")
    }
  }
}
