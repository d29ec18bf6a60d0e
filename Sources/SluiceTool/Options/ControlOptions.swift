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

  @Flag(
    help: ArgumentHelp(
      "Record marks as a stream too, marks:number: each has a reading with its time and its number."))
  var markStream = false

  func validate() throws {
    do throws(SluiceError) {
      _ = try name.map { name throws(SluiceError) in try ControlName(name) }
    } catch {
      throw ValidationError("--name: \(error.cause); \(error.remedy ?? "")")
    }
  }
}
