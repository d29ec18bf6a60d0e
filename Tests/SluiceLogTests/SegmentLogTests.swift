import Foundation
import SluiceReadings
import SluiceSystem
import TestDisk
import TestFiles
import XCTest

@testable import SluiceLog

final class SegmentLogTests: XCTestCase {
  private func log(_ disk: ModelDisk, segment: Int = 4_096) throws -> SegmentLog {
    var limits = SegmentLog.Limits()
    limits.segment = segment
    return try SegmentLog("d", files: disk, limits: limits, streams: Array("streams".utf8))
  }

  private func readings(_ numbers: some Sequence<UInt64>) -> [Reading] {
    numbers.map { Reading(time: Int64($0) * 1_000, stream: StreamID(UInt16($0 % 3)), values: Values(Int64($0))) }
  }

  private func items(_ log: SegmentLog, from first: UInt64? = nil) throws -> [LogReader.Item] {
    var reader = log.reader(from: first)
    defer { reader.close() }
    var items: [LogReader.Item] = []
    while true {
      let item = try reader.next()
      if item == .end { return items }
      items.append(item)
    }
  }

  /// The numbers of all readings, each with its value.
  private func numbers(_ items: [LogReader.Item]) -> [UInt64] {
    items.flatMap { item -> [UInt64] in
      guard case .readings(let first, let readings) = item else { return [] }
      XCTAssertEqual(readings, self.readings(first..<first + UInt64(readings.count)))
      return Array(first..<first + UInt64(readings.count))
    }
  }

  private func fill(_ log: SegmentLog, _ count: Int, by run: Int = 40) throws {
    for _ in 0..<count { try log.append(readings(log.next..<log.next + UInt64(run))) }
    try log.sync()
  }

  func testWhatWasAppendedIsReadInOrder() throws {
    let disk = ModelDisk(seed: 1)
    let log = try log(disk)
    XCTAssertEqual(try items(log), [])
    try fill(log, 100)
    XCTAssertGreaterThan(log.segments.count, 3)
    XCTAssertEqual(numbers(try items(log)), Array(0..<4_000))
    XCTAssertEqual(numbers(try items(log, from: 1_234)), Array(1_234..<4_000), "in the middle of a run")
  }

  /// Otherwise, whoever prepares the folder could make this user overwrite a file, or make one elsewhere.
  func testNoLinkIsFollowed() throws {
    for name in ["lock", "watermark-0", "watermark-1"] {
      let folder = temporaryFolder().path
      let (log, target) = ("\(folder)/log", "\(folder)/target")
      try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
      try "mine".write(toFile: target, atomically: false, encoding: .utf8)
      try FileManager.default.createSymbolicLink(atPath: "\(log)/\(name)", withDestinationPath: target)
      if let opened = try? SegmentLog(log) {
        _ = try? opened.append(readings(0..<10))
        for number in 1...2 { XCTAssertThrowsError(try opened.advance(LogWatermark(next: UInt64(number)))) }
        opened.close()
      }
      XCTAssertEqual(try String(contentsOfFile: target, encoding: .utf8), "mine", name)
    }
  }

  func testAFolderOfAnotherUserIsRefused() throws {
    let folder = temporaryFolder().path
    // Only root can give it to another user.
    try XCTSkipUnless(geteuid() != 0 || chown(folder, 65_534, 65_534) == 0)
    let files = SystemFiles()
    let user = geteuid() == 0 ? 0 : geteuid() + 1
    XCTAssertThrowsError(try files.checkOwner(of: folder, "open the log in", trusted: [user])) {
      XCTAssertTrue("\($0)".contains("the folder belongs to another user"), "\($0)")
    }
    XCTAssertNoThrow(try files.checkOwner(of: "/tmp", "open the log in", trusted: [user]))
    if user == 0 {
      XCTAssertThrowsError(try SegmentLog(folder)) {
        XCTAssertEqual(($0 as? SluiceError)?.code, .permissionDenied)
      }
      XCTAssertNoThrow(try SegmentLog(folder, isReading: true))
    }
  }

