import SluicePipeline
import SluiceReadings

/// The devices of one kind, for `sluice list`.
protocol DeviceListing: DeviceWords {
  /// Blocks of lines, such as one for each device.
  var blocks: [[String]] { get }
  /// The devices, each in one line, for `sluice` without a command.
  var devices: [ListedDevice] { get }
  /// The sources that the devices offer, for the completions of a shell.
  var sources: [ListedSource] { get }
  /// The members in JSON. docs/List.md documents them: members are added, never renamed.
  var members: [(String, JSON)] { get }
  /// The errors of devices that are not shown.
  var failures: [SluiceError] { get }
}

extension DeviceListing {
  var sources: [ListedSource] { [] }
}
