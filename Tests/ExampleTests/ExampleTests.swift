import Foundation
import TestFiles
import XCTest

/// Runs every program under Examples and compares all that it says with the `expected.txt` beside it.
final class ExampleTests: XCTestCase {
  private let examples = Checkout.file("Examples")

  /// Of the folders that hold Swift; others are files to install, and a template is a package of its own.
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: examples.path)
      .filter { name in
        let files = try? FileManager.default.contentsOfDirectory(atPath: examples.appendingPathComponent(name).path)
        return files?.contains { $0.hasSuffix(".swift") } == true && files?.contains("Package.swift") == false
      }
      .sorted()
  }

  /// - Returns: What it says, on either output, until it ends.
  private func run(_ program: URL) throws -> String {
    let process = Process()
    process.executableURL = program
    let said = Pipe()
    process.standardOutput = said
    process.standardError = said
    try process.run()
    let deadline = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: deadline)
    let data = said.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    deadline.cancel()
    let status = process.terminationStatus
    return String(decoding: data, as: UTF8.self) + (status == 0 ? "" : "exit status \(status)\n")
  }

  func testEveryProgramSaysWhatIsExpected() throws {
    let names = try names()
    XCTAssertFalse(names.isEmpty)
    // The test bundle and the programs are built into the same folder.
    let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    for name in names {
      let program = built.appendingPathComponent("Example\(name)")
      let file = examples.appendingPathComponent("\(name)/expected.txt")
      guard FileManager.default.isExecutableFile(atPath: program.path) else {
        XCTFail("Examples/\(name) is not built: Package.swift lists the programs")
        continue
      }
      let expected = try String(contentsOf: file, encoding: .utf8)
      XCTAssertEqual(try run(program), expected, name)
    }
  }
}
