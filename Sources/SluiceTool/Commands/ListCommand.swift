import SluiceArguments
import SluiceDevices
import SluicePipeline
import SluiceReadings

struct ListCommand: ArgumentCommand {
  static let name = "list"
  static let summary = "List the devices that can be recorded, with their lines, channels and sensors."
  static let discussion = """
    Example: sluice list iio hwmon

    Devices that cannot be opened or understood are named on standard error; 'sluice doctor' says what to do.
    """

  var kinds: [DeviceKindArgument] = []
  var json = false
  var root = ""

  static var rows: [ArgumentRow<Self>] {
    [
      .argument(
        "kind", "Only these kinds of device. (values: \(DeviceKindArgument.names.joined(separator: ", ")))", \.kinds,
        isNeeded: false),
      .flag("json", "Print JSON.", \.json),
      .option(
        "root", "DIR", "Where sys and dev are, to list a fixture instead of this machine.", \.root, completion: .folders
      ),
    ]
  }

  func run() throws {
    let listing = Listing(
      Set(kinds.map(\.name)), roots: DeviceRoots(root: root))
    try reportingErrors {
      if json { try printOutput(listing.json.text + "\n") } else { try printText(listing.text) }
    }
    for failure in listing.failures { Console.printError(failure) }
  }
}
