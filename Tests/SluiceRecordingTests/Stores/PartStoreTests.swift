import Sluice
import SluiceReadings
import TestDisk
import XCTest

@testable import SluiceRecording

/// The parts of a recording, on a disk in memory.
final class PartStoreTests: XCTestCase {
  private var disk = ModelDisk(seed: 1)
  private let observer = Observer()
  private let queues = VirtualQueues()
  private var streams = [StreamDescription(name: "a", channels: [StreamDescription.Channel(name: "x")])]
  private var format: any RecordingFormat = CSVFormat(layout: .wide)
  private var path = "d/r.csv"
  private var events: [OutputEvent] = []

  private final class Observer: PartObserver, @unchecked Sendable {
    // One thread at a time uses it: all queues of the test are one.
    var ended: [[Int]] = []
    var removed: [String] = []
    var failures: [String] = []
    var clock = (now: Int64(0), isSynchronised: false)

    func began(_ part: Part) {}
    func ended(_ part: Part) { ended.append(part.written) }
    func removed(_ name: PartName, of series: PartSeries, bytes: Int64, readings: Int?) {
      removed.append("\(name.number): \(bytes) bytes")
    }
    func failed(_ error: SluiceError) { failures.append("\(error)") }
  }

  private func reading(_ time: Int64, _ stream: UInt16 = 0) -> Reading {
    Reading(time: time, stream: StreamID(stream), values: Values(time))
  }

  private func sink(_ rotation: Rotation, _ existing: ExistingFile = .append) throws -> RecordingSink {
    let received = Received()
    self.received = received
    return try RecordingSink(
      [RecordingOutput(path: path, format: format, existing: existing, rotation: rotation)], streams: streams,
      claims: OutputClaims(disk: Disk(files: disk, sync: .batch), parts: observer),
      outputChanged: { received.take($1) }, waitsForDisk: true,
      makeQueue: { _ in queues.queue }
    ) { _ in received.isComplete = true }
  }

  private final class Received: @unchecked Sendable {
    // One thread at a time uses it.
    var events: [String] = []
    var tails: [String] = []
    var isComplete = false

    func take(_ event: OutputEvent) {
      if case .tailCut(let path, let tail) = event {
        tails.append("\(path): cut off \(tail.sentence)")
      } else {
        events.append("\(event)")
      }
    }
  }

  private var received = Received()

  /// - Parameter pause: How much time passes after each reading.
  private func record(
    _ readings: [Reading], _ rotation: Rotation, _ existing: ExistingFile = .append, pause: Int64 = 0,
    line: UInt = #line
  ) throws {
    let sink = try sink(rotation, existing)
    let subject = PassthroughSubject<Reading, Never>()
    subject.subscribe(sink)
    for reading in readings {
      subject.send(reading)
      if pause > 0 { queues.run(for: pause) }
    }
    subject.send(completion: .finished)
    queues.run(for: 60_000_000_000)
    XCTAssertTrue(received.isComplete, line: line)
  }

  private var parts: [String] {
    disk.paths.compactMap { $0.split(separator: "/").last.map(String.init) }.filter { PartName($0) != nil }
  }

  private func rows(_ name: String) -> [String] {
    (disk.text("d/\(name)") ?? "").split(separator: "\n").map(String.init)
  }

  /// Those of all parts, without headers.
  private var allRows: [String] { parts.flatMap { rows($0).filter { !$0.hasPrefix("time_ns") } } }

  private func index() throws -> PartIndex {
    try XCTUnwrap(PartIndex(Array((disk.text("\(path)-parts.jsonl") ?? "").utf8)))
  }

  private static let hour: Int64 = 3_600_000_000_000

  // MARK: Cuts

