import Foundation
import Sluice
import SluiceReadings
import SluiceSystem
import TestFiles
import XCTest

@testable import SluiceRecording

/// Where the first damage is looked for, and how a recording and its metadata are changed, call by call.
final class TornTailTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private func end(_ text: String, _ shape: RowShape, _ metadata: String? = nil) throws -> Int {
    let path = folder.file("t.csv", text)
    let descriptor = try SystemFiles().open(path, O_RDONLY)
    defer { try? SystemFiles().close(descriptor) }
    let lastRun = try metadata.map { text in
      LastRun(try TraceMetadata(Array("{\"sluice:format\": \"csv\", \(text)}".utf8), path: "m"))
    }
    return Int(try TornTail.find(SystemFiles(), descriptor, shape, lastRun).end)
  }

  func testWhereItIsLookedFor() throws {
    let rows = String(repeating: "1795272907506849878,1\n", count: 100_000)
    let good = "time_ns,x\n" + rows
    let text = good + "1,\0\0\n" + rows + "2,"
    let whole = text.utf8.count - 2
    let csv = RowShape.csv(header: 10, isLong: false)
    XCTAssertEqual(try end(text, csv), whole, "more than 1 MiB from the end")
    XCTAssertEqual(try end(text, csv, "\"sluice:state\": \"finished\""), whole)
    let unfinished = "\"sluice:state\": \"unfinished\""
    XCTAssertEqual(try end(text, csv, unfinished), good.utf8.count, "nothing says where it began")
    for (byte, expected) in [
      (0, good.utf8.count), (good.utf8.count, good.utf8.count), (good.utf8.count + 5, whole),
      // What is no beginning of a row, or not in the file, says nothing.
      (good.utf8.count + 6, good.utf8.count), (1 << 40, good.utf8.count),
    ] {
      XCTAssertEqual(try end(text, csv, "\(unfinished), \"sluice:began_at_byte\": \(byte)"), expected, "\(byte)")
    }
  }

  /// Names that a spreadsheet would take for formulas are changed in the rows.
  func testATornReadingOfANameThatRowsDoNotHave() throws {
    let good = "time_ns,stream,channel,value\n1,_@imu,_=x,1\n1,_@imu,y,2\n"
    let metadata = """
      "sluice:state": "unfinished", "sluice:began_at_byte": 29, "sluice:streams": [
        {"sluice:name": "@imu", "sluice:channels": [{"sluice:name": "=x"}, {"sluice:name": "y"}]}]
      """
    XCTAssertEqual(try end(good + "2,_@imu,_=x,3\n", .csv(header: 29, isLong: true), metadata), good.utf8.count)
  }

  /// More was lost than a crash can lose: the rows of the last run, and the end of the run before it.
  func testAFileThatIsShorterThanAtTheBeginOfItsLastRun() throws {
    let good = "time_ns,stream,channel,value\n1,imu,x,1\n1,imu,y,2\n"
    let text = good + "2,imu,x,3\n"
    for (byte, expected) in [(1_000, good), (text.utf8.count + 1, good), (text.utf8.count, text)] {
      let metadata = """
        "sluice:state": "unfinished", "sluice:began_at_byte": \(byte), "sluice:streams": [
          {"sluice:name": "imu", "sluice:channels": [{"sluice:name": "x"}, {"sluice:name": "y"}]}]
        """
      XCTAssertEqual(try end(text, .csv(header: 29, isLong: true), metadata), expected.utf8.count, "\(byte)")
    }
  }

  func testARowLongerThanAChunk() throws {
    let good = "time_ns,x\n1,2\n"
    for size in [1 << 20, 3 << 20] {
      let long = String(repeating: "7", count: size)
      XCTAssertEqual(try end(good + long, .lines), good.utf8.count)
      XCTAssertEqual(try end(good + long + "\n", .lines), good.utf8.count + size + 1)
      XCTAssertEqual(try end(good + String(repeating: "\0", count: size), .lines), good.utf8.count)
      XCTAssertEqual(try end(good + String(repeating: "\0", count: size) + "\n", .lines), good.utf8.count)
    }
  }

  /// The line feeds of quoted cells, where the search begins amid one of them.
  func testQuotedCells() throws {
    let row = "1,\"a\nb\n\",c,2\n"
    let good = "time_ns,stream,channel,value\n" + String(repeating: row, count: 200_000)
    let long = RowShape.csv(header: 29, isLong: true)
    // Each is another place to begin at.
    for count in 0..<row.utf8.count {
      let torn = String(row.prefix(count))
      XCTAssertEqual(try end(good + torn, long), good.utf8.count, "\(torn)")
      XCTAssertEqual(try end(good + torn + "\0\0", long), good.utf8.count, "\(torn)")
    }
    XCTAssertEqual(try end(good, long), good.utf8.count)
  }

  // MARK: Call by call

  private func append(_ files: SpyFiles) throws {
    let file = try ClaimedFile(path: folder.path + "/t.csv", existing: .append, disk: Disk(files: files))
    try file.lock()
    let store = FileStore(file)
    defer { try? file.close() }
    try store.check(header: Array("time_ns,x\n".utf8)) { _ in nil }
    try store.begin(header: Array("time_ns,x\n".utf8)) { _ in }
  }

  func testAFileThatCannotBeCutIsLeftAsItIs() throws {
    let text = "time_ns,x\n1,2\n2"
    let path = folder.file("t.csv", text)
    let error = error { try append(SpyFiles(failing: ["truncate": EPERM])) }
    XCTAssertEqual(error.map { "\($0)" }, "cannot write \(path): operation not permitted")
    XCTAssertEqual(folder.text("t.csv"), text)
  }

  /// At each moment the disk has the document of the last run, in one of the two files.
  func testTheOrderOfTheCallsThatKeepARun() throws {
    let path = folder.file("t.csv", "time_ns,x\n1,2\n")
    let document = "{\"sluice:format\": \"csv\"}"
    _ = folder.file("t.csv-metadata.json", document)
    let files = SpyFiles()
    _ = try MetadataFile(beside: path, Disk(files: files)).begin(isAppending: true, hasRows: true) { _ in document }
    let changes = files.calls.filter { !["open", "read", "status", "close"].contains($0) }
    XCTAssertEqual(
      changes,
      [
        "write t.csv-runs.jsonl", "sync t.csv-runs.jsonl", "sync folder", "remove temporary", "write temporary",
        "sync temporary", "rename temporary t.csv-metadata.json", "sync folder", "remove t.csv-metadata.json.room",
      ])
    XCTAssertEqual(folder.text("t.csv-runs.jsonl"), "{\"sluice:format\":\"csv\"}\n")
  }

  func testWithoutSyncNothingIsSaidOfWhatIsOnTheDisk() throws {
    let path = folder.file("t.csv", "time_ns,x\n1,2\n")
    let files = SpyFiles()
    let disk = Disk(files: files, sync: .never)
    let earlier = try MetadataFile(beside: path, disk).begin(isAppending: true, hasRows: true) { _ in "{}" }
    XCTAssertEqual(earlier, EarlierMetadata(hasUndescribedRows: true))
    XCTAssertFalse(files.calls.contains { $0.hasPrefix("sync") })
  }

  /// A line that is only partly written is taken back.
  func testADiskThatIsFullLeavesTheDocumentWhereItIs() throws {
    let path = folder.file("t.csv", "time_ns,x\n1,2\n")
    let document = "{\"sluice:format\": \"csv\"}"
    _ = folder.file("t.csv-metadata.json", document)
    let file = MetadataFile(beside: path, Disk(files: SpyFiles(failing: ["write": ENOSPC])))
    let error = error { _ = try file.begin(isAppending: true, hasRows: true) { _ in "{}" } }
    XCTAssertEqual(
      error.map { "\($0)" }, "cannot append to \(path)-runs.jsonl: no space left on device; free some space")
    XCTAssertEqual(folder.text("t.csv-metadata.json"), document)
    XCTAssertEqual(folder.text("t.csv-runs.jsonl"), "")
  }
}

