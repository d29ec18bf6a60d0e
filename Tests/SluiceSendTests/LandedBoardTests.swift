#if SLUICE_MQTT
  import Foundation
  import SluiceReadings
  import SluiceSystem
  import TestFiles
  import XCTest

  @testable import SluiceSend

  final class LandedBoardTests: XCTestCase {
    private lazy var folder = temporaryFolder().path

    private func message(
      _ numbers: Range<UInt64>, stream: String = "s", epoch: String = "ab", header: String = "time_ns,s"
    ) throws -> LandedMessage {
      var message = MQTTMessage(
        topic: "plant/b/readings/s",
        bytes: Array((header + "\n" + numbers.map { "\($0 * 10),\($0)\n" }.joined()).utf8))
      message.properties = [
        "board": "b", "stream": stream, "epoch": epoch, "sequence": "\(numbers.lowerBound)", "rows": "\(numbers.count)",
      ]
      return try LandedMessage(message)
    }

    private func board(_ cut: @escaping (String, Int64) -> Void = { _, _ in }) throws -> LandedBoard {
      try LandedBoard("b", in: folder, SystemFiles(), cut: cut)
    }

    private func text(_ file: String) -> String {
      (try? String(contentsOfFile: "\(folder)/b/\(file)", encoding: .utf8)) ?? ""
    }

    func testRowsOnceAndGaps() throws {
      let board = try board()
      for numbers in [0..<3, 5..<8, 5..<8, 2..<6] as [Range<UInt64>] { try board.add(message(numbers)) }
      try board.sync()
      XCTAssertEqual(
        text("s.csv").split(separator: "\n").dropFirst().map { $0.split(separator: ",")[1] }.sorted(),
        (0..<8).map { "\($0)" })
      XCTAssertEqual([board.rows, board.duplicates], [8, 5])
      XCTAssertEqual(board.gaps.count, 0)
      try board.add(message(10..<11))
      XCTAssertEqual(board.gaps.map(\.numbers), [8..<10])
      board.close()
    }

    func testAnEndThatIsKnown() throws {
      let board = try board()
      try board.add(message(0..<3))
      board.ended("ab", before: 5)
      board.ended("cd", before: 9)
      XCTAssertEqual(board.gaps.map(\.numbers), [3..<5])
      try board.add(message(3..<5))
      XCTAssertEqual(board.gaps.count, 0)
      board.close()
    }

    func testOtherColumnsAndOtherStreamsHaveFilesOfTheirOwn() throws {
      let board = try board()
      try board.add(message(0..<1))
      try board.add(message(1..<2, header: "time_ns,other"))
      try board.add(message(2..<3))
      try board.add(message(3..<4, stream: "../x"))
      try board.sync()
      board.close()
      XCTAssertEqual(text("s.csv"), "time_ns,s\n0,0\n20,2\n")
      XCTAssertEqual(text("s-2.csv"), "time_ns,other\n10,1\n")
      XCTAssertEqual(text("%2E.%2Fx.csv"), "time_ns,s\n30,3\n")
      let again = try self.board()
      try again.add(message(4..<5, header: "time_ns,other"))
      try again.sync()
      XCTAssertEqual(text("s-2.csv"), "time_ns,other\n10,1\n40,4\n")
      again.close()
    }

    /// What was not synced at a kill is cut off, and is a gap: no row stands there twice after it has come again.
    func testAKillAtAnyPlace() throws {
      let board = try board()
      try board.add(message(0..<3))
      try board.sync()
      let kept = text("s.csv")
      try board.add(message(3..<6))
      try board.add(message(8..<9))
      board.close()
      let (rows, numbers) = (text("s.csv"), text(LandedBoard.numbersName))
      try board.sync()
      let last = String(text(LandedBoard.numbersName).dropFirst(numbers.count))
      for length in 0..<last.count {
        try rows.write(toFile: "\(folder)/b/s.csv", atomically: true, encoding: .utf8)
        try (numbers + last.prefix(length)).write(
          toFile: "\(folder)/b/\(LandedBoard.numbersName)", atomically: true, encoding: .utf8)
        var cut: [Int64] = []
        let again = try self.board { cut.append($1) }
        XCTAssertEqual(text("s.csv"), kept)
        XCTAssertEqual(cut, [Int64(rows.utf8.count - kept.utf8.count)])
        try again.add(message(0..<9))
        XCTAssertEqual(again.duplicates, 3)
        try again.sync()
        again.close()
        XCTAssertEqual(text("s.csv"), "time_ns,s\n" + (0..<9).map { "\($0 * 10),\($0)\n" }.joined())
      }
      // With the whole line nothing is cut.
      try rows.write(toFile: "\(folder)/b/s.csv", atomically: true, encoding: .utf8)
      try (numbers + last).write(
        toFile: "\(folder)/b/\(LandedBoard.numbersName)", atomically: true, encoding: .utf8)
      let whole = try self.board { _, _ in XCTFail("cut") }
      XCTAssertEqual(whole.gaps.map(\.numbers), [6..<8])
      whole.close()
    }

    func testMessagesThatAreNotOfABoard() throws {
      func fault(_ bytes: String, _ properties: [String: String]) -> LandedMessage.Fault? {
        var message = MQTTMessage(topic: "t", bytes: Array(bytes.utf8))
        message.properties = properties
        do {
          _ = try LandedMessage(message)
          return nil
        } catch { return error }
      }
      let right = ["stream": "s", "epoch": "ab", "sequence": "0", "rows": "1"]
      XCTAssertNil(fault("h\n1\n", right))
      XCTAssertEqual(fault("h\n1\n", [:]), .notNumbered)
      for (bytes, change) in [
        ("h\n1", [:]), ("h\n", [:]), ("", [:]), ("h\n1\n2\n", [:]), ("h\n", ["rows": "0"]),
        ("h\n1\n", ["epoch": "../x"]),
        ("h\n1\n", ["sequence": "\(UInt64.max)"]), ("h\n1\n", ["rows": "\(UInt64.max)"]),
      ] as [(String, [String: String])] {
        XCTAssertEqual(fault(bytes, right.merging(change) { $1 }), .wrongForm, "\(bytes) \(change)")
      }
      XCTAssertEqual(fault("h\n1\n", right.merging(["rows": "-1"]) { $1 }), .notNumbered)
    }

    func testNamesOfFolders() {
      XCTAssertEqual(LandedBoard.safeName(of: "b1"), "b1")
      for name in ["..", ".", "a/b", ".lock"] {
        let file = LandedBoard.safeName(of: name)
        XCTAssertFalse(file.hasPrefix(".") || file.contains("/"), file)
      }
      let long = String(repeating: "x", count: 400)
      XCTAssertLessThan(LandedBoard.safeName(of: long).utf8.count, 200)
      XCTAssertNotEqual(LandedBoard.safeName(of: long), LandedBoard.safeName(of: long + "y"))
    }
  }
#endif