  /// Readings are put before all others at the end, and count once the watermark stands before them.
  func testReadingsBeforeAllOthers() throws {
    for (waiting, isMarked) in [(50, true), (0, true), (50, false)] {
      let disk = ModelDisk(seed: 1)
      func open() throws -> SegmentLog {
        try SegmentLog("d", files: disk, streams: Array("streams".utf8), first: 5_000)
      }
      let log = try open()
      try log.advance(LogWatermark(next: 5_000))
      if waiting > 0 { try log.append(readings(5_000..<5_000 + UInt64(waiting))) }
      XCTAssertEqual(try log.prepend(readings(3_000..<5_000)), 3_000)
      if isMarked { try log.advance(LogWatermark(next: 3_000)) }
      log.close()
      disk.kill()
      let next = try open()
      XCTAssertEqual(numbers(try items(next)), Array((isMarked ? 3_000 : 5_000)..<5_000 + UInt64(waiting)))
      let before: UInt64 = isMarked ? 3_000 : 5_000
      XCTAssertNil(try next.prepend(readings(0..<before + 1)), "there are no numbers for them")
      try next.advance(LogWatermark(next: next.next))
      XCTAssertEqual(disk.paths.filter { $0.hasSuffix(".log") }, [])
      next.close()
    }
  }

  func testWhatHasGoneOnIsRemoved() throws {
    let disk = ModelDisk(seed: 1)
    let log = try log(disk)
    try fill(log, 100)
    let before = log.segments.count
    try log.advance(LogWatermark(next: 2_000))
    XCTAssertLessThan(log.segments.count, before)
    XCTAssertEqual(numbers(try items(log)), Array(2_000..<4_000))
    log.close()
    let next = try self.log(disk)
    XCTAssertEqual(next.watermark.next, 2_000)
    XCTAssertEqual(next.next, 4_000)
    XCTAssertEqual(numbers(try items(next)), Array(2_000..<4_000))
    try fill(next, 1)
    XCTAssertEqual(numbers(try items(next)), Array(2_000..<4_040))
    try next.advance(LogWatermark(next: 4_040))
    XCTAssertEqual(next.segments.count, 0)
    XCTAssertEqual(try items(next), [])
  }

