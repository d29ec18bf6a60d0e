import Foundation
import XCTest

@testable import SluiceRecording

final class SecretsTests: XCTestCase {
  func testPieces() {
    func pieces(_ text: String) -> [Secrets.Piece]? { Secrets.pieces(of: text) }
    XCTAssertEqual(pieces("a$b"), [.text("a$b")])
    XCTAssertEqual(pieces(""), [])
    XCTAssertEqual(pieces("${A_1}"), [.secret("A_1")])
    XCTAssertEqual(pieces("x${A}y${B}"), [.text("x"), .secret("A"), .text("y"), .secret("B")])
    XCTAssertEqual(pieces("$${A}"), [.text("${A}")])
    XCTAssertEqual(pieces("$$${A}"), [.text("$${A}")])
    XCTAssertEqual(pieces("$"), [.text("$")])
    for text in ["${", "${}", "${1A}", "${A", "${A B}", "${\u{e9}}", "x${-}"] { XCTAssertNil(pieces(text), text) }
    for text in ["", "a", "${A}", "$${A}", "$$${", "$", "{", "$ {"] {
      XCTAssertEqual(pieces(Secrets.escaped(text)), text.isEmpty ? [] : [.text(text)], text)
    }
  }

  func testTheEnvironmentFillsThemIn() throws {
    setenv("SLUICE_TEST_PASSWORD", "p w", 1)
    defer { unsetenv("SLUICE_TEST_PASSWORD") }
    XCTAssertEqual(try Secrets.filled("a://b:${SLUICE_TEST_PASSWORD}@c/$${d}"), "a://b:p w@c/${d}")
    XCTAssertThrowsError(try Secrets.filled("a://${SLUICE_TEST_NONE}")) {
      XCTAssertEqual(
        "\($0)",
        "cannot use the address a://${SLUICE_TEST_NONE}: the environment has no SLUICE_TEST_NONE; set it, as with EnvironmentFile= of a service"
      )
    }
    XCTAssertThrowsError(try Secrets.filled("a://${"))
  }
}
