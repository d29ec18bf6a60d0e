import Foundation

/// Writes a file of the current folder.
func writeFile(_ name: String, _ text: String) throws {
  try Data(text.utf8).write(to: URL(fileURLWithPath: name))
}

/// A folder for one pipeline after another, which becomes the current folder.
struct WorkFolder {
  let path: String

  /// - Parameter stays: Whether its files are kept. If not, they are in memory if possible.
  init(stays: Bool) throws {
    let memory = "/dev/shm"
    let isThere = FileManager.default.isWritableFile(atPath: memory)
    let folder = isThere && !stays ? memory : FileManager.default.temporaryDirectory.path
    path = "\(folder)/sluice-round-trip-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard FileManager.default.changeCurrentDirectoryPath(path) else { throw Fault("cannot go to \(path)") }
  }

  /// Removes everything in it.
  func empty() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
  }

  func remove() {
    _ = FileManager.default.changeCurrentDirectoryPath("/")
    try? FileManager.default.removeItem(atPath: path)
  }
}