  func testASecondProcessIsRefused() throws {
    let disk = ModelDisk(seed: 1)
    let log = try log(disk)
    XCTAssertThrowsError(try self.log(disk)) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .busy)
      XCTAssertEqual(
        "\(error)",
        "cannot open the log in d: another process has it open; stop that process, or use another folder")
    }
    XCTAssertThrowsError(try SegmentLog("d", files: disk, isReading: true)) { error in
      XCTAssertTrue("\(error)".hasSuffix("has it open; wait until its recording has ended"), "\(error)")
    }
    log.close()
    XCTAssertNoThrow(try self.log(disk))
  }

  /// Without a watermark, all readings in the log are needed.
  func testARemovedWatermark() throws {
    let disk = ModelDisk(seed: 1)
    let log = try log(disk)
    try fill(log, 100)
    try log.advance(LogWatermark(next: 2_000))
    let first = try XCTUnwrap(log.segments.first).first
    log.close()
    for slot in 0...1 { try? disk.remove("d/watermark-\(slot)") }
    let next = try self.log(disk)
    XCTAssertFalse(next.hadWatermark)
    XCTAssertEqual(numbers(try items(next)), Array(first..<4_000))
    XCTAssertEqual(next.next, 4_000)
  }

  func testARemovedSegmentInTheMiddle() throws {
    let disk = ModelDisk(seed: 1)
    let log = try log(disk)
    try fill(log, 100)
    let (gone, behind) = (log.segments[1].first, log.segments[2].first)
    log.close()
    try disk.remove(SegmentLog.path(gone, "d"))
    let next = try self.log(disk)
    let items = try items(next)
    XCTAssertEqual(items.filter { if case .lost = $0 { true } else { false } }, [.lost(gone..<behind)])
    XCTAssertEqual(numbers(items), Array(0..<gone) + Array(behind..<4_000))
  }

  /// Somebody has copied a segment under another name: nothing that never was counts as lost, and nothing that is there.
  func testACopyOfASegmentUnderAnotherName() throws {
    for (place, number) in [(0, 1_000_000), (1, 1_000_000), (1, 7), (2, 7), (0, 500), (3, 1_500)] as [(Int, UInt64)] {
      let disk = ModelDisk(seed: 1)
      let log = try log(disk)
      try fill(log, 100)
      let segment = log.segments[place].first
      XCTAssertFalse(log.segments.contains { $0.first == number })
      log.close()
      let bytes = try disk.contents(of: SegmentLog.path(segment, "d"), limit: 1 << 24)
      try disk.replace(SegmentLog.path(number, "d"), with: bytes, syncs: true)
      let next = try self.log(disk)
      XCTAssertEqual(next.next, 4_000)
      let items = try items(next)
      XCTAssertEqual(items.filter { if case .lost = $0 { true } else { false } }, [], "\(place) as \(number)")
      XCTAssertEqual(numbers(items), Array(0..<4_000))
      XCTAssertEqual(next.faults.count, 1)
      let said = "\(try XCTUnwrap(next.faults.first))"
      XCTAssertTrue(said.contains("it is 0") && said.contains(".damaged now"), said)
      XCTAssertFalse(disk.paths.contains(SegmentLog.path(number, "d")))
      XCTAssertTrue(disk.paths.contains(SegmentLog.path(number, "d") + ".damaged"))
    }
  }

  /// Its readings are a gap, which counts as what it is, and whoever has renamed it is told.
  func testARenamedSegment() throws {
    for (place, number) in [(1, 7), (1, 1_500), (2, 1_000_000), (0, 700_000), (3, 1)] as [(Int, UInt64)] {
      for isReading in [true, false] {
        let disk = ModelDisk(seed: 1)
        let log = try log(disk)
        try fill(log, 100)
        let (gone, behind) = (log.segments[place].first, log.segments[place + 1].first)
        log.close()
        try disk.rename(SegmentLog.path(gone, "d"), to: SegmentLog.path(number, "d"))
        let next = isReading ? try SegmentLog("d", files: disk, isReading: true) : try self.log(disk)
        XCTAssertEqual(next.next, 4_000)
        let items = try items(next, from: 0)
        let lost = items.filter { if case .lost = $0 { true } else { false } }
        XCTAssertEqual(lost, [.lost(gone..<behind)], "\(place) as \(number)")
        XCTAssertEqual(numbers(items), Array(0..<gone) + Array(behind..<4_000))
        let said = next.faults.map { "\($0)" }.joined()
        XCTAssertTrue(said.contains(SegmentLog.path(gone, "d").dropFirst(2)), said)
        XCTAssertEqual(disk.paths.contains(SegmentLog.path(number, "d")), isReading)
      }
    }
  }

  /// The disk fails at the moment at which the streams change: the next append begins their segment.
  func testTheStreamsChangeOnAFailingDisk() throws {
    let disk = ModelDisk(seed: 1)
    let log = try log(disk)
    try fill(log, 60)
    let first = log.next
    disk.fault = { call, _ in ["sync", "write", "truncate", "open"].contains(call) ? .error(EIO) : nil }
    XCTAssertThrowsError(try log.describe(Array("others".utf8)))
    disk.fault = { _, _ in nil }
    try fill(log, 60)
    log.close()
    let groups = try self.log(disk).describedGroups
    XCTAssertEqual(groups.map(\.streams), [Array("streams".utf8), Array("others".utf8)])
    XCTAssertEqual(groups.last?.numbers.lowerBound, first)
  }

  /// A disk without any room: the watermark moves, and a reader that has everything empties the log.
  func testTheWatermarkMovesOnAFullDisk() throws {
    let disk = ModelDisk(seed: 1)
    let log = try log(disk)
    try log.advance(LogWatermark(next: 0))
    try fill(log, 60)
    disk.room = 0
    for next in stride(from: 100 as UInt64, through: log.next, by: 100) {
      XCTAssertNoThrow(try log.advance(LogWatermark(next: next)))
    }
    XCTAssertNoThrow(try log.advance(LogWatermark(next: log.next)))
    XCTAssertEqual(log.segments.count, 0)
    log.close()
    let next = try self.log(disk)
    XCTAssertEqual(next.waiting, 0)
    XCTAssertEqual(next.next, log.next)
  }

  /// Segments whose first record is damaged belong to the group of their neighbours, also the first ones.
  func testGroupsHaveAllReadings() throws {
    for damaged in [[0], [0, 1], [1], [3], [0, 3]] {
      let disk = ModelDisk(seed: 1)
      let log = try log(disk)
      try fill(log, 60)
      try log.describe(Array("others".utf8))
      try fill(log, 60)
      log.close()
      for place in damaged { disk.damage(SegmentLog.path(log.segments[place].first, "d"), at: 36) }
      let next = try self.log(disk)
      let groups = next.describedGroups
      XCTAssertEqual(groups.map(\.streams), [Array("streams".utf8), Array("others".utf8)], "\(damaged)")
      XCTAssertEqual(groups.first?.numbers.lowerBound, 0)
      XCTAssertEqual(groups.first?.numbers.upperBound, groups.last?.numbers.lowerBound)
      XCTAssertEqual(groups.last?.numbers.upperBound, next.next)
    }
  }

  func testWithoutADescriptionThereIsNoGroup() throws {
    let disk = ModelDisk(seed: 1)
    let log = try log(disk)
    try fill(log, 10)
    log.close()
    for segment in log.segments { disk.damage(SegmentLog.path(segment.first, "d"), at: 36) }
    XCTAssertEqual(try self.log(disk).describedGroups.count, 0)
  }

  /// A segment that cannot be read is left out if the next one can be read; otherwise the disk may be away.
  func testWhatCannotBeReadIsLeftOut() throws {
    let disk = ModelDisk(seed: 1)
    let log = try log(disk)
    try fill(log, 100)
    let (bad, behind) = (log.segments[1].first, log.segments[2].first)
    disk.unreadable[SegmentLog.path(bad, "d")] = 0..<1 << 20
    var reader = log.reader()
    defer { reader.close() }
    var items: [LogReader.Item] = []
    while items.last != .end {
      do throws(SystemErrno) { items.append(try reader.next()) } catch {
        XCTAssertEqual(error.code, EIO)
        XCTAssertThrowsError(try reader.next(), "it is the same place")
        let fault = disk.fault
        disk.fault = { call, _ in call == "read" ? .error(EIO) : nil }
        XCTAssertFalse(reader.leaveOut())
        disk.fault = fault
        XCTAssertTrue(reader.leaveOut())
      }
    }
    XCTAssertEqual(items.filter { if case .lost = $0 { true } else { false } }, [.lost(bad..<behind)])
    XCTAssertEqual(numbers(items), Array(0..<bad) + Array(behind..<4_000))
    XCTAssertEqual(log.damagedCount, 1)
  }

  /// A recording removes segments while another process opens the log to read.
  func testASegmentIsRemovedWhileALogIsOpened() throws {
    let disk = ModelDisk(seed: 1)
    let log = try log(disk)
    try fill(log, 100)
    let first = SegmentLog.path(log.segments[0].first, "d")
    let behind = log.segments[1].first
    disk.fault = { call, _ in
      if call == "names" { log.removeOldest() }
      return nil
    }
    // The names are those of before.
    disk.namesBeforeFault = true
    let reading = try SegmentLog("d", files: disk, isReading: true, besideWriter: true)
    XCTAssertFalse(disk.paths.contains(first))
    XCTAssertEqual(reading.oldest, behind)
  }

  func testForeignFilesStay() throws {
    let disk = ModelDisk(seed: 1)
    for name in ["d/notes.txt", "d/1.log", "d/0000000000000000000x.log", "d/00000000000000000000.log"] {
      let descriptor = try disk.open(name, O_WRONLY | O_CREAT)
      XCTAssertNil(Array("not a log\n".utf8).withUnsafeBytes { disk.write(all: $0, to: descriptor) }.error)
      try disk.close(descriptor)
    }
    let log = try log(disk)
    try fill(log, 3)
    XCTAssertEqual(numbers(try items(log)), Array(0..<120))
    XCTAssertEqual(disk.text("d/00000000000000000000.log.damaged"), "not a log\n")
    XCTAssertEqual(disk.text("d/notes.txt"), "not a log\n")
  }

  /// A flipped bit costs at most the record that has it. Exactly its readings are missing, and the damaged segment is renamed.
  func testFlips() throws {
    var random = TestGenerator()
    for _ in 0..<300 {
      let disk = ModelDisk(seed: 1)
      let log = try log(disk)
      try fill(log, 60)
      let segments = log.segments
      log.close()
      let segment = try XCTUnwrap(segments.randomElement(using: &random))
      let path = SegmentLog.path(segment.first, "d")
      var bytes = disk.bytes(path)
      bytes[.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
      let descriptor = try disk.open(path, O_WRONLY)
      try disk.truncate(descriptor, to: 0)
      XCTAssertNil(bytes.withUnsafeBytes { disk.write(all: $0, to: descriptor) }.error)
      try disk.close(descriptor)
      let next = try self.log(disk)
      XCTAssertEqual(next.next, 2_400)
      let items = try items(next)
      let lost = items.compactMap { if case .lost(let range) = $0 { range } else { nil } }
      XCTAssertLessThanOrEqual(lost.count, 1)
      XCTAssertTrue(lost.allSatisfy { $0.count == 40 }, "\(lost)")
      XCTAssertEqual(numbers(items), (0..<2_400).filter { number in !lost.contains { $0.contains(number) } })
      try fill(next, 1)
      try next.advance(LogWatermark(next: 2_440))
      // What the streams are may be damaged too.
      XCTAssertTrue(lost.isEmpty || disk.paths.contains { $0.hasSuffix(".damaged") })
    }
  }

  /// A full disk, with a truncate that works and one that fails: the run that did not fit is written again, and is there once.
  func testAFullDisk() throws {
    for cutsOff in [true, false] {
      let disk = ModelDisk(seed: 3)
      let log = try log(disk)
      try fill(log, 5)
      disk.room = 30
      if !cutsOff { disk.fault = { call, _ in call == "truncate" ? .error(EIO) : nil } }
      XCTAssertThrowsError(try log.append(readings(200..<240))) { XCTAssertEqual(($0 as? SystemErrno)?.code, ENOSPC) }
      XCTAssertEqual(log.next, 200)
      disk.room = .max
      try fill(log, 5)
      XCTAssertEqual(numbers(try items(log)), Array(0..<400), "\(cutsOff)")
    }
  }

  /// Whatever the size of the log, a start reads its last segment, and of each other one at most the first record.
  func testAStartReadsLittle() throws {
    let disk = ModelDisk(seed: 1)
    let log = try log(disk)
    try fill(log, 600)
    let segments = log.segments
    log.close()
    // All but the first are zeros.
    for segment in segments.dropFirst() {
      let descriptor = try disk.open(SegmentLog.path(segment.first, "d"), O_WRONLY)
      try disk.truncate(descriptor, to: 0)
      let zeros = [UInt8](repeating: 0, count: 100_000)
      XCTAssertNil(zeros.withUnsafeBytes { disk.write(all: $0, to: descriptor) }.error)
      try disk.close(descriptor)
    }
    var reads = 0
    disk.fault = { call, _ in
      if call == "read" { reads += 1 }
      return nil
    }
    let next = try self.log(disk)
    XCTAssertEqual(next.next, segments.last?.first)
    XCTAssertEqual(next.describedStreams, Array("streams".utf8))
    XCTAssertGreaterThan(segments.count, 20)
    XCTAssertLessThan(reads, 500, "of \(segments.count) segments")
  }

  /// On a disk that is almost full, segments are smaller; on a full one there is none, and nothing is left of the attempt.
  func testRoomIsAllocated() throws {
    let disk = ModelDisk(seed: 3)
    var allocated: [String] = []
    disk.fault = { call, path in
      if call == "allocate" { allocated.append(path) }
      return nil
    }
    let log = try log(disk, segment: 64 << 10)
    disk.room = 20_000
    try fill(log, 50)
    XCTAssertEqual(allocated.count, 3, "64 kB, 32 kB, 16 kB: \(allocated)")
    disk.room = 10
    XCTAssertThrowsError(try log.append(readings(2_000..<2_040))) { XCTAssertEqual(($0 as? SystemErrno)?.code, ENOSPC) }
    disk.room = .max
    try fill(log, 50)
    XCTAssertEqual(numbers(try items(log)), Array(0..<4_000))
    log.close()
    XCTAssertEqual(numbers(try items(self.log(disk))), Array(0..<4_000))
  }

  /// A file system that cannot allocate.
  func testARoomThatCannotBeAllocated() throws {
    let disk = ModelDisk(seed: 3)
    disk.fault = { call, _ in call == "allocate" ? .error(EOPNOTSUPP) : nil }
    let log = try log(disk)
    try fill(log, 50)
    XCTAssertEqual(numbers(try items(log)), Array(0..<2_000))
  }

  /// Kills, power cuts, errors of any call: what was synced and is still needed is there once, in order.
  func testRandomLives() throws {
    var random = TestGenerator()
    for seed in 0..<150 as Range<UInt64> {
      let disk = ModelDisk(seed: seed)
      var (synced, gone) = (UInt64(0), UInt64(0))
      var missing: Set<UInt64> = []
      for _ in 0..<8 {
        let log = try log(disk, segment: .random(in: 200...2_000, using: &random))
        XCTAssertGreaterThanOrEqual(log.next, synced, "seed \(seed)")
        let there = try items(log)
        let lost = there.flatMap { item -> [UInt64] in if case .lost(let range) = item { Array(range) } else { [] } }
        XCTAssertTrue(lost.allSatisfy { $0 >= synced || missing.contains($0) }, "seed \(seed): \(lost)")
        // What was lost before it was synced is lost for good.
        missing.formUnion(lost)
        let first = log.watermark.next
        XCTAssertGreaterThanOrEqual(first, gone, "seed \(seed)")
        XCTAssertEqual(
          numbers(there), (first..<max(first, log.next)).filter { !missing.contains($0) }, "seed \(seed)")
        for _ in 0..<Int.random(in: 1...30, using: &random) {
          switch Int.random(in: 0..<10, using: &random) {
          case ..<6:
            let count = UInt64.random(in: 1...30, using: &random)
            try? log.append(readings(log.next..<log.next + count))
          case ..<8:
            let end = log.next
            if (try? log.sync()) != nil, !disk.hasLost { synced = end }
          case 8:
            let next = UInt64.random(in: log.watermark.next...max(synced, log.watermark.next), using: &random)
            if (try? log.advance(LogWatermark(next: next))) != nil, !disk.hasLost { gone = next }
          default:
            let calls = ["write", "open", "truncate", "rename", "remove", "close", "allocate"]
            var left = Int.random(in: 0...2, using: &random)
            let call = calls.randomElement(using: &random)
            disk.fault = { what, _ in
              guard what == call, left > 0 else { return nil }
              left -= 1
              return what == "write" ? .shortError(ENOSPC) : .error(EIO)
            }
          }
        }
        disk.fault = { _, _ in nil }
        if Bool.random(using: &random) { disk.kill() } else { disk.cutPower() }
      }
    }
  }
}