  func testPartsBeginAtFullHoursAndALateReadingDoesNotGoBack() throws {
    let hour = Self.hour
    let times = [hour - 1, hour, hour + hour / 2, 10, 2 * hour - 1, 2 * hour, 5 * hour + 7]
    try record(times.map { reading($0) }, Rotation(period: .seconds(3_600)))
    XCTAssertEqual(
      parts,
      [
        "r.000001.19700101T005959Z.csv", "r.000002.19700101T010000Z.csv", "r.000003.19700101T020000Z.csv",
        "r.000004.19700101T050000Z.csv",
      ])
    XCTAssertEqual(
      parts.map { rows($0) },
      [
        ["time_ns,a", "\(hour - 1),\(hour - 1)"],
        ["time_ns,a"] + [hour, hour + hour / 2, 10, 2 * hour - 1].map { "\($0),\($0)" },
        ["time_ns,a", "\(2 * hour),\(2 * hour)"], ["time_ns,a", "\(5 * hour + 7),\(5 * hour + 7)"],
      ])
    XCTAssertEqual(observer.ended, [[1], [4], [1], [1]])
    XCTAssertEqual(try index().last, 4)
  }

  /// Also before 1970, and in a part that is long.
  func testPartsBeginAtMidnight() throws {
    let day = 24 * Self.hour
    let times = [-day - 1, -day, -1, 0, day - 1, day, 3 * day]
    try record(times.map { reading($0) }, Rotation(period: .seconds(86_400)))
    XCTAssertEqual(
      parts.map { rows($0).dropFirst().compactMap { $0.split(separator: ",").first.flatMap { Int64($0) } } },
      [[-day - 1], [-day, -1], [0, day - 1], [day], [3 * day]])
    XCTAssertEqual(parts.first, "r.000001.19691230T235959Z.csv")
  }

  /// The row that makes a part so long is its last. The header counts.
  func testPartsAreCutBySize() throws {
    try record((1...10).map { reading($0) }, Rotation(size: 20))
    XCTAssertEqual(observer.ended, [[3], [3], [3], [1]])
    XCTAssertEqual(parts.map { rows($0).count }, [4, 4, 4, 2])
    XCTAssertEqual(allRows, (1...10).map { "\($0),\($0)" })
  }

  func testAPartHasARowAtLeast() throws {
    try record((1...3).map { reading($0) }, Rotation(size: 1))
    XCTAssertEqual(observer.ended, [[1], [1], [1]])
  }

  func testWhicheverComesFirst() throws {
    let second: Int64 = 1_000_000_000
    try record(
      [1, 2, second, second + 1, second + 2].map { reading($0) }, Rotation(size: 35, period: .seconds(1)))
    XCTAssertEqual(observer.ended, [[2], [2], [1]])
  }

  /// One that fills 64 KiB is written in several batches.
  func testPartsLargerThanABatch() throws {
    let times = (0..<40_000).map { Int64($0) + 1_000_000_000 }
    try record(times.map { reading($0) }, Rotation(size: 200_000))
    XCTAssertEqual(allRows, times.map { "\($0),\($0)" })
    XCTAssertEqual(observer.ended.map { $0[0] }.reduce(0, +), times.count)
    XCTAssertEqual(parts.count, 5)
    for part in parts.dropLast() { XCTAssertEqual(disk.text("d/\(part)")?.utf8.count, 200_012, part) }
  }

  private func makeDevice() {
    let device = StreamDescription.Device(path: "dev")
    streams = ["a", "b"].map {
      StreamDescription(name: $0, channels: [StreamDescription.Channel(name: "x")], device: device)
    }
  }

  /// Readings that share a row are in one part, and no row has a half of it.
  func testARowOfSeveralStreamsIsNotCut() throws {
    makeDevice()
    let readings = (1...6).flatMap { time in [reading(time), reading(time, 1)] }
    for rotation in [Rotation(size: 20), Rotation(period: .nanoseconds(2))] {
      try record(readings, rotation)
      XCTAssertEqual(allRows, (1...6).map { "\($0),\($0),\($0)" })
      XCTAssertGreaterThan(parts.count, 1)
      XCTAssertEqual(observer.ended.map { $0[0] }, observer.ended.map { $0[1] })
      for path in disk.paths { try disk.remove(path) }
    }
  }

  /// A row that waits for others is ended after a while, and counts all the same.
  func testRowsThatComeOneByOneAreCutBySize() throws {
    makeDevice()
    try record((1...9).map { reading($0) }, Rotation(size: 22), pause: 2_000_000_000)
    XCTAssertEqual(allRows, (1...9).map { "\($0),\($0)," })
    XCTAssertEqual(observer.ended.map { $0[0] }, [2, 2, 2, 2, 1])
  }

