import SluiceSystem

/// A file that a recording opens, and the access that it needs.
struct DeviceFile: Equatable {
  let path: String
  /// The mode for access(2).
  let mode: Int32

  static func read(_ path: String) -> DeviceFile { DeviceFile(path: path, mode: R_OK) }
  static func written(_ path: String) -> DeviceFile { DeviceFile(path: path, mode: W_OK) }
  static func readAndWritten(_ path: String) -> DeviceFile { DeviceFile(path: path, mode: R_OK | W_OK) }
}
