import XCTest

@testable import SluiceTool

final class LiveKeysTests: XCTestCase {
  private func keys(hasView: Bool = true, isReplay: Bool = false, streams: Int = 3) -> LiveKeys {
    var keys = LiveKeys(hasView: hasView, isReplay: isReplay)
    keys.setCount(streams)
    return keys
  }

  private func typed(_ text: String) -> [TerminalKey] { text.unicodeScalars.map { .character($0) } }

  func testActions() {
    var recording = keys()
    XCTAssertEqual(recording.press(typed(" qQ") + [.interrupt]), [.pause, .stop, .stop, .stop])
    XCTAssertEqual(recording.press([.right]), [], "a recording has no steps")
    XCTAssertEqual(recording.press(typed("xyz") + [.backspace]), [])
    var replay = keys(isReplay: true)
    XCTAssertEqual(replay.press([.right, .character(" ")]), [.step, .pause])
    XCTAssertEqual(replay.press(typed("m")), [])
    XCTAssertNil(replay.entry, "a replay has the marks of its trace")
  }

  func testSelection() {
    var keys = keys()
    func press(_ pressed: [TerminalKey]) -> Int {
      XCTAssertEqual(keys.press(pressed), [])
      return keys.selection
    }
    XCTAssertEqual(press([.down]), 1)
    XCTAssertEqual(press(typed("jjj")), 2)
    XCTAssertEqual(press(typed("k")), 1)
    XCTAssertEqual(press([.up, .up, .up]), 0)
    XCTAssertEqual(press([.enter]), 0)
    XCTAssertTrue(keys.isOpen)
    XCTAssertEqual(press([.down]), 1, "the chart of the next one")
    XCTAssertTrue(keys.isOpen)
    _ = press([.escape])
    XCTAssertFalse(keys.isOpen)
    _ = press([.enter, .enter])
    XCTAssertFalse(keys.isOpen)
  }

  func testWithoutStreamsThereIsNothingToSelect() {
    var empty = keys(streams: 0)
    XCTAssertEqual(empty.press([.down, .up, .enter]), [])
    XCTAssertEqual(empty.selection, 0)
    XCTAssertFalse(empty.isOpen)
    var line = keys(hasView: false)
    XCTAssertEqual(line.press([.down, .enter]), [])
    XCTAssertFalse(line.isOpen)
    XCTAssertEqual(line.selection, 0)
  }

  func testAMark() {
    var keys = keys(hasView: false)
    XCTAssertEqual(keys.press(typed("mq quit")), [])
    XCTAssertEqual(keys.entry, "q quit")
    XCTAssertEqual(keys.press([.backspace, .up, .left] + typed("e 温") + [.enter]), [.mark("q quie 温")])
    XCTAssertNil(keys.entry)
    XCTAssertEqual(keys.press(typed("mx") + [.escape]), [])
    XCTAssertNil(keys.entry)
    XCTAssertEqual(keys.press(typed("m") + [.enter]), [], "without a text there is no mark")
    XCTAssertEqual(keys.press(typed("mx") + [.interrupt]), [.stop])
  }

  /// The lines that follow in a pasted text are no commands.
  func testAPastedText() {
    var keys = keys()
    XCTAssertEqual(keys.press(typed("m")), [])
    XCTAssertEqual(keys.press(typed("one") + [.enter] + typed("quit")), [.mark("one")])
    XCTAssertEqual(keys.press(typed("q")), [.stop])
  }

  func testALongText() {
    var keys = keys()
    XCTAssertEqual(keys.press(typed("m" + String(repeating: "ä", count: 2_000))), [])
    XCTAssertEqual(keys.entry?.utf8.count, LiveKeys.longestText)
  }

  func testWhatTheKeysDo() {
    XCTAssertEqual(keys().text(isPaused: false), "space: pause, m: mark, enter: chart, q: end")
    XCTAssertEqual(keys(hasView: false).text(isPaused: true), "space: resume, m: mark, q: end")
    var replay = keys(isReplay: true)
    XCTAssertEqual(replay.text(isPaused: true), "space: resume, right: one reading, enter: chart, q: end")
    _ = replay.press([.enter])
    XCTAssertEqual(replay.text(isPaused: false), "space: pause, esc: streams, q: end")
  }
}
