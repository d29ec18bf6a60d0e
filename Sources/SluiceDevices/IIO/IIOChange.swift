import SluiceReadings

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// One thing that was changed for a recording, and how to undo it: a line of a state file.
enum IIOChange: Hashable, Sendable {
  /// An attribute of a device, by its path below the folder of all IIO devices, and what it was.
  case attribute(path: String, before: String)
  /// The rate of a trigger, which is known by its name: its number may be another's by now.
  case rate(trigger: String, before: String)
  /// A trigger that was made through configfs.
  case hrtimer(name: String)

  /// Whether other recordings may depend on it, so that it is undone after the last of them. The clock is that of a
  /// device's scans and of its events, which are two recordings.
  var isShared: Bool {
    switch self {
    case .attribute(let path, _): path.hasSuffix("/current_timestamp_clock")
    case .rate, .hrtimer: true
    }
  }

  /// - Parameter device: The one that it was made for.
  /// - Throws: ``SluiceError/Code/busy`` while another device depends on it.
  func undo(for device: String, _ roots: DeviceRoots) throws(SluiceError) {
    switch self {
    case .attribute(let path, let before):
      // A line feed is what clears an attribute: a write of nothing does not reach the driver.
      try roots.iio.write(path, before.isEmpty ? "\n" : before)
    case .rate(let name, let before):
      guard let trigger = IIOTriggers.list(roots: roots).first(where: { $0.name == name }) else { return }
      if let reader = IIOTriggers.readers(of: name, but: device, roots: roots).first {
        throw SluiceError(
          "put back", "the rate of trigger \(name)", errno: EBUSY,
          remedy: "\(reader) is being read with it: stop what reads it first")
      }
      try trigger.folder.write("sampling_frequency", before)
    case .hrtimer(let name):
      let folder = IIOTriggers.hrtimers(roots).folder(name).path
      // The kernel removes it from under a device that uses it, and then touches its freed memory
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
  /// `attribute iio:device0/buffer/length 2`, `rate 100.000000 tick`, `hrtimer tick`.
  var line: String {
    switch self {
    case .attribute(let path, let before): "attribute \(path) \(before)\n"
    case .rate(let name, let before): "rate \(before) \(name)\n"
    case .hrtimer(let name): "hrtimer \(name)\n"
    }
  }

  /// Nil for what is no such line, or would lead out of the device's folder.
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

  /// A name that stays where it is, and that a line can hold.
  static func isName(_ name: Substring) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.contains { $0 == "/" || $0.isWhitespace || $0.isNewline }
  }

  /// Whether it is the folder of a device.
  static func isDevice(_ name: Substring) -> Bool {
    let prefix = "iio:device"
    let number = name.dropFirst(prefix.count)
    return name.hasPrefix(prefix) && !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
  }
}
