public import SluiceReadings
import SluiceSystem

#if SLUICE_GPIO
  import CGPIO
#endif

/// The description of a GPIO chip.
public struct GPIOChipInfo: Hashable, Sendable {
  /// Its device file, such as `/dev/gpiochip0`.
  public var path: String
  /// The kernel's name: `gpiochip0`.
  public var name: String
  /// The label that the driver gives it.
  public var label: String
  /// Its lines, in the order of their offsets.
  public var lines: [GPIOLineInfo]
}

/// The description of a line of a chip.
public struct GPIOLineInfo: Hashable, Sendable {
  /// Its offset on the chip.
  public var offset: UInt32
  /// Its name; nil if it has none.
  public var name: String?
  /// Its consumer; nil if it is not in use.
  public var consumer: String?
  /// Whether it is an output.
  public var isOutput: Bool
  /// Whether a low level counts as 1.
  public var isActiveLow: Bool
  /// The bias; `asIs` if the kernel does not know.
  public var bias: GPIOOptions.Bias = .asIs
}

/// The GPIO chips of this machine.
public enum GPIOChips {
  /// All chips that can be opened, in the order of their numbers.
  /// - Parameter root: The folder of device files.
  public static func list(root: String = "/dev") -> [GPIOChipInfo] {
    scan(root: root).chips
  }

  /// All chips, and the errors of those that cannot be opened.
  struct Scan {
    var chips: [GPIOChipInfo] = []
    var refusals: [SluiceError] = []
  }

  static func scan(root: String) -> Scan {
    var scan = Scan()
    for path in paths(root: root) {
      do throws(SluiceError) {
        scan.chips.append(try GPIOChip(path: path).info())
      } catch {
        scan.refusals.append(error)
      }
    }
    return scan
  }

  /// The description of one chip.
  /// - Parameter path: Its device file.
  public static func info(path: String) throws(SluiceError) -> GPIOChipInfo { try GPIOChip(path: path).info() }

  /// The device files of all chips.
  public static func paths(root: String = "/dev") -> [String] {
    numberedEntries(root, "gpiochip").map { "\(root)/\($0)" }
  }

  /// The version of libgpiod; nil if it is not installed, or if this build was made without it.
  public static var libraryVersion: String? {
    #if SLUICE_GPIO
      cgpio_load() == nil ? String(cString: cgpio_version()) : nil
    #else
      nil
    #endif
  }

  /// The versions of the kernel's interface (include/uapi/linux/gpio.h) that a chip supports. libgpiod 1 needs version
  /// 1, libgpiod 2 needs version 2.
  /// - Returns: Nil if the chip cannot be asked.
  public static func interfaceVersions(path: String) -> [Int]? {
    #if SLUICE_GPIO
      let found = cgpio_abis(path)
      guard found >= 0 else { return nil }
      return [(CGPIO_ABI_V1, 1), (CGPIO_ABI_V2, 2)].filter { UInt32(found) & $0.0.rawValue != 0 }.map(\.1)
    #else
      return nil
    #endif
  }

  static let compiledOut = SluiceError(
    .unsupported, "use", "GPIO", because: "this sluice was built without libgpiod (SLUICE_GPIO=0)",
    remedy: "build it without that setting")

  #if SLUICE_GPIO
    /// Loads libgpiod.
    static func load() throws(SluiceError) {
      guard let failure = cgpio_load() else { return }
      throw SluiceError(
        loading: "libgpiod", because: failure, package: "libgpiod3 on Debian 13, or libgpiod2 on Debian 12")
    }
  #endif
}

/// An open chip.
final class GPIOChip {
  let path: String
  #if SLUICE_GPIO
    let chip: OpaquePointer
  #endif

  /// Opens a chip by path (`/dev/gpiochip0`), name (`gpiochip0`), number (`0`) or label.
  static func find(_ name: String, root: String) throws(SluiceError) -> GPIOChip {
    #if !SLUICE_GPIO
      throw GPIOChips.compiledOut
    #else
      return try search(name, root: root)
    #endif
  }

