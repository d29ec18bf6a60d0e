import Foundation
import XCTest

/// Recordings whose newest part has no row: a run was killed between the open of a part and its first write.
final class EmptyPartsTests: CommandTestCase {
  /// - Parameter recording: The name of a recording, such as `m.csv`.
  private func parts(_ recording: String) throws -> [String] {
    let pieces = recording.split(separator: ".")
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix("\(pieces[0]).0") && $0.hasSuffix("Z.\(pieces[1])") }.sorted()
  }

  /// Leaves what a kill leaves: the next part, with these bytes.
  private func leaveAPart(of recording: String, _ text: String = "") throws -> String {
    let pieces = recording.split(separator: ".")
    let newest = try XCTUnwrap(try parts(recording).last)
    let number = try XCTUnwrap(Int(newest.split(separator: ".")[1]))
    let name = "\(pieces[0]).\(String(String(1_000_001 + number).dropFirst())).20961121T145507Z.\(pieces[1])"
    try write(name, text)
    return name
  }

  private func numbers(_ recording: String) throws -> [Int] {
    try parts(recording).compactMap { Int($0.split(separator: ".")[1]) }
  }

  private func checkWhole(_ name: String, line: UInt = #line) throws {
    let verified = try run("verify \(name)", line: line)
    XCTAssertFalse(verified.contains("problem") || verified.contains("warning"), verified, line: line)
    let numbers = try numbers(name)
    XCTAssertEqual(numbers, numbers.first.map { Array($0..<$0 + numbers.count) } ?? [], line: line)
  }

  private let formats = ["jsonl", "csv", "mcap"]

  /// With and without `--rotate`, and however many there are.
  func testATotalGoesOn() throws {
    for ending in formats {
      for (number, rotate) in ["--rotate 1h", ""].enumerated() {
        let name = "m\(number).\(ending)"
        let record = "record m=sim:meter@500,seed=1 --pulses 0.5:l --append -o \(name) --count 30"
        try run("\(record) --rotate 1h")
        let empty = try [leaveAPart(of: name), leaveAPart(of: name, ending == "csv" ? "time_ns,m.count" : "")]
        let before = try run("verify \(name)")
        XCTAssertTrue(
          before.contains("\(empty[0]): it has no row, because its run was killed before the first one"), before)
        let said = try run("\(record) \(rotate)")
        XCTAssertTrue(said.contains("m goes on at 7.5 l (15 pulses), from the end of m\(number).000001."), said)
        XCTAssertTrue(said.contains("; an earlier run was cut off, so it is at least that"), said)
        for name in empty {
          XCTAssertTrue(said.contains("\(name) has no row, and is removed when the next part begins"), said)
        }
        try checkWhole(name)
        XCTAssertTrue(try run("info \(name)").contains("m is at least 15.0 l"))
      }
    }
  }

  /// The metadata of a part without rows has what its run had counted.
  func testATotalOfARunThatWroteNoRow() throws {
    try run("record m=sim:meter@500,seed=1 --pulses 0.5:l --rotate 1h --append -o m.jsonl --count 30")
    let part = try XCTUnwrap(try parts("m.jsonl").first)
    let empty = try leaveAPart(of: "m.jsonl")
    let metadata = try String(contentsOfFile: "\(folder)/\(part)-metadata.json", encoding: .utf8)
      .replacingOccurrences(of: "\"sluice:state\": \"finished\"", with: "\"sluice:state\": \"unfinished\"")
      .replacingOccurrences(of: ":value\": 7.5", with: ":value\": 9.5")
      .replacingOccurrences(of: ":value\": 15", with: ":value\": 19")
      .split(separator: "\n").filter { !$0.contains("sluice:ended_ns") }.joined(separator: "\n")
    try write("\(empty)-metadata.json", metadata)
    let said = try run("record m=sim:meter@500,seed=1 --pulses 0.5:l --append -o m.jsonl --count 30 --rotate 1h")
    XCTAssertTrue(said.contains("m goes on at 9.5 l (19 pulses), from the start of \(empty); "), said)
    XCTAssertTrue(said.contains("it is at least that"), said)
  }

  func testWindowsAreNumberedOn() throws {
    let record =
      "record i=sim:imu@200,seed=1 --around i.accel_x>2.3,20ms,20ms -o w.jsonl --append --rotate 300ms --count 400 -q"
    try run(record)
    _ = try leaveAPart(of: "w.jsonl")
    try run(record)
    try run("replay w.jsonl -q -o all.csv --layout wide")
    let title = try XCTUnwrap(try rows("all.csv")[0].split(separator: ",").firstIndex { $0.hasSuffix("window") })
    var windows: [Int] = []
    for row in try rows("all.csv").dropFirst() {
      let number = Int(row.split(separator: ",", omittingEmptySubsequences: false)[title]) ?? 0
      if windows.last != number { windows.append(number) }
    }
    XCTAssertGreaterThan(windows.count, 2)
    XCTAssertEqual(windows, Array(1...windows.count))
  }

  func testWhatAnAppendRefusesIsRefused() throws {
    for rotate in ["--rotate 300ms", ""] {
      let name = "q\(rotate.count).jsonl"
      try run("record i=sim:imu@200 -o \(name) --append --rotate 300ms --count 100 -q")
      let empty = try leaveAPart(of: name)
      let before = try parts(name)
      let said = try run("record i=sim:imu@200 --raw -o \(name) --append \(rotate) --count 100", status: 1)
      XCTAssertTrue(said.contains("stream \"i\" is raw, and scaled in q"), said)
      XCTAssertEqual(try parts(name), before)
      XCTAssertTrue(before.contains(empty))
    }
  }

  func testAClockBehindTheLastRow() throws {
    try run("record timer:1ms --count 3 --append --rotate 1h -o t.jsonl -q")
    let part = try XCTUnwrap(try parts("t.jsonl").first)
    try runShell(
      "printf '{\"time_ns\":4000000000000000000,\"stream\":\"timer 1ms\",\"values\":{\"tick\":9}}\\n' >> \(folder)/\(part)"
    )
    _ = try leaveAPart(of: "t.jsonl")
    let said = try run("record timer:1ms --count 3 --append -o t.jsonl")
    XCTAssertTrue(said.contains("the last row of \(part) is of 2096-10-02T07:06:40.000Z"), said)
    XCTAssertEqual(try numbers("t.jsonl"), [1, 2])
  }

  /// Earlier versions left them between other parts, with and without metadata.
  func testARecordingWithHolesIsReadVerifiedAndRepaired() throws {
    for ending in formats {
      let name = "h.\(ending)"
      try run("record i=sim:imu@500,seed=1 -o \(name) --append --rotate 1h --count 50 -q")
      let empty = try leaveAPart(of: name)
      // As if a run had begun after it.
      let next = try leaveAPart(of: name)
      let first = try XCTUnwrap(try parts(name).first)
      try runShell(
        "cp \(folder)/\(first) \(folder)/\(next); cp \(folder)/\(first)-metadata.json \(folder)/\(next)-metadata.json")
      try write(
        "\(name)-parts.jsonl",
        "{\"sluice:last\": 3, \"sluice:removed_parts\": 0, \"sluice:removed_bytes\": 0, \"sluice:removed_readings\": 0}\n"
      )
      XCTAssertTrue(try run("repair \(name)").contains("\(empty): every row is whole\n"))
      try checkWhole(name)
      try run("replay \(name) -q --force -o all.csv")
      XCTAssertEqual(try rows("all.csv").count, 101)
      let info = try run("info \(name) --quick")
      XCTAssertTrue(info.contains("100 readings"), info)
      let said = try run("record i=sim:imu@500,seed=1 -o \(name) --append --rotate 1h --count 50")
      XCTAssertFalse(said.contains("is removed"), said)
      XCTAssertEqual(try numbers(name), [1, 2, 3, 4])
      try runShell("rm \(folder)/h.*")
    }
  }

  /// A power cut may leave NUL bytes, and no metadata.
  func testAPartOfNULBytesIsRepaired() throws {
    try run("record i=sim:imu@500,seed=1 -o n.jsonl --append --rotate 1h --count 50 -q")
    let empty = try leaveAPart(of: "n.jsonl", "\0\0\0\0")
    XCTAssertTrue(try run("verify n.jsonl", status: 1).contains("sluice repair \(empty)"))
    XCTAssertTrue(try run("repair n.jsonl").contains("\(empty): cut off 4 bytes after the last whole row, 4 NUL bytes"))
    try checkWhole("n.jsonl")
  }

  /// The part that a running recording has begun, and that has no row yet.
  func testAPartThatARunningRecordingHolds() throws {
    try run("record i=sim:imu@500,seed=1 -o r.jsonl --append --rotate 1h --count 50 -q")
    let empty = try leaveAPart(of: "r.jsonl")
    for rotate in ["--rotate 1h", ""] {
      let said = try runShell(
        "cd \(folder); flock \(empty) $SLUICE record i=sim:imu@500,seed=1 -o r.jsonl --append \(rotate) --count 50",
        status: 1)
      XCTAssertTrue(said.contains("cannot write \(empty): another recording is writing it"), said)
      let repaired = try runShell("cd \(folder); flock \(empty) $SLUICE repair r.jsonl", status: 1)
      XCTAssertTrue(repaired.contains("cannot repair \(empty): another recording is writing it"), repaired)
      XCTAssertEqual(try numbers("r.jsonl"), [1, 2])
    }
  }

  func testAFileThatIsNotOfTheRecordingIsAFault() throws {
    try run("record i=sim:imu@500,seed=1 -o f.jsonl --append --rotate 1h --count 50 -q")
    try write("f.000042.20961121T145507Z.jsonl", "")
    for rotate in ["--rotate 1h", ""] {
      let said = try run("record i=sim:imu@500,seed=1 -o f.jsonl --append \(rotate) --count 50", status: 1)
      XCTAssertTrue(said.contains("f.000042.20961121T145507Z.jsonl has no row, and its number does not follow"), said)
      XCTAssertEqual(try numbers("f.jsonl"), [1, 42])
    }
    try runShell("cd \(folder); rm f.000042*; mkdir f.000002.20961121T145507Z.jsonl")
    let said = try run("record i=sim:imu@500,seed=1 -o f.jsonl --append --rotate 1h --count 50", status: 1)
    XCTAssertTrue(
      said.contains("f.000002.20961121T145507Z.jsonl has the name of a part, but is not a regular file"), said)
  }

  /// All that the first run has received is in its spill: the second one goes on from it.
  func testARunThatGotNoFurtherThanItsSpill() throws {
    let record =
      "record s=timer:1ms m=sim:meter@500 --pulses m=0.5:l --pause-mode spill --append --rotate 1h -o p.jsonl"
    let first = try start("\(record) --start-paused")
    // What is in memory goes to the log after a second.
    let log = "\(folder)/p.jsonl-spill"
    waitUntil("readings in the log") {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: log).filter { $0.hasSuffix(".log") }) ?? []
      let attributes = names.first.flatMap { try? FileManager.default.attributesOfItem(atPath: "\(log)/\($0)") }
      return attributes?[.size] as? Int ?? 0 > 2_000
    }
    kill(first.process.processIdentifier, SIGKILL)
    _ = end(first)
    let said = try run("\(record) --count 5")
    XCTAssertTrue(said.contains("m goes on at "), said)
    let flagged = try rows(try XCTUnwrap(try parts("p.jsonl").last)).filter { $0.contains("restart") }
    XCTAssertEqual(flagged.count { $0.contains("\"stream\":\"s\"") }, 1)
  }

  func testASingleFileWithoutAByte() throws {
    for name in ["s.csv", "s.jsonl"] {
      try write(name, "")
      XCTAssertTrue(try run("repair \(name)").contains("\(name): every row is whole\n"))
      XCTAssertTrue(try run("verify \(name)").contains("\(name): it is empty"))
      try run("record i=sim:imu@500,seed=1 -o \(name) --append --count 50 -q")
      let verified = try run("verify \(name)")
      XCTAssertFalse(verified.contains("problem") || verified.contains("warning"), verified)
    }
  }
}
