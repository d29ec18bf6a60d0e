import Foundation

/// Writes a file of the current folder.
func writeFile(_ name: String, _ text: String) throws {
  try Data(text.utf8).write(to: URL(fileURLWithPath: name))
}

/// A folder for one pipeline after another, which becomes the current folder.
struct WorkFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/sluice-round-trip-\(ProcessInfo.processInfo.processIdentifier)"
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
