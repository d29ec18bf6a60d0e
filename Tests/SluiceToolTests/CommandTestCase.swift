import Foundation
import TestFiles
import XCTest

/// Runs the built command as a user does, in a folder of its own.
class CommandTestCase: XCTestCase {
  private lazy var temporary = temporaryFolder()
  var folder: String { temporary.path }

  /// What the command gets besides the environment of the tests. Without a folder for sockets, recordings of equal names do
  /// not meet.
  var environment: [String: String] { ["XDG_RUNTIME_DIR": "\(folder)/no-such-folder"] }

  /// The test bundle and the command are built into the same folder; `SLUICE_COMMAND` is another build, to see what that
  /// does.
  let command =
    ProcessInfo.processInfo.environment["SLUICE_COMMAND"].map { URL(fileURLWithPath: $0) }
    ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("sluice")

  /// - Parameter output: Where standard output goes; nil for what is returned.
  func start(_ arguments: String, output: String? = nil) throws -> (process: Process, said: Pipe) {
    try start(command, arguments.split(separator: " ").map(String.init), output: output)
  }

  /// Runs a script of the shell, in which `$SLUICE` is the command.
  func startShell(_ script: String) throws -> (process: Process, said: Pipe) {
    try start(URL(fileURLWithPath: "/bin/sh"), ["-c", "SLUICE='\(command.path)'; \(script)"], output: nil)
  }

  private func start(
    _ executable: URL, _ arguments: [String], output: String?
  ) throws -> (process: Process, said: Pipe) {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
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
    try finish(start(arguments, output: output), arguments, status: status, line: line)
  }

  @discardableResult func runShell(_ script: String, status: Int32 = 0, line: UInt = #line) throws -> String {
    try finish(startShell(script), script, status: status, line: line)
  }

  private func finish(
    _ started: (process: Process, said: Pipe), _ arguments: String, status: Int32, line: UInt
  ) throws -> String {
    let (process, said) = started
    let data = said.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    XCTAssertEqual(process.terminationStatus, status, "\(arguments): \(text)", line: line)
    return text
  }

  func rows(_ name: String) throws -> [String] {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// Waits for something to become true; the deadline is for a broken command, not a measure.
  func waitUntil(_ what: String, _ condition: () -> Bool) {
    let deadline = Date(timeIntervalSinceNow: 60)
    while !condition() {
      guard Date() < deadline else { return XCTFail("\(what) has not happened") }
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01))
    }
  }

  /// What a command that was started has said, once it has ended.
  func end(_ started: (process: Process, said: Pipe)) -> (status: Int32, text: String) {
    let text = String(decoding: started.said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    started.process.waitUntilExit()
    return (started.process.terminationReason == .exit ? started.process.terminationStatus : -1, text)
  }

  func write(_ name: String, _ text: String) throws {
    try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
  }

  /// A file of a fixture of sysfs, with its folders.
  func put(_ path: String, _ text: String) throws {
    let file = URL(fileURLWithPath: "\(folder)/\(path)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try (text + "\n").write(to: file, atomically: false, encoding: .utf8)
  }
}
