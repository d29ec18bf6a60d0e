import SluicePipeline
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceYAML

final class YAMLTreeTests: XCTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try InstalledLibrary.yaml.needed()
  }

  /// A node without places: `{"a": ["x", null]}`.
  private func shape(_ node: StationNode?) -> String {
    switch node?.content {
    case .text(let text)?: "\"\(text)\""
    case .nothing?: "null"
    case .refused?: "refused"
    case .list(let elements)?: "[\(elements.map { shape($0) }.joined(separator: ", "))]"
    case .map(let members)?: "{\(members.map { "\"\($0.key)\": \(shape($0.value))" }.joined(separator: ", "))}"
    case nil: "none"
    }
  }

  private func tree(_ text: String) -> YAMLTree { YAMLTree(Array(text.utf8)) }

  private func assertRead(_ text: String, as expected: String, line: UInt = #line) {
    let tree = tree(text)
    XCTAssertEqual(shape(tree.root), expected, line: line)
    XCTAssertEqual(tree.faults, [], line: line)
  }

  /// - Parameter expected: `LINE:COLUMN: SENTENCE`.
  private func assertRefused(_ text: String, _ expected: String..., line: UInt = #line) {
    let faults = tree(text).faults.map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0): \($0.sentence)" }
    XCTAssertEqual(faults, expected, line: line)
  }

  // MARK: What is read

  func testMapsListsAndTexts() {
    assertRead("a: b\nc:\n  - d\n  - e: f\n", as: #"{"a": "b", "c": ["d", {"e": "f"}]}"#)
    assertRead("{a: [b, {c: d}]}", as: #"{"a": ["b", {"c": "d"}]}"#)
    assertRead("# only\n\n---\na: 1 # why\n...\n", as: #"{"a": "1"}"#)
    assertRead("\u{FEFF}a: 1", as: #"{"a": "1"}"#)
    assertRead("a: >-\n  b\n  c\nd: |\n  e\n  f\n", as: "{\"a\": \"b c\", \"d\": \"e\nf\n\"}")
    assertRead("? a\n: b\n", as: #"{"a": "b"}"#)
    assertRead("a:\r\n  b: c\r\n", as: #"{"a": {"b": "c"}}"#)
    assertRead("a: gpio:gpiochip0:3,4@10ms", as: #"{"a": "gpio:gpiochip0:3,4@10ms"}"#)
  }

  func testThereMayBeNothing() {
    for text in ["", "# only\n", "\n\n"] { assertRead(text, as: "none") }
    assertRead("---\n", as: "null")
    assertRead("a:\nb: \"\"\nc: ''\n", as: #"{"a": null, "b": "", "c": ""}"#)
  }

  /// What YAML 1.1 takes for a flag, a number, a time or nothing is a text, as if it were quoted.
  func testPlainAndQuotedAreTheSame() {
    for text in [
      "no", "No", "NO", "yes", "on", "off", "y", "n", "true", "False", "null", "Null", "~", "012", "0o17", "0x1F",
      "0b1", "1_000", "1:30", "190:20:30", "1e3", ".5", "+.inf", ".NaN", "-1", "2026-11-21", "2026-11-21 12:00:00", "=",
      "10s",
      "1.0", "1.10",
    ] {
      assertRead("a: \(text)", as: "{\"a\": \"\(text)\"}")
      XCTAssertEqual(shape(tree("a: \(text)").root), shape(tree("a: \"\(text)\"").root), text)
      XCTAssertEqual(shape(tree("a: \(text)").root), shape(tree("a: '\(text)'").root), text)
      assertRead("\(text): a", as: "{\"\(text)\": \"a\"}")
    }
  }

  func testPlacesCountCharacters() throws {
    let root = try XCTUnwrap(tree("# \u{e9}\n\u{e9}\u{1F600}: [a, \u{e9}, b]\n  \n").root)
    guard case .map(let members) = root.content, case .list(let elements) = members[0].value.content else {
      return XCTFail()
    }
    XCTAssertEqual(members[0].place, .init(line: 2, column: 1))
    XCTAssertEqual(elements.map(\.place), [6, 9, 12].map { .init(line: 2, column: $0) })
  }

  func testKeysThatDifferInTheirBytesAreTwo() {
    assertRead("\u{e9}: 1\ne\u{301}: 2", as: "{\"\u{e9}\": \"1\", \"e\u{301}\": \"2\"}")
  }

  // MARK: What is refused

  func testWhatStandsForSomethingElse() {
    assertRefused(
      "a: &x b\nc: *x\n", "1:4: the anchor &x: a station file has none; write out what it stands for",
      "2:4: the alias *x: a station file has none; write out what it stands for")
    assertRefused(
      "a: !!int 5\nb: !secret x\nc: !!map {}\nd: ! x\n",
      "1:4: the tag tag:yaml.org,2002:int: a station file has none, since its keys say what a value is; leave it out",
      "2:4: the tag !secret: a station file has none, since its keys say what a value is; leave it out",
      "3:4: the tag tag:yaml.org,2002:map: a station file has none, since its keys say what a value is; leave it out",
      "4:4: the tag !: a station file has none, since its keys say what a value is; leave it out")
    assertRefused(
      "a:\n  <<: {b: c}\n", "2:3: the merge key <<: a station file has none; write the keys out")
    assertRead("\"<<\": a", as: #"{"<<": "a"}"#)
    assertRefused("%TAG ! tag:x,1:\n---\na: 1\n", "1:1: a %TAG line: a station file has no tags; leave it out")
  }

  func testAKeyThatStandsTwice() {
    assertRefused("a: 1\nb: 2\n\"a\": 3\n", "3:1: the key a stands here for the second time: it is in line 1 too")
    assertRefused("x: {a: 1, a: 2}", "1:11: the key a stands here for the second time: it is in line 1 too")
    assertRead("x: {a: 1}\ny: {a: 2}", as: #"{"x": {"a": "1"}, "y": {"a": "2"}}"#)
  }

  func testKeysThatAreNoTexts() {
    assertRefused("[a]: 1", "1:1: a key is a text, and no list or map")
    assertRefused("? {a: b}\n: 1", "1:3: a key is a text, and no list or map")
    assertRefused("? \n: 1", "1:2: there is no key before the colon")
  }

  func testSeveralDocuments() {
    assertRefused("a: 1\n---\nb: 2\n", "2:1: a second document begins: a station file has one")
  }

  func testTabs() {
    assertRefused("a:\n\tb: 1\n", "2:1: a tab stands where YAML takes spaces only: write spaces")
    assertRefused("\ta: 1\n", "1:1: a tab stands where YAML takes spaces only: write spaces")
    assertRefused("a: b\n\tc\n", "2:1: a tab stands where YAML takes spaces only: write spaces")
    assertRead("a:\tb\t# why\n", as: #"{"a": "b"}"#)
    assertRead("a: \"\t\"", as: "{\"a\": \"\t\"}")
  }

  func testWhatIsNoYAML() {
    for (text, place) in [
      ("a: b: c", (1, 5)), ("a: [b\nc: d\n", (2, 2)), ("a: \"b\n", (2, 1)), ("a:\n   b: 1\n  c: 2\n", (3, 3)),
      ("a: @b", (1, 4)), ("a: %b", (1, 4)), ("- a\nb: c\n", (2, 1)), ("a\nb: c\n", (2, 2)), ("a: {b: c", (2, 1)),
    ] {
      let faults = tree(text).faults
      XCTAssertEqual(faults.count, 1, text)
      XCTAssertTrue(faults.allSatisfy { $0.sentence.hasPrefix("this is no YAML: ") }, "\(text): \(faults)")
      XCTAssertEqual(faults.map(\.position), [TextPlace(line: place.0, column: place.1)], "\(text): \(faults)")
      XCTAssertNil(tree(text).root, text)
    }
  }

  func testWhatIsNoText() {
    let bytes = Array("a: \u{e9}\nb: x".utf8)
    let tails: [([UInt8], Int)] = [([0xFF], 5), ([0xC3], 6), ([0xED, 0xA0, 0x80], 5), ([0x00], 5), ([0x07], 5)]
    for (tail, column) in tails {
      let faults = YAMLTree(bytes + tail + Array("\n".utf8)).faults
      XCTAssertEqual(faults.map(\.position), [TextPlace(line: 2, column: column)], "\(tail) \(faults)")
      XCTAssertTrue(faults.allSatisfy { $0.sentence.hasPrefix("this is no text in UTF-8: ") }, "\(faults)")
    }
    XCTAssertEqual(YAMLTree([0xFF, 0xFE, 0x61, 0x00]).faults.count, 1)
  }

  // MARK: Limits

  func testDepth() {
    let most = YAMLTree.deepest
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    XCTAssertEqual(tree(nested(most)).faults, [])
    assertRefused(nested(most + 1), "1:33: it has more than 32 maps and lists within each other")
    let blocks = (0...most).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    assertRefused(blocks, "33:33: it has more than 32 maps and lists within each other")
    // As deep as a file can be.
    for open in ["[", "{", "- ", "? "] {
      let text = String(repeating: open, count: YAMLTree.longest / open.utf8.count)
      XCTAssertEqual(tree(text).faults.count, 1, open)
    }
  }

  func testNodes() {
    let most = YAMLTree.mostNodes
    func list(_ count: Int) -> String { String(repeating: "- a\n", count: count) }
    XCTAssertEqual(tree(list(most - 1)).faults, [])
    assertRefused(list(most), "10000:3: it has more than 10000 values")
    XCTAssertNil(tree(list(most)).root)
  }

  func testSize() {
    let most = YAMLTree.longest
    XCTAssertEqual(tree("a: " + String(repeating: "b", count: most - 3)).faults, [])
    assertRefused("a: " + String(repeating: "b", count: most - 2), "1:1: it is larger than 1 MiB")
  }

  /// Every cut of a document and every changed byte is read or refused, and with the same faults each time.
  func testDamagedDocuments() {
    let text = "# s\na: &b [c, \"d\\n\", 'e', {f: >-\n  g\n\n }]\n? h\n: |\n  i\n<<: *b\nk: !x l\n"
    let bytes = Array(text.utf8)
    for end in bytes.indices { _ = YAMLTree(Array(bytes[..<end])) }
    for index in bytes.indices {
      for byte in [0, 9, 10, 32, 34, 38, 39, 42, 45, 58, 63, 91, 93, 123, 125, 124, 62, 33, 37, 64, 255] as [UInt8] {
        var damaged = bytes
        damaged[index] = byte
        XCTAssertEqual(YAMLTree(damaged).faults, YAMLTree(damaged).faults)
      }
    }
  }

  /// Some editors write it.
  func testAMarkOfUTF8() {
    let tree = YAMLTree([0xef, 0xbb, 0xbf] + Array("a: b\nc: d\n".utf8))
    XCTAssertTrue(tree.faults.isEmpty, "\(tree.faults)")
    guard case .map(let members)? = tree.root?.content else { return XCTFail("\(String(describing: tree.root))") }
    XCTAssertEqual(members.count, 2)
  }
}