  /// Whatever comes when: the parts are those of the readings alone.
  func testPartsDoNotDependOnWhenReadingsCome() throws {
    var random = SeededGenerator(7)
    var time: Int64 = 0
    let times = (0..<500).map { _ in
      time += Int64.random(in: 0...40, using: &random)
      return Int64.random(in: 0..<10, using: &random) == 0 ? time - 15 : time
    }
    for rotation in [
      Rotation(size: 100), Rotation(period: .nanoseconds(90)), Rotation(size: 150, period: .nanoseconds(200)),
    ] {
      try record(times.map { reading($0) }, rotation)
      let once = parts.map { ($0, disk.text("d/\($0)")) }
      for path in disk.paths { try disk.remove(path) }
      try record(times.map { reading($0) }, rotation, pause: 40_000_000)
      let twice = parts.map { ($0, disk.text("d/\($0)")) }
      XCTAssertEqual(once.map(\.0), twice.map(\.0))
      XCTAssertEqual(once.map(\.1), twice.map(\.1))
      XCTAssertEqual(allRows, times.map { "\($0),\($0)" })
      for path in disk.paths { try disk.remove(path) }
    }
  }

  // MARK: Numbers

  func testTheNumberNeverBeginsAnew() throws {
    let each = Rotation(period: .nanoseconds(1))
    try record((1...3).map { reading($0) }, each)
    var last = 3
    let path = "d/r.csv-parts.jsonl"
    let damage: [(String, () throws -> Void)] = [
      ("it was removed", { try self.disk.remove(path) }),
      ("it is torn", { try self.put(path, "{\"sluice:last\": 1") }),
      ("it is empty", { try self.put(path, "") }),
      ("garbage", { try self.put(path, "\u{0}\u{0}\u{0}\u{0}") }),
      ("another number", { try self.put(path, PartIndex().text) }),
      ("all but the newest were removed", { for part in self.parts.dropLast() { try self.disk.remove("d/\(part)") } }),
      ("all were removed", { for part in self.parts { try self.disk.remove("d/\(part)") } }),
    ]
    for (what, damage) in damage {
      try damage()
      try record([reading(1)], each)
      last += 1
      XCTAssertEqual(parts.last.flatMap { PartName($0) }?.number, last, what)
      XCTAssertEqual(try index().last, last, what)
    }
  }

  private func put(_ path: String, _ text: String) throws {
    try disk.replace(path, with: Array(text.utf8), syncs: true)
  }

  /// No number can follow the largest: who wrote such a one, nobody knows.
  func testNumbersThatNobodyCountsTo() throws {
    let each = Rotation(period: .nanoseconds(1))
    for number in ["9223372036854775807", "-1", "1000000000000000000"] {
      try put(
        "d/r.csv-parts.jsonl",
        """
        {"sluice:last": \(number), "sluice:removed_parts": 0, "sluice:removed_bytes": 0, "sluice:removed_readings": 0}
        """)
      try record([reading(1)], each)
      XCTAssertEqual(parts, ["r.000001.19700101T000000Z.csv"], number)
      for path in disk.paths { try disk.remove(path) }
    }
    try put("d/r.9223372036854775807.19700101T000000Z.csv", "time_ns,a\n")
    try record([reading(1)], each)
    XCTAssertTrue(parts.contains("r.000001.19700101T000000Z.csv"), "\(parts)")
  }

  func testNamesWithoutAnEndingHaveOneIndex() throws {
    path = "d/r"
    try record([reading(1)], Rotation(size: 1))
    path = "d/r.csv"
    try record([reading(1)], Rotation(size: 1))
    XCTAssertEqual(
      disk.paths, ["d/r.000001.19700101T000000Z.csv", "d/r.000002.19700101T000000Z.csv", "d/r.csv-parts.jsonl"])
    path = "d/.csv"
    try record([reading(1)], Rotation(size: 1))
    try record([reading(1)], Rotation(size: 1))
    XCTAssertEqual(parts.filter { $0.hasPrefix(".csv.") }.compactMap { PartName($0)?.number }, [1, 2])
  }

