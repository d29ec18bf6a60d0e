import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// One thing that was changed on a device, and how to undo it: a line of a state file.
enum IIOChange: Hashable, Sendable {
  /// An attribute, by its path below the folder of all IIO devices, and what it was.
  case attribute(path: String, before: String)
  /// A trigger that was made through configfs.
  case hrtimer(name: String)

  /// The folder of the device or trigger whose attribute it is.
  var folder: String? {
    guard case .attribute(let path, _) = self else { return nil }
    return path.split(separator: "/").first.map(String.init)
  }

  func undo(_ roots: DeviceRoots) throws(SluiceError) {
    switch self {
    case .attribute(let path, let before):
      // A line feed is what clears an attribute: a write of nothing does not reach the driver.
      try roots.iio.write(path, before.isEmpty ? "\n" : before)
    case .hrtimer(let name):
      let folder = IIOTriggers.hrtimers(roots).folder(name).path
      // The kernel removes it from under a device that uses it, and then touches its freed memory
      // (`iio_trig_hrtimer_remove` in drivers/iio/trigger/iio-trig-hrtimer.c).
      let devices = roots.iio.entries.filter { $0.hasPrefix("iio:device") }
      for device in devices where roots.iio.readIfPresent("\(device)/trigger/current_trigger") == name {
        throw SluiceError("remove", "trigger \(name)", errno: EBUSY, remedy: "\(device) still uses it")
      }
      guard rmdir(folder) != 0 else { return }
      throw SluiceError("remove", folder, errno: errno, remedy: "remove it with rmdir once nothing uses the trigger")
    }
  }
}

extension IIOChange {
  /// `attribute iio:device0/buffer/length 2`, `hrtimer tick`.
  var line: String {
    switch self {
    case .attribute(let path, let before): "attribute \(path) \(before)\n"
    case .hrtimer(let name): "hrtimer \(name)\n"
    }
  }

  /// Nil for what is no such line, or would lead out of the devices' folder.
  init?(_ line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    switch parts.first {
    case "attribute" where parts.count == 3:
      let names = parts[1].split(separator: "/", omittingEmptySubsequences: false)
      guard names.count > 1, names.allSatisfy(Self.isName), Self.isFolder(names[0]) else { return nil }
      self = .attribute(path: parts[1], before: parts[2])
    case "hrtimer" where parts.count == 2 && Self.isName(parts[1][...]): self = .hrtimer(name: parts[1])
    default: return nil
    }
  }

  /// A name that stays where it is, and that a line can hold.
  static func isName(_ name: Substring) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.contains { $0 == "/" || $0.isWhitespace || $0.isNewline }
  }

  /// Whether it is the folder of a device or a trigger.
  static func isFolder(_ name: Substring) -> Bool {
    ["iio:device", "trigger"].contains { prefix in
      let number = name.dropFirst(prefix.count)
      return name.hasPrefix(prefix) && !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
    }
  }
}
