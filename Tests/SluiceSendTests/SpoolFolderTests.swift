import Foundation
import Sluice
import SluiceLog
import SluiceReadings
import SluiceSystem
import TestDisk
import TestFiles
import XCTest

@testable import SluiceRecording
@testable import SluiceSend

/// The folder of a spool at a start: what an earlier run, another machine or a damage has left in it.
final class SpoolFolderTests: SpoolTestCase {
  private func folder(
    _ disk: ModelDisk, _ streams: [StreamDescription], _ identity: BoardIdentity = identity, decimals: Int? = nil,
    tags: [RowTag] = []
  ) throws -> SpoolFolder {
    try SpoolFolder(
      of: "model://end", in: "spool", settings(), streams, raw: false, decimals: decimals, tags: tags, identity,
      Disk(files: disk))
  }

  /// A spool with 100 readings that wait.
  private func left(_ disk: ModelDisk, _ streams: [StreamDescription]? = nil) throws -> String {
    let folder = try folder(disk, streams ?? [Self.stream])
    let spool = DiskSpool(folder.log, limit: 1 << 30)
    try spool.append(readings(0..<100, from: 0), .init())
    spool.close()
    return folder.path
  }

  func testWhatWaitsOfOtherStreamsIsSetAside() throws {
    let disk = ModelDisk(seed: 1)
    let path = try left(disk)
    let other = StreamDescription(name: "s", channels: [.init(name: "value"), .init(name: "more")])
    for _ in 0..<2 {
      let begun = try folder(disk, [other])
      XCTAssertEqual([begun.path, begun.description.epoch], [path, "0123"])
      XCTAssertEqual(begun.waiting, 0)
      XCTAssertEqual(begun.faults.count, 1, "it is said at each start")
      let faults = begun.faults.map { "\($0)" }.joined()
      XCTAssertTrue(faults.contains("sluice resend --spool \(path).old-1"), faults)
      begun.log.close()
    }
    let aside = try SegmentLog(path + ".old-1", files: disk)
    XCTAssertEqual(aside.waiting, 100)
    try aside.advance(LogWatermark(next: aside.next), keeps: true)
    aside.close()
    let last = try folder(disk, [other])
    XCTAssertEqual(last.faults, [], "nothing waits there any more")
    last.log.close()
    XCTAssertEqual(try SpoolFolder.folders(in: "spool", disk).count, 2)
    XCTAssertEqual(try SpoolFolder.described(path + ".old-1", disk)?.board, "board")
  }

  /// The name that is given counts in the run that sets a spool aside too, and not only in the next one.
  func testTheNameOfTheBoardCountsWhenASpoolIsSetAside() throws {
    let disk = ModelDisk(seed: 1)
    let path = try left(disk)
    let other = StreamDescription(name: "s", channels: [.init(name: "value"), .init(name: "more")])
    var named = settings()
    named.board = "cellar"
    let begun = try SpoolFolder(
      of: "model://end", in: "spool", named, [other], raw: false, decimals: nil, Self.identity, Disk(files: disk))
    XCTAssertEqual(begun.faults.count, 1, "it is set aside")
    XCTAssertEqual(begun.description.board, "cellar")
    begun.log.close()
    XCTAssertEqual(try SpoolFolder.described(path, disk)?.board, "cellar")
    XCTAssertEqual(try SpoolFolder.described(path + ".old-1", disk)?.board, "board")
  }

  /// A reading keeps its tags, so that sending it again brings the same point.
  func testTagsStayThoseOfTheReadings() throws {
    let disk = ModelDisk(seed: 1)
    let site = ["site=cellar"].compactMap { RowTag($0) }
    let first = try folder(disk, [Self.stream], tags: site)
    let spool = DiskSpool(first.log, limit: 1 << 30)
    try spool.append(readings(0..<100, from: 0), .init())
    spool.close()
    XCTAssertEqual(try SpoolFolder.described(first.path, disk)?.rowTags, site)
    let same = try folder(disk, [Self.stream], tags: site)
    XCTAssertEqual([same.waiting, same.faults.count], [100, 0])
    same.log.close()
    let other = try folder(disk, [Self.stream])
    XCTAssertEqual(other.waiting, 0)
    XCTAssertTrue("\(other.faults)".contains("100 readings with other tags"), "\(other.faults)")
    other.log.close()
    XCTAssertEqual(try SpoolFolder.described(first.path + ".old-1", disk)?.rowTags, site)
  }

