import SluiceAnalysis
import XCTest

@testable import SluiceTool

final class TerminalAreaTests: XCTestCase {
  /// What a terminal makes of the bytes: rows that scroll, a cursor, and the three sequences that are used. It wraps
  /// lines, as all terminals do.
  private struct Screen {
    let columns: Int
    var rows: [[Character]] = [[]]
    var cursor = (row: 0, column: 0)

    mutating func write(_ text: String) {
      var characters = Array(text)[...]
      while let character = characters.popFirst() {
        switch character {
        case "\r": cursor.column = 0
        case "\n", "\r\n": lineFeed()
        case "\u{1b}":
          let end = characters.firstIndex { $0.isLetter } ?? characters.endIndex
          let number = Int(String(characters[characters.startIndex..<end].dropFirst())) ?? 1
          switch characters[end] {
          case "A": cursor.row = max(0, cursor.row - number)
          case "K": rows[cursor.row] = Array(rows[cursor.row].prefix(cursor.column))
          case "J":
            rows[cursor.row] = Array(rows[cursor.row].prefix(cursor.column))
            rows.removeSubrange((cursor.row + 1)...)
          default: XCTFail("ESC \(characters[end])")
          }
          characters = characters[(end + 1)...]
        default:
          if cursor.column == columns { lineFeed() }
          while rows[cursor.row].count <= cursor.column { rows[cursor.row].append(" ") }
          rows[cursor.row][cursor.column] = character
          cursor.column += 1
        }
      }
    }

    private mutating func lineFeed() {
      (cursor.row, cursor.column) = (cursor.row + 1, 0)
      if cursor.row == rows.count { rows.append([]) }
    }

    var text: [String] { rows.map { String($0) } }
  }

  private func lines(_ texts: [String], columns: Int = 20) -> [TerminalLine] {
    let window = TerminalWindow(size: (columns, 24)) { _ in nil }
    return texts.map { text in
      var line = TerminalLine(window, limit: columns)
      line.add(text)
      return line
    }
  }

  /// Whatever was shown before, the screen has the messages and then the lines, and the cursor is below them.
  func testAnyChangesGiveTheSameAsDrawingAnew() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var (area, screen, messages) = (TerminalArea(), Screen(columns: 20), [String]())
      for step in 0..<20 {
        let shown = (0..<Int.random(in: 0...5, using: &random)).map {
          "\($0): \(Int.random(in: 0...2, using: &random))"
        }
        screen.write(area.show(lines(shown), columns: 20))
        if Bool.random(using: &random) {
          messages.append("message \(step)")
          screen.write(area.above("message \(step)"))
        }
        XCTAssertEqual(screen.text, messages + shown + [""])
        XCTAssertEqual(screen.cursor.column, 0)
        XCTAssertEqual(screen.cursor.row, screen.rows.count - 1)
      }
    }
  }

  func testWhatHasNotChangedIsNotWritten() {
    var area = TerminalArea()
    XCTAssertEqual(area.show(lines(["a", "b", "c"]), columns: 20), "\r\u{1b}[Ja\nb\nc\n")
    XCTAssertEqual(area.show(lines(["a", "b", "c"]), columns: 20), "")
    XCTAssertEqual(area.show(lines(["a", "x", "c"]), columns: 20), "\r\u{1b}[2A\u{1b}[Kx\n\n")
    XCTAssertEqual(area.show([], columns: 20), "\r\u{1b}[3A\u{1b}[J")
    XCTAssertTrue(area.isEmpty)
  }

  /// A line as wide as the window, and the lines that a narrower window has wrapped.
  func testANarrowerWindow() {
    var area = TerminalArea()
    let wide = String(repeating: "x", count: 20)
    var screen = Screen(columns: 20)
    screen.write(area.show(lines([wide, "b"]), columns: 20))
    XCTAssertEqual(screen.text, [wide, "b", ""])
    var narrow = Screen(columns: 8)
    narrow.write("before\n")
    narrow.write(wide + "\nb\n")
    narrow.write(area.show(lines(["y", "z"], columns: 8), columns: 8))
    XCTAssertEqual(narrow.text, ["before", "y", "z", ""])
  }

  /// After a stop, what the shell has written stays.
  func testForgottenLinesStay() {
    var (area, screen) = (TerminalArea(), Screen(columns: 20))
    screen.write(area.show(lines(["a", "b"]), columns: 20))
    area.forget()
    screen.write("$ fg\n")
    screen.write(area.show(lines(["c"]), columns: 20))
    XCTAssertEqual(screen.text, ["a", "b", "$ fg", "c", ""])
  }
}
