import SluiceReadings
import SluiceSystem
import XCTest

@testable import SluiceDevices

final class LineBufferTests: XCTestCase {
  private func append(_ text: String, _ buffer: LineBuffer, at time: Int64 = 0) {
    let space = buffer.space()
    space.copyBytes(from: Array(text.utf8))
    buffer.append(text.utf8.count, LineBuffer.Receipt(monotonic: time))
  }

  private func lines(_ buffer: LineBuffer) -> [String] {
    var lines: [String] = []
    while let line = buffer.next() {
      lines.append("\(line.receipt.monotonic) \(String(decoding: line.text, as: UTF8.self))")
    }
    return lines
  }

  func testTheTimeIsThatOfTheFirstByte() {
    let buffer = LineBuffer()
    append("a\nb", buffer, at: 1)
    XCTAssertEqual(lines(buffer), ["1 a"])
    append("b", buffer, at: 2)
    append("b\r\nc\n", buffer, at: 3)
    XCTAssertEqual(lines(buffer), ["1 bbb", "3 c"])
    XCTAssertFalse(buffer.hasLine)
  }

  func testEveryCutGivesTheSameLines() {
    let text = "first,1\r\n\nsecond\n" + String(repeating: "x", count: 300) + "\nlast\n"
    let whole = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      $0.hasSuffix("\r") ? String($0.dropLast()) : String($0)
    }
    for size in 1...40 {
      let buffer = LineBuffer()
      var rest = text[...]
      var found: [String] = []
      while !rest.isEmpty {
        append(String(rest.prefix(size)), buffer)
        rest = rest.dropFirst(size)
        found += lines(buffer).map { String($0.dropFirst(2)) }
      }
      XCTAssertEqual(
        found,
        text.contains("\r\n")
          ? text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
            String.init) : whole)
    }
  }

  func testAnEndlessLineIsCountedOnceAndLeftOut() {
    let buffer = LineBuffer()
    append("good\n", buffer)
    let piece = String(repeating: "y", count: 50_000)
    var found: [String] = []
    var tooLong = 0
    for _ in 0..<100 {
      append(piece, buffer)
      found += lines(buffer)
      tooLong += buffer.takeTooLong()
    }
    append("end\nafter\n", buffer)
    found += lines(buffer)
    XCTAssertEqual(found, ["0 good", "0 after"])
    XCTAssertEqual(tooLong + buffer.takeTooLong(), 1)
  }

  func testALongLineThatCameWholeIsLeftOutToo() {
    let buffer = LineBuffer()
    append("a\n" + String(repeating: "y", count: 70_000) + "\nb\n", buffer)
    XCTAssertEqual(lines(buffer), ["0 a", "0 b"])
    XCTAssertEqual(buffer.takeTooLong(), 1)
  }

  func testAReturnAloneEndsALineOfEachRead() {
    let buffer = LineBuffer()
    var found: [String] = []
    for (time, text) in ["a\r", "b\r", "c\r", "\nd\r"].enumerated() {
      append(text, buffer, at: Int64(time))
      found += lines(buffer)
    }
    XCTAssertEqual(found, ["0 a", "1 b", "2 c"])
    append("e", buffer, at: 4)
    XCTAssertEqual(lines(buffer), ["3 d"])
  }

  func testAPeekTakesNothing() {
    let buffer = LineBuffer()
    append("a\nb\nc", buffer)
    var place = 0
    XCTAssertEqual(buffer.peek(at: &place), [0x61])
    XCTAssertEqual(buffer.peek(at: &place), [0x62])
    XCTAssertNil(buffer.peek(at: &place))
    buffer.endLine()
    XCTAssertEqual(buffer.peek(at: &place), [0x63])
    XCTAssertEqual(lines(buffer), ["0 a", "0 b", "0 c"])
  }
}