  /// The server may have points with these times, so the next spool of the board knows them, also after a kill.
  func testTheTimesOfASpoolThatIsSetAside() throws {
    let disk = ModelDisk(seed: 1)
    _ = try left(disk)
    let other = StreamDescription(name: "s", channels: [.init(name: "value"), .init(name: "more")])
    let begun = try folder(disk, [other])
    XCTAssertEqual(begun.waiting, 0)
    XCTAssertEqual(SpoolTimes(begun.log, [other], Disk(files: disk)).earlier([other]), [33])
    let spool = DiskSpool(begun.log, limit: 1 << 30)
    try spool.append(readings(0..<10, from: 70), .init())
    disk.kill()
    let next = try folder(disk, [other])
    XCTAssertEqual(SpoolTimes(next.log, [other], Disk(files: disk)).earlier([other]), [73])
  }

  func testOtherDecimalsAreOtherValues() throws {
    let disk = ModelDisk(seed: 1)
    _ = try left(disk)
    XCTAssertEqual(try folder(disk, [Self.stream], decimals: 2).faults.count, 1)
  }

  /// After a boot, a device may have another number.
  func testAnotherDeviceNumberIsTheSameStream() throws {
    let disk = ModelDisk(seed: 1)
    var stream = Self.stream
    stream.device = .init(path: "/dev/iio:device0")
    _ = try left(disk, [stream])
    stream.device = .init(path: "/dev/iio:device1")
    let begun = try folder(disk, [stream])
    XCTAssertEqual(begun.waiting, 100)
    XCTAssertEqual(begun.faults, [])
  }

