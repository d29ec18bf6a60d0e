#if SLUICE_MQTT
  import Foundation
  import Sluice
  import SluiceReadings
  import SluiceSystem
  import TestFiles
  import XCTest

  @testable import SluiceRecording
  @testable import SluiceSend

  /// What `land` does with messages, without a broker.
  final class LandTests: XCTestCase {
    private lazy var folder = temporaryFolder().path

    private func message(_ board: String, _ stream: String, _ number: Int) -> MQTTMessage {
      var message = MQTTMessage(
        topic: "plant/evil/\(board)/readings/\(stream)", bytes: Array("time_ns,\(stream)\n\(number),\(number)\n".utf8))
      message.properties = ["board": board, "stream": stream, "epoch": "ab", "sequence": "\(number)", "rows": "1"]
      return message
    }

    private func land(_ files: any FileSystem) throws -> Land {
      try Land("mqtt://127.0.0.1/plant/#", ServerSettings(), in: folder, client: nil, now: { 0 }, files: files) { _ in }
    }

    /// Each sync may take 20 ms, and meanwhile no message of another board is taken.
    func testABoardDecidesNotHowOftenTheDiskIsSynced() throws {
      let files = CountingFiles()
      let land = try land(files)
      var number = 0
      func send(_ count: Int, board: (Int) -> String, stream: (Int) -> String) throws {
        for place in 0..<count {
          try land.add(message(board(place), stream(place), number))
          number += 1
        }
      }
      for (name, board, stream) in [
        ("new files", { _ in "b" }, { "s\($0)" }), ("old files in turns", { _ in "b" }, { "s\($0 % 200)" }),
        ("new boards", { "b\($0)" }, { _ in "s" }), ("old boards in turns", { "b\($0 % 300)" }, { _ in "s" }),
      ] as [(String, (Int) -> String, (Int) -> String)] {
        let before = files.syncs
        try send(1_000, board: board, stream: stream)
        try land.sync()
        XCTAssertLessThan(files.syncs - before, 250, name)
      }
      XCTAssertEqual(land.counts.rows, 4_000)
      XCTAssertEqual(land.counts.strange, 0)
    }

    /// All is there after a restart, however it was synced.
    func testManyFilesAreThereAgain() throws {
      let first = try land(CountingFiles())
      for number in 0..<300 { try first.add(message("b", "s\(number)", number)) }
      try first.sync()
      XCTAssertEqual(first.counts.rows, 300)
      let name = "evil#b"
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")
      XCTAssertEqual(names.count { $0.hasSuffix(".csv") }, 300)
      let board = try LandedBoard("b", folder: name, in: folder, SystemFiles()) { file, _ in XCTFail("cut \(file)") }
      XCTAssertEqual(board.gaps.count, 0)
      XCTAssertEqual(board.fileCount, 300)
      board.close()
    }
  }

  /// The files of this machine; counts the syncs.
  private final class CountingFiles: FileSystem {
    private let system = SystemFiles()
    private let count = Locked(0)

    var syncs: Int { count.withLock { $0 } }

    func open(_ path: String, _ flags: Int32) throws(SystemErrno) -> Int32 { try system.open(path, flags) }
    func open(_ path: String, _ flags: Int32, isInterrupted: () -> Bool) throws(SystemErrno) -> Int32? {
      try system.open(path, flags, isInterrupted: isInterrupted)
    }
    func status(of descriptor: Int32) throws(SystemErrno) -> FileStatus { try system.status(of: descriptor) }
    func status(at path: String) throws(SystemErrno) -> FileStatus { try system.status(at: path) }
    func steps(to path: String) -> [PathStep] { system.steps(to: path) }
    func birth(of path: String) -> Int64? { system.birth(of: path) }
    func lock(_ descriptor: Int32) throws(SystemErrno) { try system.lock(descriptor) }
    func read(
      _ descriptor: Int32, at offset: Int64, into bytes: UnsafeMutableRawBufferPointer
    ) throws(SystemErrno) -> Int { try system.read(descriptor, at: offset, into: bytes) }
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemErrno) -> Int {
      try system.write(descriptor, bytes)
    }
    func truncate(_ descriptor: Int32, to length: Int64) throws(SystemErrno) {
      try system.truncate(descriptor, to: length)
    }
    func allocate(_ descriptor: Int32, _ length: Int64) throws(SystemErrno) { try system.allocate(descriptor, length) }
    func close(_ descriptor: Int32) throws(SystemErrno) { try system.close(descriptor) }
    func rename(_ path: String, to other: String) throws(SystemErrno) { try system.rename(path, to: other) }
    func link(_ path: String, to other: String) throws(SystemErrno) { try system.link(path, to: other) }
    func copyOwner(of descriptor: Int32, to other: Int32) throws(SystemErrno) {
      try system.copyOwner(of: descriptor, to: other)
    }
    func remove(_ path: String) throws(SystemErrno) { try system.remove(path) }
    func names(in folder: String) throws(SystemErrno) -> [String] { try system.names(in: folder) }
    func makeFolder(_ path: String) throws(SystemErrno) { try system.makeFolder(path) }
    func removeFolder(_ path: String) throws(SystemErrno) { try system.removeFolder(path) }

    // Nothing is put on the disk: the test only counts.
    func sync(_ descriptor: Int32) throws(SystemErrno) { count.withLock { $0 += 1 } }
    func sync(folder path: String) throws(SystemErrno) { count.withLock { $0 += 1 } }
    func sync(diskOf folder: String) throws(SystemErrno) { count.withLock { $0 += 1 } }
  }
#endif
