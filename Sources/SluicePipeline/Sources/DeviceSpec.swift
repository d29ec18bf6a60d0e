/// A device and its selected parts: `gpiochip0:3,4` or `bmi160:accel_x,accel_y`. An IIO device alone means all its
/// channels.
package struct DeviceSpec: Hashable {
  package let device: String
  package let parts: [String]

  package init?(_ argument: String) {
    // The id `iio:device0` contains a colon.
    let prefix = argument.hasPrefix("iio:") ? "iio:" : ""
    let pieces = argument.dropFirst(prefix.count).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = pieces.first, !name.isEmpty else { return nil }
    device = prefix + name
    parts = pieces.count == 2 ? pieces[1].split(separator: ",").map(String.init) : []
    if pieces.count == 2, parts.isEmpty { return nil }
  }
}