  private static func search(_ name: String, root: String) throws(SluiceError) -> GPIOChip {
    let paths = GPIOChips.paths(root: root)
    if name.contains("/") { return try GPIOChip(path: name) }
    for candidate in ["\(root)/\(name)", "\(root)/gpiochip\(name)"] where paths.contains(candidate) {
      return try GPIOChip(path: candidate)
    }
    let scan = GPIOChips.scan(root: root)
    let labelled = scan.chips.filter { $0.label == name }
    if labelled.count > 1 {
      throw SluiceError(
        .usage, "open", "GPIO chip \(name)",
        because: "\(labelled.map(\.name).joined(separator: " and ")) have that label", remedy: "give a chip by its name"
      )
    }
    if let chip = labelled.first { return try GPIOChip(path: chip.path) }
    // It may be a chip that this user cannot open.
    if let refusal = scan.refusals.first { throw refusal }
    let known = paths.isEmpty ? "this machine has no GPIO chip" : "there are \(paths.joined(separator: ", "))"
    throw SluiceError(.notFound, "open", "GPIO chip \(name)", because: "there is no such chip", remedy: known)
  }

  init(path: String) throws(SluiceError) {
    self.path = path
    #if SLUICE_GPIO
      try GPIOChips.load()
      guard let chip = cgpio_chip_open(path) else {
        throw SluiceError("open", path, errno: errno, remedy: Self.remedy(errno, path))
      }
      self.chip = chip
    #else
      throw GPIOChips.compiledOut
    #endif
  }

  deinit {
    #if SLUICE_GPIO
      cgpio_chip_close(chip)
    #endif
  }

  private static func remedy(_ errno: Int32, _ path: String) -> String? {
    switch SluiceError.Code(errno: errno) {
    case .permissionDenied:
      "add yourself to its group where that may read and write it (ls -l \(path)); sluice doctor says more"
    case .notFound, .unsupported: "give a GPIO chip such as /dev/gpiochip0; sluice list shows them"
    default: Self.dmesg
    }
  }

  private static let dmesg = "try again, or look for a message of its driver in dmesg"

  private func refusal(_ object: String) -> SluiceError {
    SluiceError("ask", object, errno: errno, remedy: errno == ENODEV ? "connect the chip again" : Self.dmesg)
  }

  func info() throws(SluiceError) -> GPIOChipInfo {
    #if SLUICE_GPIO
      var info = cgpio_chip_info()
      guard cgpio_chip_get_info(chip, &info) == 0 else { throw refusal(path) }
      var lines: [GPIOLineInfo] = []
      for offset in 0..<info.lines { lines.append(try line(offset)) }
      return GPIOChipInfo(path: path, name: text(info.name), label: text(info.label), lines: lines)
    #else
      throw GPIOChips.compiledOut
    #endif
  }

  #if SLUICE_GPIO
    func line(_ offset: UInt32) throws(SluiceError) -> GPIOLineInfo {
      var info = cgpio_line_info()
      guard cgpio_chip_get_line_info(chip, offset, &info) == 0 else {
        throw refusal("line \(offset) of \(path)")
      }
      let (name, consumer) = (text(info.name), text(info.consumer))
      return GPIOLineInfo(
        offset: offset, name: name.isEmpty ? nil : name,
        consumer: info.used ? (consumer.isEmpty ? "the kernel" : consumer) : nil, isOutput: info.output,
        isActiveLow: info.active_low, bias: bias(info.bias))
    }

    private func bias(_ bias: cgpio_bias) -> GPIOOptions.Bias {
      switch bias {
      case CGPIO_BIAS_DISABLED: .disabled
      case CGPIO_BIAS_PULL_UP: .pullUp
      case CGPIO_BIAS_PULL_DOWN: .pullDown
      default: .asIs
      }
    }
  #endif
}

/// The text in a C array of characters.
private func text<T>(_ characters: T) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
