import Foundation
import XCTest

/// Runs the built command as a user does, in a folder of its own.
class CommandTestCase: XCTestCase {
  let folder = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: folder) }

  /// - Parameter output: Where standard output goes; nil for what is returned.
  func start(_ arguments: String, output: String? = nil) throws -> (process: Process, said: Pipe) {
    let process = Process()
    // The test bundle and the command are built into the same folder.
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("sluice")
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let said = Pipe()
    process.standardError = said
    process.standardOutput = said
    if let output { process.standardOutput = FileHandle(forWritingAtPath: output) }
    try process.run()
    return (process, said)
  }

  @discardableResult func run(
    _ arguments: String, status: Int32 = 0, output: String? = nil, line: UInt = #line
  ) throws -> String {
    let (process, said) = try start(arguments, output: output)
    let data = said.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    XCTAssertEqual(process.terminationStatus, status, "\(arguments): \(text)", line: line)
    return text
  }

  func rows(_ name: String) throws -> [String] {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n").map(String.init)
  }

  func write(_ name: String, _ text: String) throws {
    try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
  }
}