  /// A file that was changed could have all values rounded to nothing.
  func testDecimalsThatNoRecordingHas() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let disk = ModelDisk(seed: 1)
    let known = try XCTUnwrap(disk.text(try left(disk) + "/spool.json"))
    for (decimals, isRight) in [(0, true), (18, true), (-5, false), (19, false), (Int.min, false)] {
      var document = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(known.utf8)) as? [String: Any])
      document["decimals"] = decimals
      try JSONSerialization.data(withJSONObject: document).write(to: folder.appendingPathComponent("spool.json"))
      XCTAssertEqual((try? SpoolFolder.described(folder.path)) != nil, isRight, "\(decimals)")
    }
  }

  func testADamagedDescriptionIsReplaced() throws {
    let disk = ModelDisk(seed: 1)
    let path = try left(disk)
    disk.damage(path + "/spool.json", at: 0)
    let later = BoardIdentity(name: "board", machine: "abc", epoch: { "4567" })
    let begun = try folder(disk, [Self.stream], later)
    XCTAssertEqual([begun.description.epoch, begun.description.board], ["4567", "board"])
    XCTAssertEqual(begun.waiting, 100)
    XCTAssertEqual(begun.faults.count, 1)
    XCTAssertNotNil(disk.text(path + "/spool.json.damaged"))
    begun.log.close()
    XCTAssertEqual(try folder(disk, [Self.stream], later).faults, [])
  }

  func testAFullDiskDoesNotPreventAStart() throws {
    let disk = ModelDisk(seed: 1)
    let path = try left(disk)
    disk.damage(path + "/spool.json", at: 0)
    disk.room = 0
    let begun = try folder(disk, [Self.stream])
    XCTAssertEqual(begun.waiting, 100)
    XCTAssertEqual(begun.faults.count, 2)
  }

  /// Then readings wait in memory: `HTTPOutput`.
  func testASpoolThatIsNewOnAFullDisk() throws {
    let disk = ModelDisk(seed: 1)
    disk.room = 0
    XCTAssertThrowsError(try folder(disk, [Self.stream])) { XCTAssertEqual(($0 as? SluiceError)?.errno, ENOSPC) }
    disk.room = .max
    XCTAssertNoThrow(try folder(disk, [Self.stream]), "it is open no more")
  }

  func testASectorThatCannotBeReadDoesNotPreventAStart() throws {
    let disk = ModelDisk(seed: 1)
    _ = try left(disk)
    disk.unreadable[segment(disk)] = 0..<4_096
    let begun = try folder(disk, [Self.stream])
    let spool = DiskSpool(begun.log, limit: 1 << 30)
    try spool.append(readings(100..<110, from: 0), .init())
    XCTAssertGreaterThanOrEqual(begun.waiting, 110)
  }

  /// A disk with the spool of a sender that has ended.
  private func ended() throws -> (disk: ModelDisk, path: String) {
    let disk = ModelDisk(seed: 1)
    let (run, path) = try open(disk, settings(), window: 1, after: nil)
    run.sender.stop()
    run.queues.run(for: 0)
    return (disk, path)
  }

  func testASpoolOfAnotherMachineIsSetAside() throws {
    let disk = try ended().disk
    let other = BoardIdentity(name: "other", machine: "def", epoch: { "4567" })
    let begun = try folder(disk, [Self.stream], other)
    XCTAssertEqual([begun.description.board, begun.description.epoch], ["other", "4567"])
    XCTAssertTrue(begun.faults.map { "\($0)" }.joined().contains("another machine has begun it"), "\(begun.faults)")
  }

  /// A cloned card has the machine-id of the other one.
  func testASpoolOfOtherHardwareIsSetAside() throws {
    let disk = ModelDisk(seed: 1)
    func identity(_ serial: String?, _ epoch: String) -> BoardIdentity {
      BoardIdentity(name: "board", machine: "abc", serial: serial, epoch: { epoch })
    }
    for (serial, epoch, expected) in [
      (nil, "01", "01"), ("10000000a", "02", "01"), (nil, "03", "01"), ("10000000a", "04", "01"),
      ("10000000b", "05", "05"),
    ] as [(String?, String, String)] {
      let begun = try folder(disk, [Self.stream], identity(serial, epoch))
      XCTAssertEqual(begun.description.epoch, expected, "\(serial ?? "none")")
      begun.log.close()
    }
  }

  /// Two copies would send different readings under the same numbers.
  func testACopyBeginsANewEpoch() throws {
    let parent = temporaryFolder().path
    func begin(_ name: String, epoch: String) throws -> SpoolFolder {
      let identity = BoardIdentity(name: "board", machine: "abc", epoch: { epoch })
      return try SpoolFolder(
        of: "model://end", in: "\(parent)/\(name)", settings(), [Self.stream], raw: false, decimals: nil, identity,
        Disk(files: SystemFiles()))
    }
    let first = try begin("a", epoch: "01")
    try XCTSkipIf(first.description.birth == nil, "this file system does not know when a folder was made")
    let spool = DiskSpool(first.log, limit: 1 << 30)
    try spool.append(readings(0..<10, from: 0), .init())
    spool.close()
    try FileManager.default.copyItem(atPath: "\(parent)/a", toPath: "\(parent)/b")
    let copy = try begin("b", epoch: "02")
    XCTAssertEqual([copy.description.epoch, copy.description.board], ["02", "board"])
    XCTAssertEqual(copy.waiting, 0)
    let faults = "\(copy.faults)"
    XCTAssertTrue(
      faults.contains("copied, restored or moved from another file system") && faults.contains("sluice resend --spool"),
      faults)
    copy.log.close()
    // The original, and one with another name, go on.
    let again = try begin("a", epoch: "03")
    XCTAssertEqual([again.description.epoch, "\(again.waiting)", "\(again.faults)"], ["01", "10", "[]"])
    again.log.close()
    try FileManager.default.moveItem(atPath: "\(parent)/a", toPath: "\(parent)/c")
    let moved = try begin("c", epoch: "04")
    XCTAssertEqual([moved.description.epoch, "\(moved.waiting)"], ["01", "10"])
    moved.log.close()
  }

  /// A reading keeps the run that has numbered it.
  func testARunForEachReading() throws {
    let disk = ModelDisk(seed: 1)
    var runs: [UInt64] = []
    for run in 0..<3 as Range<Int64> {
      let begun = try folder(disk, [Self.stream])
      let spool = DiskSpool(begun.log, limit: 1 << 30)
      XCTAssertNotEqual(spool.run, 0)
      runs.append(spool.run)
      for part in 0..<2 as Range<Int64> {
        let first = run * 20 + part * 10
        try spool.append(readings(first..<first + 10, from: 0), .init())
      }
      spool.close()
    }
    XCTAssertEqual(Set(runs).count, 3)
    func read(_ spool: any SendSpool) throws -> [String] {
      var parts: [String] = []
      while case .batch(let batch) = try spool.read(most: 30, before: .max) {
        parts.append("\(batch.numbers) \(runs.firstIndex(of: batch.run) ?? -1)")
      }
      return parts
    }
    let log = try folder(disk, [Self.stream]).log
    XCTAssertEqual(try read(DiskSpool(log, limit: 1 << 30)), ["0..<20 0", "20..<40 1", "40..<60 2"])
    XCTAssertEqual(
      try read(RangeSpool(log, 15..<45)), ["15..<20 0", "20..<30 1", "30..<40 1", "40..<45 2"])
    log.close()
  }

  /// The folder knows how many readings the log had.
  func testTheLossOfTheLastSegmentIsCounted() throws {
    for isCut in [false, true] {
      let disk = ModelDisk(seed: 1)
      for run in 0..<2 as Range<Int64> {
        let begun = try folder(disk, [Self.stream])
        let times = SpoolTimes(begun.log, [Self.stream], Disk(files: disk))
        let spool = DiskSpool(begun.log, limit: 1 << 30, times: times)
        try spool.append(readings(run * 10..<run * 10 + 10, from: 0), .init())
        spool.close()
      }
      let last = try XCTUnwrap(disk.paths.filter { $0.hasSuffix(".log") }.max())
      if isCut {
        let descriptor = try disk.open(last, O_WRONLY)
        try disk.truncate(descriptor, to: 100)
        try disk.close(descriptor)
      } else {
        try disk.remove(last)
      }
      let begun = try folder(disk, [Self.stream])
      XCTAssertEqual([begun.log.next, begun.log.nextNoted], [10, 20])
      let times = SpoolTimes(begun.log, [Self.stream], Disk(files: disk))
      let spool = DiskSpool(begun.log, limit: 1 << 30, times: times)
      XCTAssertEqual(spool.next, 20, "no number is given twice")
      try spool.append(readings(20..<25, from: 0), .init())
      var (there, lost) = (0, 0)
      reading: while true {
        switch try spool.read(most: 100, before: .max) {
        case .batch(let batch): there += batch.readings.count
        case .lost(let count): lost += count
        case .gone: XCTFail("nothing was given up")
        case .end: break reading
        }
      }
      XCTAssertEqual([there, lost], [15, 10])
      spool.close()
    }
  }

  func testTheBoardAndTheEpochStay() throws {
    let (disk, path) = try ended()
    let renamed = BoardIdentity(name: "other", machine: "abc", epoch: { "4567" })
    let folder = try folder(disk, [Self.stream], renamed)
    XCTAssertEqual(folder.path, path)
    XCTAssertEqual([folder.description.board, folder.description.epoch], ["board", "0123"])
    folder.log.close()
  }
}
