import ArgumentParser
import SluiceDevices
import SluicePipeline
import SluiceReadings

extension Listing.Kind: ExpressibleByArgument {}

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the devices that can be recorded, with their lines, channels and sensors.",
    discussion: """
      Example: sluice list iio hwmon

      What is there and cannot be opened or understood is said on standard error; 'sluice doctor' says what to do.
      """)

  @Argument(help: ArgumentHelp("Only these: gpio, iio, hwmon, thermal.", valueName: "kind"))
  var kinds: [Listing.Kind] = []

  @Flag(help: "Print JSON.")
  var json = false

  @Option(help: ArgumentHelp("Where sys and dev are, to list a fixture instead of this machine.", valueName: "DIR"))
  var root = ""

  func run() throws {
    let listing = Listing(kinds: Set(kinds), roots: DeviceRoots(sys: "\(root)/sys", dev: "\(root)/dev"))
    try reportingErrors { try printOutput(json ? listing.json.text + "\n" : listing.text) }
    for failure in listing.failures { Console.printError(failure) }
  }
}
