import Foundation

/// The sources that the tests are built from.
public enum Checkout {
  /// The folder of the package: the next one above this file that has a Package.swift.
  public static let folder: URL = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/",
      !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Package.swift").path)
    {
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  public static let sources = file("Sources")

  /// - Parameter path: From the folder of the package on.
  public static func file(_ path: String) -> URL { folder.appendingPathComponent(path) }

  public static func text(_ path: String) throws -> String { try String(contentsOf: file(path), encoding: .utf8) }
}
