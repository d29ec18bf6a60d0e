import XCTest

@testable import SluiceTool

final class TerminalKeyDecoderTests: XCTestCase {
  private func keys(_ text: String) -> [TerminalKey] {
    var decoder = TerminalKeyDecoder()
    return decoder.keys(in: Array(text.utf8))
  }

  func testKeys() {
    XCTAssertEqual(keys(" qQ\u{3}"), [.space, .quit, .quit, .quit])
    XCTAssertEqual(keys("\u{1b}[C\u{1b}OC"), [.right, .right])
    XCTAssertEqual(keys("\u{1b}[1;5C"), [.right], "with Ctrl")
  }

  func testOtherKeysArePassedOver() {
    XCTAssertEqual(keys("\u{1b}[A\u{1b}[B\u{1b}[D\u{1b}[3~\u{1b}[15~\u{1b}OP"), [])
    XCTAssertEqual(keys("abcC\n\t\u{7f}\u{e4}"), [])
    // Alt and a key, such as the letters of the sequences.
    XCTAssertEqual(keys("\u{1b}q\u{1b} x"), [])
    XCTAssertEqual(keys("\u{1b}\u{1b}[C q"), [.right, .space, .quit])
  }

  func testPiecesOfASequence() {
    let bytes = Array("\u{1b}[1;2C \u{1b}OCq".utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var decoder = TerminalKeyDecoder()
        let parts = [bytes[..<first], bytes[first..<second], bytes[second...]]
        XCTAssertEqual(parts.flatMap { decoder.keys(in: $0) }, [.right, .space, .right, .quit])
      }
    }
  }
}
