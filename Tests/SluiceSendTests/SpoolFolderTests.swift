import Sluice
import SluiceLog
import SluiceReadings
import SluiceSystem
import TestDisk
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

  func testTheBoardAndTheEpochStay() throws {
    let (disk, path) = try ended()
    let renamed = BoardIdentity(name: "other", machine: "abc", epoch: { "4567" })
    let folder = try folder(disk, [Self.stream], renamed)
    XCTAssertEqual(folder.path, path)
    XCTAssertEqual([folder.description.board, folder.description.epoch], ["board", "0123"])
    folder.log.close()
  }
}
