import SluiceReadings
import SluiceSystem

/// A change to a device for a recording, and its undo: a line of a state file.
enum IIOChange: Hashable, Sendable {
  /// An attribute: its path below the folder of all IIO devices, and its value before.
  case attribute(path: String, before: String)
  /// The rate of a trigger. The trigger is identified by name, because its number may belong to another trigger now.
  case rate(trigger: String, before: String)
  /// A trigger that was created through configfs.
  case hrtimer(name: String)

  /// Whether other recordings may depend on the change, so that it must be undone after the last of them. Scans and
  /// events of a device are two recordings, and share its clock.
  var isShared: Bool {
    switch self {
    case .attribute(let path, _): path.hasSuffix("/current_timestamp_clock")
    case .rate, .hrtimer: true
    }
  }

  /// - Parameter device: The device for which the change was made.
  /// - Throws: ``SluiceError/Code/busy`` while another device depends on it.
  func undo(for device: String, _ roots: DeviceRoots) throws(SluiceError) {
    switch self {
    case .attribute(let path, let before):
      // A line feed clears an attribute. An empty write does not reach the driver.
      try roots.iio.write(path, before.isEmpty ? "\n" : before)
    case .rate(let name, let before):
      guard let trigger = IIOTriggers.list(roots: roots).first(where: { $0.name == name }) else { return }
      if let reader = IIOTriggers.readers(of: name, but: device, roots: roots).first {
        throw SluiceError(
          "put back", "the rate of trigger \(name)", errno: EBUSY,
          remedy: "\(reader) is being read with it: stop the program that reads \(reader) first")
      }
      try trigger.folder.write("sampling_frequency", before)
    case .hrtimer(let name):
      let folder = IIOTriggers.hrtimers(roots).folder(name).path
      // The kernel would remove the trigger even while a device uses it, and then access freed memory
      // (`iio_trig_hrtimer_remove` in drivers/iio/trigger/iio-trig-hrtimer.c).
      if let user = IIOTriggers.devices(using: name, roots: roots).first {
        throw SluiceError(
          "remove", "trigger \(name)", errno: EBUSY,
          remedy:
            "\(user) still uses it: stop what reads it, or clear \(roots.iio.path)/\(user)/trigger/current_trigger")
      }
      guard rmdir(folder) != 0 else { return }
      throw SluiceError("remove", folder, errno: errno, remedy: "remove it with rmdir once nothing uses the trigger")
    }
  }
}

extension IIOChange {
  /// The line: `attribute iio:device0/buffer/length 2`, `rate 100.000000 tick`, `hrtimer tick`.
  var line: String {
    switch self {
    case .attribute(let path, let before): "attribute \(path) \(before)\n"
    case .rate(let name, let before): "rate \(before) \(name)\n"
    case .hrtimer(let name): "hrtimer \(name)\n"
    }
  }

  /// Nil if the line is malformed, or if its path leads out of the device's folder.
  init?(_ line: Substring, of device: String) {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    switch parts.first {
    case "attribute" where parts.count == 3:
      let names = parts[1].split(separator: "/", omittingEmptySubsequences: false)
      guard names.count > 1, names.allSatisfy(Self.isName), names[0] == device else { return nil }
      self = .attribute(path: parts[1], before: parts[2])
    case "rate" where parts.count == 3: self = .rate(trigger: parts[2], before: parts[1])
    case "hrtimer" where parts.count == 2 && Self.isName(parts[1][...]): self = .hrtimer(name: parts[1])
    default: return nil
    }
  }

  /// Whether a name stays in its folder, and fits in a line.
  static func isName(_ name: Substring) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.contains { $0 == "/" || $0.isWhitespace || $0.isNewline }
  }

  /// Whether it is the folder name of a device.
  static func isDevice(_ name: some StringProtocol) -> Bool {
    let prefix = "iio:device"
    let number = name.dropFirst(prefix.count)
    return name.hasPrefix(prefix) && !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
  }
}
