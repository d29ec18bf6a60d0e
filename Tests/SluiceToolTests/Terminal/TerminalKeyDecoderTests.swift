import XCTest

@testable import SluiceTool

final class TerminalKeyDecoderTests: XCTestCase {
  private func keys(_ text: String) -> [TerminalKey] {
    var decoder = TerminalKeyDecoder()
    return decoder.keys(in: Array(text.utf8))
  }

  func testKeys() {
    XCTAssertEqual(keys(" q\u{3}"), [.character(" "), .character("q"), .interrupt])
    XCTAssertEqual(keys("\u{1b}[C\u{1b}OC\u{1b}[A\u{1b}[B\u{1b}[D"), [.right, .right, .up, .down, .left])
    XCTAssertEqual(keys("\u{1b}[1;5C"), [.right], "with Ctrl")
    XCTAssertEqual(keys("\r\n\u{7f}\u{8}"), [.enter, .enter, .backspace, .backspace])
  }

  func testOtherKeysArePassedOver() {
    XCTAssertEqual(keys("\u{1b}[3~\u{1b}[15~\u{1b}OP\t\u{1}"), [])
    // Alt and a key, such as the letters of the sequences.
    XCTAssertEqual(keys("\u{1b}q\u{1b} x"), [.character("x")])
  }

  /// Esc is a key of its own if nothing follows it, or another Esc.
  func testEscape() {
    var decoder = TerminalKeyDecoder()
    XCTAssertEqual(decoder.keys(in: [0x1b]), [])
    XCTAssertEqual(decoder.keysOfPause(), [.escape])
    XCTAssertEqual(decoder.keysOfPause(), [])
    XCTAssertEqual(decoder.keys(in: Array("q".utf8)), [.character("q")])
    XCTAssertEqual(keys("\u{1b}\u{1b}[C q"), [.escape, .right, .character(" "), .character("q")])
  }

  func testTextOfAnyLanguage() {
    XCTAssertEqual(keys("ä温😀"), [.character("ä"), .character("温"), .character("😀")])
    var decoder = TerminalKeyDecoder()
    // Bytes that are no character, and a character that another one interrupts.
    XCTAssertEqual(
      decoder.keys(in: [0x80, 0xff, 0xc3, 0x28, 0xe6, 0xb8, 0xc3, 0xa4]), [.character("("), .character("ä")])
    XCTAssertEqual(keys("\u{9b}\u{202e}"), [], "a control character would go to the terminal")
  }

  func testPiecesOfASequence() {
    let bytes = Array("\u{1b}[1;2Cä\u{1b}OCq".utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var decoder = TerminalKeyDecoder()
        let parts = [bytes[..<first], bytes[first..<second], bytes[second...]]
        XCTAssertEqual(
          parts.flatMap { decoder.keys(in: $0) }, [.right, .character("ä"), .right, .character("q")])
      }
    }
  }
}