/// The files of this machine: notes each call, and fails some.
private final class SpyFiles: FileSystem {
  private let system = SystemFiles()
  private let failing: [String: Int32]
  private let state = Locked<(calls: [String], names: [Int32: String])>(([], [:]))

  init(failing: [String: Int32] = [:]) { self.failing = failing }

  var calls: [String] { state.withLock { $0.calls } }

  private func note(_ call: String, _ what: String = "") throws(SystemErrno) {
    state.withLock { $0.calls.append(what.isEmpty ? call : "\(call) \(what)") }
    if let code = failing[call] { throw SystemErrno(code) }
  }

  private func name(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.hasSuffix(".new") ? "temporary" : name
  }

  private func name(_ descriptor: Int32) -> String { state.withLock { $0.names[descriptor] ?? "?" } }

  func open(_ path: String, _ flags: Int32) throws(SystemErrno) -> Int32 {
    try note("open")
    let descriptor = try system.open(path, flags)
    state.withLock { $0.names[descriptor] = name(path) }
    return descriptor
  }

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
  ) throws(SystemErrno) -> Int {
    try note("read")
    return try system.read(descriptor, at: offset, into: bytes)
  }

  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemErrno) -> Int {
    if failing["write"] != nil { _ = try system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(3))) }
    try note("write", name(descriptor))
    return try system.write(descriptor, bytes)
  }

  func truncate(_ descriptor: Int32, to length: Int64) throws(SystemErrno) {
    try note("truncate", name(descriptor))
    try system.truncate(descriptor, to: length)
  }

  func sync(_ descriptor: Int32) throws(SystemErrno) {
    try note("sync", name(descriptor))
    try system.sync(descriptor)
  }

  func close(_ descriptor: Int32) throws(SystemErrno) {
    try note("close")
    try system.close(descriptor)
  }

  func link(_ path: String, to other: String) throws(SystemErrno) { try system.link(path, to: other) }

  func copyOwner(of descriptor: Int32, to other: Int32) throws(SystemErrno) {
    try system.copyOwner(of: descriptor, to: other)
  }

  func rename(_ path: String, to other: String) throws(SystemErrno) {
    try note("rename", "\(name(path)) \(name(other))")
    try system.rename(path, to: other)
  }

  func remove(_ path: String) throws(SystemErrno) {
    try note("remove", name(path))
    try system.remove(path)
  }

  func sync(folder path: String) throws(SystemErrno) {
    try note("sync", "folder")
    try system.sync(folder: path)
  }

  func sync(diskOf folder: String) throws(SystemErrno) { try system.sync(diskOf: folder) }
  func names(in folder: String) throws(SystemErrno) -> [String] { try system.names(in: folder) }
  func allocate(_ descriptor: Int32, _ length: Int64) throws(SystemErrno) { try system.allocate(descriptor, length) }
  func makeFolder(_ path: String) throws(SystemErrno) { try system.makeFolder(path) }
  func removeFolder(_ path: String) throws(SystemErrno) { try system.removeFolder(path) }
}
