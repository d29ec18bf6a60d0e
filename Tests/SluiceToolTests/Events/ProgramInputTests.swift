import Foundation
import SluiceSystem
import XCTest

@testable import SluiceTool

final class ProgramInputTests: XCTestCase {
  /// Longer than what a pipe holds.
  func testALongTextIsWhole() throws {
    let ends = try pipeEnds()
    let text = (0..<40_000).map { "\($0)," }.joined()
    var input = ProgramInput(ends.writing, text)
    var read: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 30_000)
    while true {
      let count = Glibc.read(ends.reading, &bytes, bytes.count)
      guard count > 0 else { break }
      read += bytes[..<count]
      input.wait(0)
    }
    XCTAssertEqual(String(decoding: read, as: UTF8.self), text)
    closeFile(ends.reading)
  }

  func testAProgramThatReadsNothing() throws {
    // As in the command.
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    let ends = try pipeEnds()
    closeFile(ends.reading)
    var input = ProgramInput(ends.writing, "text")
    input.wait(0)
    input.close()
  }
}
