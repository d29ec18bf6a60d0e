import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Checks whether the disks of the outputs have enough free space for `--min-free`.
package struct FreeSpace: Sendable {
  let least: ByteSize
  /// Returns the free bytes on the disk of a path; nil if they are not known.
  let ask: @Sendable (_ path: String) -> Int?
  /// The outputs that may fill a disk.
  private let paths: [String]

  init(_ least: ByteSize, _ outputs: [RecordingOutput], _ ask: @escaping @Sendable (String) -> Int?) {
    self.least = least
    self.ask = ask
    // A pipe, a terminal or /dev/null fills no disk.
    paths = outputs.filter { $0.kind.hasFiles }.map(\.path).filter { path in
      path != "-" && (FileIdentity(path: path).map { $0.isRegular || $0.isDirectory } ?? true)
    }
  }

  var isNeeded: Bool { !paths.isEmpty }

  /// The first output with too little space on its disk; nil if there is none.
  var shortage: String? { paths.first { ask($0).map { $0 < least.bytes } ?? false } }

  /// - Throws: If the space is too small before any file is made.
  func check() throws(SluiceError) {
    guard let path = shortage else { return }
    throw SluiceError(
      .failed, "write", path, because: "less than \(least) is free for it",
      remedy: "make room, or write to another disk")
  }

  /// The error that ends a running recording.
  func error(_ path: String) -> SluiceError {
    SluiceError(
      .failed, "go on with", path, because: "less than \(least) is free for it",
      remedy: "make room, and start the recording again")
  }

  /// The bytes that the user may still write, in the file system of a path, or of its folder if the path does not exist
  /// yet.
  @Sendable package static func system(_ path: String) -> Int? {
    var system = statvfs()
    if statvfs(path, &system) != 0 {
      var parent = path
      while parent.hasSuffix("/") { parent.removeLast() }
      guard statvfs(folder(of: parent), &system) == 0 else { return nil }
    }
    let (bytes, overflow) = UInt64(system.f_bavail).multipliedReportingOverflow(by: UInt64(system.f_frsize))
    return overflow ? .max : Int(clamping: bytes)
  }
}
