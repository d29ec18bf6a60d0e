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
      _ numbers: Range<UInt64>, stream: String = "s", epoch: String = "ab", run: String? = nil,
      header: String = "time_ns,s"
    ) throws -> LandedMessage {
      var message = MQTTMessage(
        topic: "plant/b/readings/s",
        bytes: Array((header + "\n" + numbers.map { "\($0 * 10),\($0)\n" }.joined()).utf8))
      message.properties = [
        "board": "b", "stream": stream, "epoch": epoch, "sequence": "\(numbers.lowerBound)", "rows": "\(numbers.count)",
      ]
      message.properties["run"] = run
      return try LandedMessage(message)
    }

    private func board(_ cut: @escaping (String, Int64) -> Void = { _, _ in }) throws -> LandedBoard {
      try LandedBoard("b", folder: "b", in: folder, SystemFiles(), cut: cut)
    }

    private func text(_ file: String) -> String {
      (try? String(contentsOfFile: "\(folder)/b/\(file)", encoding: .utf8)) ?? ""
    }

    func testRowsOnceAndGaps() throws {
      let board = try board()
      for numbers in [0..<3, 5..<8, 5..<8, 2..<6] as [Range<UInt64>] { XCTAssertNil(try board.add(message(numbers))) }
      try board.sync()
      XCTAssertEqual(
        text("s.csv").split(separator: "\n").dropFirst().map { $0.split(separator: ",")[1] }.sorted(),
        (0..<8).map { "\($0)" })
      XCTAssertEqual([board.rows, board.duplicates], [8, 5])
      XCTAssertEqual(board.gaps.count, 0)
      XCTAssertNil(try board.add(message(10..<11)))
      XCTAssertEqual(board.gaps.map(\.numbers), [8..<10])
      board.close()
    }

    /// Two recordings with copies of one spool give the same numbers to different readings.
    func testWhatAnotherRunHasNumberedAlikeIsWritten() throws {
      let board = try board()
      for (numbers, run) in [(0..<3, "a"), (1..<4, "b"), (0..<3, "a"), (3..<4, "b")] as [(Range<UInt64>, String)] {
        XCTAssertNil(try board.add(message(numbers, run: run)))
      }
      XCTAssertEqual([board.rows, board.duplicates, board.shared, board.gaps.count], [6, 4, 2, 0])
      try board.sync()
      board.close()
      let again = try self.board()
      XCTAssertNil(try again.add(message(0..<4, run: "b")))
      XCTAssertEqual([again.rows, again.duplicates, again.shared], [1, 3, 1])
      try again.sync()
      again.close()
      XCTAssertEqual(text("s.csv").split(separator: "\n").count, 1 + 7)
    }

    func testNumbersOfAnEarlierVersion() throws {
      try FileManager.default.createDirectory(atPath: "\(folder)/b", withIntermediateDirectories: true)
      try "{\"numbers\":{\"ab\":[[0,3],[5,2]]},\"ends\":{\"s.csv\":0}}\n{\"numbers\":{\"ab\":[[9,1]]},\"ends\":{}}\n"
        .write(
          toFile: "\(folder)/b/\(LandedBoard.numbersName)", atomically: false, encoding: .utf8)
      for _ in 0..<2 {
        let board = try board()
        XCTAssertEqual(board.gaps.map(\.numbers), [3..<5, 7..<9])
        XCTAssertNil(try board.add(message(0..<3)))
        XCTAssertEqual([board.rows, board.duplicates], [0, 3])
        board.close()
      }
    }

    func testAnEndThatIsKnown() throws {
      let board = try board()
      XCTAssertNil(try board.add(message(0..<3)))
      board.ended("ab", before: 5)
      board.ended("cd", before: 9)
      XCTAssertEqual(board.gaps.map(\.numbers), [3..<5])
      XCTAssertNil(try board.add(message(3..<5)))
      XCTAssertEqual(board.gaps.count, 0)
      board.close()
    }

    func testOtherColumnsAndOtherStreamsHaveFilesOfTheirOwn() throws {
      let board = try board()
      XCTAssertNil(try board.add(message(0..<1)))
      XCTAssertNil(try board.add(message(1..<2, header: "time_ns,other")))
      XCTAssertNil(try board.add(message(2..<3)))
      XCTAssertNil(try board.add(message(3..<4, stream: "../x")))
      try board.sync()
      board.close()
      XCTAssertEqual(text("s.csv"), "time_ns,s\n0,0\n20,2\n")
      XCTAssertEqual(text("s-2.csv"), "time_ns,other\n10,1\n")
      XCTAssertEqual(text("%2E.%2Fx.csv"), "time_ns,s\n30,3\n")
      let again = try self.board()
      XCTAssertNil(try again.add(message(4..<5, header: "time_ns,other")))
      try again.sync()
      XCTAssertEqual(text("s-2.csv"), "time_ns,other\n10,1\n40,4\n")
      again.close()
    }

    /// What was not synced at a kill is cut off, and is a gap: no row stands there twice after it has come again.
    func testAKillAtAnyPlace() throws {
      let board = try board()
      XCTAssertNil(try board.add(message(0..<3)))
      try board.sync()
      let kept = text("s.csv")
      XCTAssertNil(try board.add(message(3..<6)))
      XCTAssertNil(try board.add(message(8..<9)))
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
        XCTAssertNil(try again.add(message(0..<9)))
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
        var message = MQTTMessage(topic: "plant/readings/s", bytes: Array(bytes.utf8))
        message.properties = properties
        do {
          _ = try LandedMessage(message)
          return nil
        } catch { return error }
      }
      let right = ["stream": "s", "epoch": "ab", "sequence": "0", "rows": "1"]
      XCTAssertNil(fault("h\n1\n", right))
      let long = String(repeating: "h", count: 70_000) + "\n1\n"
      XCTAssertEqual(fault(long, right), .wrongForm)
      let many = "h\n" + String(repeating: "1\n", count: 1_025)
      XCTAssertEqual(fault(many, right.merging(["rows": "1025"]) { $1 }), .wrongForm)
      XCTAssertEqual(fault("h\n1\n", [:]), .notNumbered)
      for (bytes, change) in [
        ("h\n1", [:]), ("h\n", [:]), ("", [:]), ("h\n1\n2\n", [:]), ("h\n", ["rows": "0"]),
        ("h\n1\n", ["epoch": "../x"]), ("h\n1\n", ["stream": "a\nb"]),
        ("h\n1\n", ["sequence": "\(UInt64.max)"]), ("h\n1\n", ["sequence": "18446744073709551000"]),
        ("h\n1\n", ["sequence": "\((UInt64(1) << 62))"]),
        ("h\n" + String(repeating: "\n", count: LandedMessage.mostBytes), ["rows": "\(LandedMessage.mostBytes)"]),
        ("h\n1\n", ["rows": "\(UInt64.max)"]),
      ] as [(String, [String: String])] {
        XCTAssertEqual(fault(bytes, right.merging(change) { $1 }), .wrongForm, "\(bytes) \(change)")
      }
      XCTAssertEqual(fault("h\n1\n", right.merging(["rows": "-1"]) { $1 }), .notNumbered)
    }

    /// The broker's access list is about topics: who may write below `plant/evil` may not write as another board.
    func testTheFolderIsThatOfTheTopic() throws {
      for (filter, topic, name, expected) in [
        ("plant/#", "plant/b/readings/s", "b", "b"), ("plant/#", "plant/evil/readings/s", "hall7", nil),
        ("plant/#", "plant/evil/hall7/readings/s", "hall7", "evil#hall7"),
        ("plant/#", "plant/hall7/b/readings/s", "hall7", nil),
        ("plant/#", "plant/a%2Fb/readings/s", "a/b", "a%2Fb"), ("plant/#", "plant/a/b/readings/s", "a/b", nil),
        ("plant/#", "plant/readings/s", "", "board"), ("plant/#", "plant/x/readings/s", "", "x"),
        ("plant/#", "plant/readings/readings/s", "readings", "readings"), ("plant/#", "readings/s", "b", nil),
        ("plant/+/readings/#", "plant/b/readings/s", "b", "b"), ("#", "plant/b/readings/s", "b", "plant#b"),
        ("plant/b/readings/#", "plant/b/readings/s", "b", "b"), ("plant/b/#", "plant/b/readings/s", "b", "b"),
        ("plant/#", "plant/../b/readings/s", "b", "%2E.#b"), ("plant/#", "plant/\u{212a}/readings/s", "K", nil),
        ("plant/#", "plant/ü/b/readings/s", "b", "%C3%BC#b"), ("plant/#", "plant//b/readings/s", "b", nil),
        ("/plant/#", "/plant/b/readings/s", "b", "b"),
      ] as [(String, String, String, String?)] {
        var message = MQTTMessage(topic: topic, bytes: Array("h\n1\n".utf8))
        message.properties = ["board": name, "stream": "s", "epoch": "ab", "sequence": "0", "rows": "1"]
        if name.isEmpty { message.properties["board"] = nil }
        let landed = Result { try LandedMessage(message, common: LandedTopic.common(of: filter)) }
        XCTAssertEqual(try? landed.get().topic.folder, expected, "\(filter) \(topic) \(name)")
        if expected == nil {
          XCTAssertThrowsError(try landed.get()) { XCTAssertEqual($0 as? LandedMessage.Fault, .otherBoard, topic) }
        }
      }
      let own = try XCTUnwrap(LandedTopic(root: ["plant", "b"], board: "b", common: 1))
      let other = try XCTUnwrap(LandedTopic(root: ["plant", "evil", "b"], board: "b", common: 1))
      XCTAssertEqual([own.name(of: "b"), other.name(of: "b")], ["b", "evil/b"])
      // Whatever is behind a first level, however long, its share is that of the first level.
      let first = String(repeating: "x", count: 300)
      let shares = ["y", String(repeating: "y", count: 400)].map {
        LandedTopic(root: ["plant", Substring(first), Substring($0)], board: $0, common: 1)?.folder ?? ""
      }
      XCTAssertEqual(Set(shares.map(LandedTopic.share)).count, 1, "\(shares)")
      XCTAssertTrue(shares.allSatisfy { $0.utf8.count < 255 } && Set(shares).count == 2)
    }

    /// It would have two lines per minute, and twice the memory.
    func testALongFirstLevelHasOneShareWithAndWithoutOthersBehindIt() throws {
      var shares: Set<String> = []
      for length in [1, 99, 100, 101, 150, 180, 181, 300] {
        for first in ["x", "."].map({ $0 + String(repeating: "y", count: length - 1) }) {
          let folders = try [[first], [first, "z"], [first, "y", "z"]].map { levels in
            let root = (["plant"] + levels).map { Substring($0) }
            return try XCTUnwrap(LandedTopic(root: root[...], board: levels.last ?? "", common: 1)).folder
          }
          XCTAssertEqual(Set(folders).count, 3)
          XCTAssertEqual(Set(folders.map(LandedTopic.share)).count, 1, "\(folders)")
          shares.formUnion(folders.map(LandedTopic.share))
        }
      }
      XCTAssertEqual(shares.count, 16)
    }

    /// Somebody else may have made the folder, or an earlier version that took such numbers.
    func testNumbersOfAStranger() throws {
      let target = "\(folder)/thesis.csv"
      try "mine".write(toFile: target, atomically: false, encoding: .utf8)
      let huge = #"{"numbers":{"ab":[[0,2],[18446744073709551000,1]]},"ends":{}}"#
      for (line, isTaken) in [
        (#"{"numbers":{},"ends":{"../thesis.csv":0}}"#, false), (#"{"numbers":{},"ends":{"s.csv":-1}}"#, false),
        (#"{"numbers":{},"ends":{"board":0}}"#, false), (huge, true),
      ] {
        let parent = temporaryFolder().path
        try FileManager.default.createDirectory(atPath: "\(parent)/b", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: "\(parent)/thesis.csv", withDestinationPath: target)
        try (line + "\n").write(toFile: "\(parent)/b/numbers.jsonl", atomically: false, encoding: .utf8)
        let board = try? LandedBoard("b", folder: "b", in: parent, SystemFiles()) { _, _ in }
        XCTAssertEqual(board != nil, isTaken, line)
        XCTAssertEqual(board.map { $0.gaps.count } ?? 0, 0)
        board?.close()
      }
      XCTAssertEqual(try String(contentsOfFile: target, encoding: .utf8), "mine")
      // A link, or a file, in the place of the folder.
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: temporaryFolder().path)
      for name in ["link", "thesis.csv"] {
        XCTAssertThrowsError(try LandedBoard("x", folder: name, in: folder, SystemFiles()) { _, _ in }) {
          XCTAssertEqual(($0 as? SluiceError)?.errno, ENOTDIR)
        }
      }
    }

    /// Of a board without a spool, each run has an epoch of its own.
    func testTheOldestWholeEpochIsForgottenIfThereIsNoRoom() throws {
      let board = try board()
      for epoch in 0..<100 {
        XCTAssertNil(try board.add(message(epoch == 1 ? 1..<2 : 0..<1, epoch: String(epoch, radix: 16))))
      }
      let noRoom = "the numbers and files of its board, or of its neighbours, take too much memory"
      XCTAssertEqual(try board.add(message(0..<1, epoch: "ffff"), hasRoom: false), noRoom, "nothing is on the disk yet")
      try board.sync()
      XCTAssertNil(try board.add(message(0..<1, epoch: "0"), hasRoom: false), "it is the latest now")
      let weight = board.weight
      XCTAssertNil(try board.add(message(0..<1, epoch: "ffff"), hasRoom: false))
      XCTAssertLessThanOrEqual(board.weight, weight)
      XCTAssertNil(try board.add(message(0..<1, epoch: "0")))
      XCTAssertEqual([board.rows, board.duplicates], [101, 2])
      XCTAssertEqual(board.gaps.map(\.epoch), ["1"])
      // The one with a gap stays, and so does what is not on the disk yet.
      XCTAssertNil(try board.add(message(0..<1, epoch: "2")))
      XCTAssertEqual([board.rows, board.duplicates], [102, 2])
      // What needs no memory is taken, and what does not is refused.
      XCTAssertNil(try board.add(message(1..<3, epoch: "0"), hasRoom: false))
      XCTAssertNil(try board.add(message(2..<3, epoch: "1"), hasRoom: false))
      XCTAssertEqual(
        try board.add(message(3..<4, epoch: "0", header: "time_ns,other"), hasRoom: false), noRoom)
      board.close()
    }

    /// Its numbers so far would be a gap.
    func testTheEpochOfAMessageIsNotForgotten() throws {
      let board = try board()
      for epoch in ["a", "b"] { XCTAssertNil(try board.add(message(0..<1, epoch: epoch))) }
      try board.sync()
      XCTAssertNil(try board.add(message(5..<6, epoch: "a"), hasRoom: false))
      XCTAssertEqual(board.gaps.map(\.numbers), [1..<5])
      board.close()
    }

    /// A file that has grown long is written anew, and each run is known again, in the order of their last messages.
    func testNumbersAreWrittenAnew() throws {
      var board = try board()
      let names = (0..<1_000).map { number in
        (
          epoch: String(repeating: "a", count: 60) + String(number / 20, radix: 16),
          run: String(repeating: "c", count: 60) + String(number % 20, radix: 16)
        )
      }
      for first in 0..<15 as Range<UInt64> {
        for name in names.reversed() {
          XCTAssertNil(try board.add(message(first..<first + 1, epoch: name.epoch, run: name.run)))
        }
        try board.sync()
      }
      let (runs, bytes) = (board.epochs.mapValues { $0.numbers.map(\.run).sorted() }, text("numbers.jsonl").utf8.count)
      board.close()
      XCTAssertLessThan(bytes, 1 << 20)
      board = try self.board()
      XCTAssertEqual(board.epochs.mapValues { $0.numbers.map(\.run).sorted() }, runs)
      XCTAssertEqual(board.gaps.count, 0)
      XCTAssertEqual(text("numbers.jsonl").utf8.count, bytes, "nothing is written for a start")
      board.close()
    }

    /// Whatever a board sends, its memory is counted.
    func testTheWeightGrowsWithWhatIsHeld() throws {
      let board = try board()
      var weight = board.weight
      for (number, text) in ["epoch", "run", "gap", "file"].enumerated() {
        let first = UInt64(number)
        switch text {
        case "epoch": XCTAssertNil(try board.add(message(0..<1, epoch: "c")))
        case "run": XCTAssertNil(try board.add(message(0..<1, epoch: "c", run: "d")))
        case "gap": XCTAssertNil(try board.add(message(first * 10..<first * 10 + 1, epoch: "c")))
        default: XCTAssertNil(try board.add(message(1..<2, epoch: "c", header: "time_ns,other")))
        }
        XCTAssertGreaterThan(board.weight, weight + 150, text)
        weight = board.weight
      }
      XCTAssertNil(try board.add(message(2..<9, epoch: "c")))
      XCTAssertEqual(board.weight, weight)
      board.close()
    }

    func testWhatNoBoardSendsIsRefusedAlone() throws {
      let board = try board()
      for number in 0..<1_000 as Range<UInt64> {
        XCTAssertNil(try board.add(message(number..<number + 1, header: "time_ns,\(number)")))
      }
      XCTAssertEqual(
        try board.add(message(1_000..<1_001, header: "time_ns,x")),
        "its stream had 1,000 different headers")
      XCTAssertNil(try board.add(message(1_000..<1_001, header: "time_ns,5")))
      board.close()
    }

    /// Headers are long: to compare a message with all of them takes so long that other boards wait.
    func testTheFileOfAHeaderIsFoundAtOnce() throws {
      let board = try board()
      var number: UInt64 = 0
      func send(_ headers: some Sequence<Int>, stream: String = "s", to board: LandedBoard) throws -> [String?] {
        try headers.map { header in
          defer { number += 1 }
          return try board.add(message(number..<number + 1, stream: stream, header: "time_ns,\(header)"))
        }
      }
      try "mine".write(toFile: "\(folder)/b/s-7.csv", atomically: false, encoding: .utf8)
      XCTAssertEqual(Set(try send(0..<999, to: board)), [nil])
      XCTAssertLessThanOrEqual(board.looks, 1_000)
      let all = Set(["its stream had 1,000 different headers"] as [String?])
      for _ in 0..<2 {
        XCTAssertEqual(Set(try send((0..<999).reversed(), to: board)), [nil])
        XCTAssertEqual(Set(try send(1_000..<2_000, to: board)), all)
        XCTAssertLessThanOrEqual(board.looks, 1_000)
      }
      XCTAssertEqual(Set(try send(0..<10, stream: "s-2", to: board)), [nil])
      try board.sync()
      board.close()
      // After a start, each file is looked at once more.
      let again = try self.board()
      XCTAssertEqual(Set(try send((0..<999).reversed(), to: again) + send(0..<999, to: again)), [nil])
      XCTAssertEqual(Set(try send(1_000..<2_000, to: again)), all)
      XCTAssertLessThanOrEqual(again.looks, 1_000)
      XCTAssertEqual(again.fileCount, 999 + 10)
      try again.sync()
      again.close()
      for (file, header, rows) in [("s", 0, 5), ("s-6", 5, 5), ("s-8", 6, 5), ("s-1000", 998, 5)] {
        let lines = text("\(file).csv").split(separator: "\n")
        XCTAssertEqual(lines.first, "time_ns,\(header)", file)
        XCTAssertEqual(lines.count, 1 + rows, file)
      }
      XCTAssertEqual(text("s-7.csv"), "mine")
    }

    /// `s` with its second header, and `s-2`, would both be s-2.csv.
    func testTwoStreamsShareNoFile() throws {
      for first in [false, true] {
        let board = try LandedBoard("b", folder: "b\(first)", in: folder, SystemFiles()) { _, _ in }
        XCTAssertNil(try board.add(message(0..<1)))
        let others = [("s", 1..<2), ("s-2", 2..<3)] as [(String, Range<UInt64>)]
        for (stream, numbers) in first ? others : others.reversed() {
          XCTAssertNil(try board.add(message(numbers, stream: stream, header: "time_ns,other")))
        }
        try board.sync()
        board.close()
        let again = try LandedBoard("b", folder: "b\(first)", in: folder, SystemFiles()) { _, _ in }
        XCTAssertNil(try again.add(message(3..<4, stream: "s-2", header: "time_ns,other")))
        try again.sync()
        again.close()
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/b\(first)").filter {
          $0.hasSuffix(".csv")
        }
        XCTAssertEqual(files.count, 3)
        for file in files {
          let text = try String(contentsOfFile: "\(folder)/b\(first)/\(file)", encoding: .utf8)
          XCTAssertNotEqual(
            text.contains("\n10,1\n"), text.contains("\n20,2\n30,3\n") || text.contains("\n0,0\n"), file)
        }
      }
    }

    /// A file that `land` did not make belongs to the user.
    func testAFileThatIsThereIsLeftAlone() throws {
      let board = try board()
      try "mine".write(toFile: "\(folder)/b/s.csv", atomically: false, encoding: .utf8)
      XCTAssertNil(try board.add(message(0..<1)))
      try board.sync()
      board.close()
      XCTAssertEqual(text("s.csv"), "mine")
      XCTAssertEqual(text("s-2.csv"), "time_ns,s\n0,0\n")
    }

    func testNoLinkIsFollowed() throws {
      let target = "\(folder)/target"
      try "mine".write(toFile: target, atomically: false, encoding: .utf8)
      for name in ["numbers.jsonl", "s.csv"] {
        let first = try board()
        XCTAssertNil(try first.add(message(0..<1)))
        try first.sync()
        first.close()
        try FileManager.default.removeItem(atPath: "\(folder)/b/\(name)")
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/b/\(name)", withDestinationPath: target)
        XCTAssertThrowsError(try board(), name)
        XCTAssertEqual(try String(contentsOfFile: target, encoding: .utf8), "mine", name)
        try FileManager.default.removeItem(atPath: "\(folder)/b")
      }
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
