import SluiceReadings

/// The rate of an IIO device, and its possible rates.
public struct IIOSamplingRate: Hashable, Sendable {
  /// The rate in Hz, as sysfs gives it.
  public var current: String
  /// The possible rates as sysfs gives them: `10 20 50` or `[minimum step maximum]` (`sampling_frequency_available` in
  /// Documentation/ABI/testing/sysfs-bus-iio); nil if it does not list them.
  public var available: String?

  /// Makes a rate.
  public init(current: String, available: String? = nil) {
    self.current = current
    self.available = available
  }
}

extension IIODevice {
  /// The rate of the trigger, or else of the device.
  ///
  /// ```swift
  /// let rate = try IIODevice.find("bmi160").samplingRate()
  /// ```
  ///
  /// - Parameter trigger: The name of the trigger; nil for the one in use.
  /// - Returns: Nil if neither has a setting for the rate.
  public func samplingRate(trigger: String? = nil, roots: DeviceRoots = DeviceRoots()) -> IIOSamplingRate? {
    let name = trigger ?? self.trigger
    let trigger = IIOTriggers.list(roots: roots).first { $0.name == name }?.folder
    let files = samplingFrequencyFiles(trigger: trigger, channels: channels)
    guard let (folder, file) = files.first, let current = folder.readIfPresent(file) else { return nil }
    return IIOSamplingRate(current: current, available: folder.readIfPresent("\(file)_available"))
  }

  /// The files with the rate of these channels. If there is a trigger with a rate, that rate counts. Otherwise it is
  /// the rate of the device, and some devices have one per type of channel.
  func samplingFrequencyFiles(
    trigger: SysfsFolder?, channels: [IIOChannel]
  ) -> [(folder: SysfsFolder, file: String)] {
    let places = [
      (trigger, "sampling_frequency"), (folder, "sampling_frequency"), (folder, "in_sampling_frequency"),
      (buffer, "sampling_frequency"),
    ]
    for case (let folder?, let file) in places where folder.has(file) { return [(folder, file)] }
    return Set(channels.map { IIOChannel.type($0.name) }).sorted().map { "in_\($0)_sampling_frequency" }
      .filter(folder.has).map { (folder, $0) }
  }
}

extension SysfsFolder {
  /// A rate in Hz, as text and as a number.
  func rate(_ file: String) throws(SluiceError) -> (text: String, number: Double) {
    let text = try read(file)
    // Nanoseconds cannot distinguish more than one scan per nanosecond.
    guard let number = Double(text), (0...1e9).contains(number) else {
      throw SluiceError(
        .malformed, "read", "\(path)/\(file)", because: "\"\(text)\" is no rate from 0 to 1e9 Hz",
        remedy: "write another rate to it")
    }
    return (text, number)
  }
}
