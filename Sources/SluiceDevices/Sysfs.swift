import SluiceReadings
import SluiceSystem

/// The names in a folder, without `.` and `..`; empty if it cannot be read.
func directoryEntries(_ path: String) -> [String] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if name != ".", name != ".." { names.append(name) }
  }
  return names.sorted()
}

/// The names in a folder that are a prefix and a number, such as `pps0`, in the order of their numbers.
func numberedEntries(_ path: String, _ prefix: String) -> [String] {
  directoryEntries(path).filter { $0.hasPrefix(prefix) }.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
}

/// The kernel's name of a device: the last part of its path, behind links such as those of /dev/input/by-id.
func deviceName(_ text: String) -> String {
  text.contains("/") ? fileName(of: realPath(text) ?? text) : text
}

/// Opens the file of a device for reading.
/// - Parameters:
///   - denied: The remedy if this user may not.
///   - busy: The remedy if only one program at a time may.
func openDevice(
  _ path: String, _ flags: Int32 = O_RDONLY | O_NONBLOCK, denied: String, busy: String = SysfsFolder.driverRemedy
) throws(SluiceError) -> Int32 {
  do throws(SystemErrno) {
    return try openFile(path, flags)
  } catch {
    let remedy =
      switch error.code {
      case EACCES: denied
      case EBUSY: busy
      case ENOENT: "is devtmpfs mounted, and udev running?"
      default: SysfsFolder.driverRemedy
      }
    throw SluiceError("open", path, errno: error.code, remedy: remedy)
  }
}

/// A folder of sysfs. Its files are the attributes of a device.
struct SysfsFolder: Equatable {
  let path: String

  /// The kernel writes an attribute into one page (Documentation/filesystems/sysfs.rst).
  private static let page = 4_096

  func has(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

  /// Whether nobody may write it, not even root (`KERNFS_ROOT_EXTRA_OPEN_PERM_CHECK` in fs/kernfs).
  func isReadOnly(_ name: String) -> Bool {
    var status = stat()
    return stat("\(path)/\(name)", &status) == 0 && status.st_mode & 0o222 == 0
  }

  func folder(_ name: String) -> SysfsFolder { SysfsFolder(path: "\(path)/\(name)") }

  var entries: [String] { directoryEntries(path) }

  /// The text of an attribute, without surrounding white space.
  func read(_ name: String) throws(SluiceError) -> String {
    var bytes = [UInt8](repeating: 0, count: Self.page + 1)
    let file = "\(path)/\(name)"
    do throws(SystemErrno) {
      // A read of a file that is not regular, such as a FIFO, may block.
      let descriptor = try openFile(file, O_RDONLY | O_NONBLOCK)
      defer { closeFile(descriptor) }
      guard FileIdentity(descriptor: descriptor)?.isRegular ?? false else { throw SystemErrno(Self.noFile) }
      let count = try readBytes(descriptor, into: &bytes)
      bytes.removeLast(bytes.count - count)
    } catch {
      guard error.code != Self.noFile else {
        throw SluiceError(
          .failed, "read", file, because: "it is not a regular file", remedy: "give a file that holds one value")
      }
      throw SluiceError("read", file, errno: error.code, remedy: Self.remedy(error.code))
    }
    guard bytes.count <= Self.page else {
      throw SluiceError(
        .malformed, "read", file, because: "it is longer than an attribute of sysfs can be",
        remedy: "give a file that holds one value")
    }
    let text = bytes.prefix { $0 != 0 }
    return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(Self.trimmed) ?? ""
  }

  /// The text of an attribute; nil if it does not exist or cannot be read.
  func readIfPresent(_ name: String) -> String? { has(name) ? try? read(name) : nil }

  func write(_ name: String, _ value: String) throws(SluiceError) {
    let file = "\(path)/\(name)"
    var value = value
    do throws(SystemErrno) {
      let descriptor = try openFile(file, O_WRONLY)
      defer { closeFile(descriptor) }
      if let failed = value.withUTF8({ writeBytes(descriptor, UnsafeRawBufferPointer($0)) }) { throw failed.error }
    } catch {
      let action = "write \"\(value)\" to"
      guard error.code != EACCES || !isReadOnly(name) else {
        throw SluiceError(
          .unsupported, action, file, because: "its driver does not let it be changed", remedy: "leave it as it is",
          errno: error.code)
      }
      let choice = error.code == EINVAL || error.code == ERANGE ? readIfPresent("\(name)_available") : nil
      throw SluiceError(
        action, file, errno: error.code, remedy: choice.map { "it takes \($0)" } ?? Self.remedy(error.code))
    }
  }

  /// An error number that open(2) and read(2) never return for a file.
  private static let noFile: Int32 = ESPIPE

  private static func remedy(_ code: Int32) -> String {
    switch SluiceError.Code(errno: code) {
    case .permissionDenied where geteuid() == 0: "the kernel or a container keeps it from root: do it outside of that"
    case .permissionDenied: "run it as root, or let a udev rule give the file to your group"
    case .busy: "another program is using the device"
    case .disconnected: "the device was removed"
    case .notFound: "check the name; the device may have been removed"
    case .failed where code == EINVAL || code == ERANGE: "its driver does not take this: try another value"
    default: driverRemedy
    }
  }

  /// The remedy if nothing better is known.
  static let driverRemedy = "connect the device again, or look for a message of its driver in dmesg"
  /// The remedy for a device description that makes no sense.
  static let malformedRemedy = "its driver is at fault: try a newer kernel"

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text.drop { $0.isWhitespace })
  }
}
