import SluiceDevices
import SluiceReadings
import SluiceSystem

/// The machine that `sluice doctor` checks. Tests replace it.
struct Surroundings {
  var roots: DeviceRoots
  var proc: String
  var user: User
  var accounts: Accounts
  /// Returns the errno of opening a file; nil if it can be opened.
  var access: (_ path: String, _ mode: Int32) -> Int32?
  /// Returns the versions of the kernel's GPIO interface that a chip supports; nil if they are unknown.
  var interfaceVersions: (_ path: String) -> [Int]?

  /// - Parameter root: The folder of sys, dev, proc, run and etc.
  static func current(root: String = "") -> Surroundings {
    Surroundings(
      roots: DeviceRoots(root: root), proc: "\(root)/proc",
      user: .current,
      accounts: Accounts(passwd: text("\(root)/etc/passwd") ?? "", group: text("\(root)/etc/group") ?? ""),
      // The kernel's own answer includes access lists and capabilities.
      access: { faccessat(AT_FDCWD, $0, $1, AT_EACCESS) == 0 ? nil : errno },
      interfaceVersions: { GPIOChips.interfaceVersions(path: $0) })
  }

  func exists(_ path: String) -> Bool { Self.status(path) != nil }

  static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// The first megabyte of a file; nil if it cannot be read.
  static func text(_ path: String) -> String? {
    guard let descriptor = try? openFile(path, O_RDONLY) else { return nil }
    defer { closeFile(descriptor) }
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while text.count < 1 << 20, let count = try? readBytes(descriptor, into: &bytes), count > 0 {
      text += bytes.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The first word of a file, such as an attribute of sysfs.
  static func word(_ path: String) -> String? {
    text(path)?.split(whereSeparator: \.isWhitespace).first.map(String.init)
  }
}