  // MARK: What is there

  func testPartsThatAreThereAreRefusedOrGoneOnWith() throws {
    let each = Rotation(period: .nanoseconds(1))
    try record([reading(1), reading(2)], each, .refuse)
    let before = disk.paths.map { disk.text($0) }
    XCTAssertThrowsError(try record([reading(3)], each, .refuse)) {
      XCTAssertEqual(
        "\($0)",
        "cannot write d/r.csv: there are parts of it; choose another name, or --append for further parts")
    }
    XCTAssertEqual(disk.paths.map { disk.text($0) }, before)
    // What a power cut left of the last row goes.
    let torn = try disk.open("d/\(parts[1])", O_WRONLY | O_APPEND)
    _ = "3,".utf8.withContiguousStorageIfAvailable { disk.write(all: UnsafeRawBufferPointer($0), to: torn) }
    try disk.close(torn)
    try record([reading(3)], each, .append)
    XCTAssertEqual(received.tails, ["d/\(parts[1]): cut off 2 bytes after the last whole row, 1 torn row"])
    XCTAssertEqual(allRows, ["1,1", "2,2", "3,3"])
    XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [1, 2, 3])
  }

  /// A file of the name would be read before its parts.
  func testAFileOfTheNameIsRefusedToo() throws {
    try put("d/r.csv", "time_ns,a\n1,1\n")
    XCTAssertThrowsError(try record([reading(3)], Rotation(size: 1), .refuse)) {
      XCTAssertEqual(
        "\($0)",
        "cannot write d/r.csv: there is a file of that name; choose another name, or --append for parts that follow it")
    }
    XCTAssertEqual(disk.paths, ["d/r.csv"])
    try record([reading(3)], Rotation(size: 1), .append)
    XCTAssertEqual(parts.count, 1)
    XCTAssertEqual(disk.text("d/r.csv"), "time_ns,a\n1,1\n")
  }

  func testOtherColumnsDoNotFollow() throws {
    try record([reading(1)], Rotation(size: 1))
    let before = disk.paths.map { disk.text($0) }
    streams = [StreamDescription(name: "b", channels: [StreamDescription.Channel(name: "x")])]
    XCTAssertThrowsError(try record([reading(2)], Rotation(size: 1))) {
      XCTAssertEqual(
        "\($0)",
        "cannot append to d/r.000001.19700101T000000Z.csv: its first line is not time_ns,b; write to another file")
    }
    XCTAssertEqual(disk.paths.map { disk.text($0) }, before)
  }

  /// In a value change dump a quote is the name of a variable.
  func testPartsOfVCDAreNotTornByTheirNames() throws {
    (format, path) = (VCDFormat(), "d/r.vcd")
    streams = ["a", "b", "c"].map { StreamDescription(name: $0, channels: [StreamDescription.Channel(name: "x")]) }
    let readings = (1...4).flatMap { time in (0..<3).map { reading(time, $0) } }
    for count in 1...readings.count {
      try record(Array(readings[..<count]), Rotation(size: 100_000))
      let part = try XCTUnwrap(parts.first)
      let before = disk.text("d/\(part)")
      try record([reading(9)], Rotation(size: 100_000))
      XCTAssertEqual(disk.text("d/\(part)"), before, "\(count)")
      XCTAssertEqual(received.tails, [])
      for path in disk.paths { try disk.remove(path) }
    }
  }

  func testASecondRecordingOfTheNameIsRefused() throws {
    let first = try sink(Rotation(size: 1))
    let second = Rotation(size: 1)
    XCTAssertThrowsError(try sink(second)) {
      XCTAssertEqual(
        "\($0)",
        "cannot write d/r.csv-parts.jsonl: another recording is writing it; stop that first, or choose another name")
    }
    first.discard()
    XCTAssertEqual(disk.paths, [], "a recording that did not begin leaves nothing")
    try record([reading(1)], second)
  }

  // MARK: Retention

  func testTheNewestPartsAreKept() throws {
    try record((1...9).map { reading($0) }, Rotation(period: .nanoseconds(1), keep: Retention(parts: 3)))
    XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [7, 8, 9])
    XCTAssertEqual(observer.removed, (1...6).map { "\($0): 14 bytes" })
    let index = try index()
    XCTAssertEqual([index.last, index.removedParts, Int(index.removedBytes), index.removedReadings], [9, 6, 84, 0])
    // Those of earlier runs too, and the counts go on.
    try record((1...2).map { reading($0) }, Rotation(period: .nanoseconds(1), keep: Retention(parts: 2)))
    XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [10, 11])
    XCTAssertEqual(try self.index().removedParts, 9)
  }

  func testPartsAreKeptByTheirSize() throws {
    // Each has 14 bytes, and the newest 10 when it begins.
    try record((1...9).map { reading($0) }, Rotation(period: .nanoseconds(1), keep: Retention(bytes: 40)))
    XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [7, 8, 9])
    // The newest stays, however large it is.
    try record([reading(1)], Rotation(period: .nanoseconds(1), keep: Retention(bytes: 1)))
    XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [10])
  }

  func testWhatCannotBeRemovedIsSaidAndTriedAgain() throws {
    var failures = 3
    disk.fault = { call, path in
      guard call == "remove", path.contains("000001"), failures > 0 else { return nil }
      failures -= 1
      return .error(EPERM)
    }
    try record((1...9).map { reading($0) }, Rotation(period: .nanoseconds(1), keep: Retention(parts: 2)))
    XCTAssertEqual(
      observer.failures,
      Array(
        repeating: "cannot remove the old part d/r.000001.19700101T000000Z.csv: operation not permitted", count: 3))
    XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [8, 9])
    XCTAssertEqual(observer.removed.count, 7)
    XCTAssertEqual(observer.ended, Array(repeating: [1], count: 9))
    XCTAssertEqual(received.events, [])
  }

  /// A run that keeps one part, behind one that has written a part with a row.
  private func keepOnePart() throws -> PassthroughSubject<Reading, Never> {
    let rotation = Rotation(period: .nanoseconds(1), keep: Retention(parts: 1))
    try record([reading(1)], rotation)
    let sink = try sink(rotation)
    let subject = PassthroughSubject<Reading, Never>()
    subject.subscribe(sink)
    return subject
  }

  /// Until the new part has a row on the disk, the one before is all that the next run can go on from.
  func testTheNewestPartWithRowsIsKept() throws {
    let subject = try keepOnePart()
    var calls: [String] = []
    disk.fault = { call, path in
      if path.hasSuffix(".csv"), let part = PartName(path.dropFirst(2)) { calls.append("\(call) \(part.number)") }
      return nil
    }
    subject.send(reading(2))
    queues.run(for: 60_000_000_000)
    XCTAssertEqual(allRows, ["2,2"])
    // The header, the row.
    XCTAssertEqual(
      calls.filter { $0.hasPrefix("write") || $0.hasPrefix("sync") || $0.hasPrefix("remove") },
      ["write 2", "sync 2", "write 2", "sync 2", "remove 1"])
    XCTAssertEqual(try index().removedParts, 1)
    subject.send(completion: .finished)
    queues.run(for: 1_000_000_000)
  }

  /// A disk that is full gets the room of the part that is due.
  func testAFullDiskGetsTheRoomOfTheOldPart() throws {
    let subject = try keepOnePart()
    // There is room for the header.
    var writes = 0
    disk.fault = { [disk] call, path in
      guard call == "write", path.contains("000002") else { return nil }
      writes += 1
      let isFull = disk.paths.contains { $0.contains("000001") && $0.hasSuffix(".csv") }
      return writes > 1 && isFull ? .error(ENOSPC) : nil
    }
    subject.send(reading(2))
    queues.run(for: 60_000_000_000)
    XCTAssertEqual(allRows, ["2,2"])
    subject.send(completion: .finished)
    queues.run(for: 1_000_000_000)
    XCTAssertTrue(received.isComplete)
  }

  // MARK: Parts without a row

  private func metadata(state: String, _ members: String = "") -> String {
    #"{"tableSchema": {"columns": []}, "sluice:state": "\#(state)"\#(members)}"#
  }

  /// A kill between the open of a part and its first write, in each format. What goes on is the newest part with rows.
  func testPartsWithoutARowAreRemoved() throws {
    for (ending, beginning) in [("csv", ["", "time_ns,a\n", "time_n", "\0\0\0"]), ("jsonl", ["", "{\"time"])] {
      (path, format) = ("d/r.\(ending)", ending == "csv" ? CSVFormat(layout: .wide) : JSONLinesFormat())
      disk = ModelDisk(seed: 1)
      try record([reading(1), reading(2)], Rotation(period: .nanoseconds(1)))
      for (number, text) in beginning.enumerated() {
        try put("d/r.00000\(3 + number).19700101T00000\(number)Z.\(ending)", text)
      }
      let path = "d/r.000003.19700101T000000Z.\(ending)-metadata.json"
      try put(path, metadata(state: "unfinished"))
      try record([reading(3)], Rotation(period: .nanoseconds(1)))
      XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [1, 2, 3], ending)
      XCTAssertEqual(allRows.count, 3, ending)
      XCTAssertEqual(try index().last, 3, ending)
      XCTAssertFalse(disk.paths.contains(path), ending)
      XCTAssertEqual(received.events.count { $0.hasPrefix("emptyPartRemoved") }, beginning.count, ending)
    }
  }

  /// A run that has no reading leaves them: they alone say that a run was killed after the newest part with rows.
  func testPartsWithoutARowStayUntilAnotherBegins() throws {
    try record([reading(1)], Rotation(period: .nanoseconds(1)))
    try put("d/r.000002.19700101T000000Z.csv", "time_ns,a\n")
    for _ in 0..<2 {
      try record([], Rotation(period: .nanoseconds(1)))
      XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [1, 2])
    }
    try record([reading(3)], Rotation(period: .nanoseconds(1)))
    XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [1, 2])
    XCTAssertEqual(allRows, ["1,1", "3,3"])
  }

  /// What its run has lost is in its metadata.
  func testAPartOfARunThatEndedStays() throws {
    let documents = [
      metadata(state: "finished"), "{",
      metadata(state: "unfinished", #", "sluice:marks": [{"sluice:at_ns": 1, "sluice:text": "door"}]"#),
    ]
    for text in documents {
      disk = ModelDisk(seed: 1)
      try record([reading(1)], Rotation(period: .nanoseconds(1)))
      try put("d/r.000002.19700101T000000Z.csv", "")
      try put("d/r.000002.19700101T000000Z.csv-metadata.json", text)
      try record([reading(3)], Rotation(period: .nanoseconds(1)))
      XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [1, 2, 3], text)
      XCTAssertEqual(allRows, ["1,1", "3,3"], text)
    }
  }

  /// A power cut in the middle of it leaves no number without a part, and no metadata without one.
  func testAKillWhilePartsAreRemoved() throws {
    for calls in 0...60 {
      disk = ModelDisk(seed: UInt64(calls))
      try record([reading(1)], Rotation(period: .nanoseconds(1)))
      for number in 2...4 { try put("d/r.00000\(number).19700101T000000Z.csv", "") }
      try put("d/r.000004.19700101T000000Z.csv-metadata.json", metadata(state: "unfinished"))
      disk.callsToLive = calls
      _ = try? sink(Rotation(period: .nanoseconds(1)))
      if calls % 2 == 0 { disk.kill() } else { disk.cutPower() }
      try record([reading(2)], Rotation(period: .nanoseconds(1)))
      XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [1, 2], "\(calls)")
      XCTAssertEqual(disk.paths.filter { $0.contains("metadata") }, [], "\(calls)")
    }
  }

  func testAPartThatAnotherRecordingHoldsIsNotTouched() throws {
    try record([reading(1)], Rotation(period: .nanoseconds(1)))
    let empty = "d/r.000002.19700101T000000Z.csv"
    try put(empty, "")
    let other = try disk.open(empty, O_WRONLY)
    try disk.lock(other)
    XCTAssertThrowsError(try sink(Rotation(period: .nanoseconds(1)))) {
      XCTAssertEqual(
        "\($0)",
        "cannot write \(empty): another recording is writing it; stop that first, or choose another name")
    }
    XCTAssertTrue(disk.paths.contains(empty))
    try disk.close(other)
    try record([reading(2)], Rotation(period: .nanoseconds(1)))
    XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [1, 2])
  }

  /// Nothing that no run of the recording can have left is removed.
  func testAFileOfAnotherRecordingIsAFault() throws {
    try record([reading(1), reading(2)], Rotation(period: .nanoseconds(1)))
    for (name, before) in [
      ("r.000042.19700101T000000Z.csv", "r.000002.19700101T000000Z.csv"),
      ("r.000002.19700101T000001Z.csv", "r.000002.19700101T000000Z.csv"),
    ] {
      try put("d/\(name)", "")
      XCTAssertThrowsError(try sink(Rotation(period: .nanoseconds(1)))) {
        XCTAssertEqual(
          "\($0)",
          "cannot append to d/r.csv: d/\(name) has no row, and its number does not follow that of d/\(before); "
            + "move it away, because no run of this recording made it")
      }
      XCTAssertTrue(parts.contains(name))
      try disk.remove("d/\(name)")
    }
  }

  // MARK: A disk that is full

  /// Whatever fails when a part begins is tried again.
  func testARotationOnADiskThatIsAway() throws {
    let faults: [(what: String, calls: [String], fault: ModelDisk.Fault)] = [
      ("no file can be made", ["open"], .error(ENOSPC)), ("no header", ["write"], .error(ENOSPC)),
      ("half a header", ["write"], .shortError(ENOSPC)), ("no sync", ["sync"], .error(EIO)),
      ("half a header that stays", ["write", "remove", "truncate"], .shortError(EROFS)),
      ("a header that stays", ["sync", "remove", "truncate"], .error(EROFS)),
    ]
    for (number, (what, calls, fault)) in (0..<6).flatMap({ seed in faults.map { (seed, $0) } }) {
      // How much of a header is taken depends on chance.
      disk = ModelDisk(seed: UInt64(number))
      var count = 0
      let queues = queues
      let end = queues.now + 12_000_000_000
      disk.fault = { call, path in
        // The second part only, its name and its metadata.
        guard calls.contains(call), path.contains(".000002.") || (call == "sync" && path == "d" && count > 0),
          queues.now < end
        else { return nil }
        count += 1
        if call != "write", case .shortError(let code) = fault { return .error(code) }
        return fault
      }
      try record((1...5).map { reading($0) }, Rotation(period: .nanoseconds(2)), pause: 100_000_000)
      disk.fault = { _, _ in nil }
      XCTAssertGreaterThan(count, 1, what)
      XCTAssertEqual(allRows, (1...5).map { "\($0),\($0)" }, what)
      XCTAssertEqual(parts.map { rows($0).first }, ["time_ns,a", "time_ns,a", "time_ns,a"], what)
      XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [1, 2, 3], what)
      XCTAssertEqual(observer.ended, [[1], [2], [2]], what)
      XCTAssertEqual(received.events.count, 2, "\(what): \(received.events)")
      observer.ended = []
    }
  }

  /// The index can be made again, so that rows do not wait for it.
  func testAnIndexThatCannotBeWritten() throws {
    let disk = disk
    disk.fault = { call, path in
      call == "write" && path == "d/r.csv-parts.jsonl" && disk.text("d/r.csv-parts.jsonl") != nil
        && disk.paths.count > 2 ? .error(ENOSPC) : nil
    }
    try record((1...4).map { reading($0) }, Rotation(period: .nanoseconds(1)))
    XCTAssertEqual(allRows, (1...4).map { "\($0),\($0)" })
    disk.fault = { _, _ in nil }
    try record([reading(5)], Rotation(period: .nanoseconds(1)))
    XCTAssertEqual(parts.compactMap { PartName($0)?.number }, [1, 2, 3, 4, 5])
  }
}
