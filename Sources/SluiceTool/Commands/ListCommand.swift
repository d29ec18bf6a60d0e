import ArgumentParser
import SluiceDevices
import SluicePipeline
import SluiceReadings

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the devices that can be recorded, with their lines, channels and sensors.",
    discussion: """
      Example: sluice list iio hwmon

      Devices that cannot be opened or understood are named on standard error; 'sluice doctor' says what to do.
      """)

  @Argument(
    help: ArgumentHelp("Only these kinds of device.", valueName: "kind"))
  var kinds: [DeviceKindArgument] = []

  @Flag(help: "Print JSON.")
  var json = false

  @Option(
    help: ArgumentHelp("Where sys and dev are, to list a fixture instead of this machine.", valueName: "DIR"),
    completion: .directory)
  var root = ""

  func run() throws {
    let listing = Listing(
      Set(kinds.map(\.name)), roots: DeviceRoots(root: root))
    try reportingErrors {
      if json { try printOutput(listing.json.text + "\n") } else { try printText(listing.text) }
    }
    for failure in listing.failures { Console.printError(failure) }
  }
}
