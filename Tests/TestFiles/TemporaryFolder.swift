import Foundation
import XCTest

/// A folder for one test, which is removed with it.
public final class TemporaryFolder: Sendable, CustomStringConvertible {
  public let path: String

  public init() {
    path = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { remove() }

  public func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Its path, so that a text may name a file in it.
  public var description: String { path }

  /// The path of a file in it.
  /// - Parameter text: What the file has, if it is made at once.
  public func file(_ name: String, _ text: String? = nil) -> String {
    let file = "\(path)/\(name)"
    if let text { try? text.write(toFile: file, atomically: false, encoding: .utf8) }
    return file
  }

  public func text(_ name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

  public var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] }
}

extension XCTestCase {
  /// A folder that is removed when the test ends. A member that holds it is `lazy`: XCTest makes every test case before
  /// the first test, and lets none go.
  public func temporaryFolder() -> TemporaryFolder {
    let folder = TemporaryFolder()
    addTeardownBlock { folder.remove() }
    return folder
  }
}
