import Foundation
import SluiceReadings
import SluiceSystem
import XCTest

@testable import SluiceSQLite

/// The files beside a database may be those of somebody else.
final class DatabaseFilesTests: SQLiteTestCase {
  private let nobody: uid_t = 65_534

  private func good(_ name: String = "mine.db") throws -> String {
    try record([reading(1, 0, [1])], [stream("s", "a")], to: file(name))
  }

  /// All that SQLite would do with them.
  private func faults(_ path: String) -> [String] {
    let opening: [() throws -> Void] = [
      { _ = try SQLiteTrace(path: path) }, { _ = try SQLiteMetadata.documents(of: path) },
      { try SQLiteRecording.check(path) },
      { _ = try SQLiteRecording(path: path, streams: [stream("s", "a")], raw: false, appends: true) },
    ]
    return opening.map { error(of: $0)?.description ?? "" }
  }

  /// A journal that is to be played back, and that names a file which SQLite removes after that.
  /// See https://sqlite.org/fileformat2.html, section 3.
  private func journal(of path: String, naming other: String) throws -> Data {
    func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    let database = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let page = UInt32(database[16]) << 8 | UInt32(database[17])
    var header = magic + [0, 1, UInt32(database.count) / page, 512, page].flatMap(number)
    header += [UInt8](repeating: 0, count: 512 - header.count)
    let name = Array(other.utf8)
    let sum = name.reduce(0 as UInt32) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
    return Data(
      header + number(0x4000_0000 / page + 1) + name + number(UInt32(name.count)) + number(sum) + magic)
  }

  /// SQLite would remove a file of the user that a stranger has chosen.
  func testAJournalThatNamesAnotherFile() throws {
    let victim = file("thesis.txt", Data("mine".utf8))
    let opening: [(String) throws -> Void] = [
      { _ = try SQLiteRecording(path: $0, streams: [stream("s", "a")], raw: false, appends: true) },
      { _ = try SQLiteMetadata.documents(of: $0) }, { _ = try SQLiteMetadata.append("{}", to: $0) },
      { try SQLiteRecording.checkIsUnlocked($0) },
    ]
    for (number, open) in opening.enumerated() {
      let path = try good("stranger-\(number).db")
      // With a log, the journal would not be looked at.
      try execute(path, "PRAGMA journal_mode = DELETE")
      try journal(of: path, naming: victim).write(to: URL(fileURLWithPath: path + "-journal"))
      let said = error { try open(path) }?.description ?? ""
      // The last one overwrites the file, and so says nothing of what is in it.
      XCTAssertEqual(said.contains("names another file"), number < 3, said)
      XCTAssertEqual(try? String(contentsOfFile: victim, encoding: .utf8), "mine", "\(number)")
    }
    // A journal that names none is played back.
    let path = try good("killed.db")
    try execute(path, "PRAGMA journal_mode = DELETE")
    try journal(of: path, naming: victim).prefix(512).write(to: URL(fileURLWithPath: path + "-journal"))
    XCTAssertNoThrow(try record([reading(2, 0, [2])], [stream("s", "a")], appends: true, to: path))
    XCTAssertEqual(try readAll(path).count, 2)
  }

  /// A link leads SQLite to a file that it would write to.
  func testALinkBesideADatabase() throws {
    let victim = file("thesis.txt", Data("mine".utf8))
    for ending in ["-journal", "-wal", "-shm"] {
      let path = try good("linked.db")
      XCTAssertEqual(symlink(victim, path + ending), 0)
      XCTAssertEqual(
        Set(faults(path).map { $0.components(separatedBy: path + ending).last ?? "" }),
        [": it is no regular file; remove it"])
      // The names are beside the file to which a link to the database leads.
      XCTAssertEqual(symlink(path, "\(folder)/link.db"), 0)
      for said in faults("\(folder)/link.db") { XCTAssertTrue(said.contains("no regular file"), said) }
      for name in ["linked.db", "linked.db\(ending)", "link.db"] { XCTAssertEqual(unlink("\(folder)/\(name)"), 0) }
    }
    XCTAssertEqual(try String(contentsOfFile: victim, encoding: .utf8), "mine")
  }

  /// In a folder such as /tmp, another user can make the files beside a database.
  func testFilesOfAnotherUser() throws {
    // Only root can give a file to somebody else. For others, the rule is tested below.
    guard geteuid() == 0 else { return }
    for ending in ["-journal", "-wal", "-shm"] {
      let path = try good()
      XCTAssertEqual(chown(file("mine.db" + ending), nobody, nobody), 0)
      for said in faults(path) {
        XCTAssertTrue(said.contains("\(path)\(ending): it belongs to another user (number 65534)"), said)
      }
      // All of it is theirs, so it is read, and not appended to.
      XCTAssertEqual(chown(path, nobody, nobody), 0)
      let said = faults(path)
      XCTAssertEqual(
        said.map { $0.contains("\(path): it belongs to another user (number 65534)") }, [false, false, true, true])
      XCTAssertEqual(said.prefix(2), ["", ""])
      for name in folder.files { XCTAssertEqual(unlink("\(folder)/\(name)"), 0) }
    }
    XCTAssertEqual(faults(try good()), ["", "", "", ""])
  }

  /// Root takes the files of root only, as every user does besides their own.
  func testWhoseFilesAreTaken() throws {
    for (user, users, owner, isTaken) in [
      (1_000, [1_000], 1_000, true), (0, [1_000], 1_000, true), (0, [0], nil, true), (1_001, [1_000], 1_000, false),
      (1_000, [0], 0, false), (1_000, [0], nil, false), (1_001, [1_000], nil, false), (1_001, [1_000], 1_001, true),
      (1_000, [0, 1_000], 0, true), (65_533, [1_000], nil, true), (65_534, [1_000], nil, false),
    ] as [(uid_t, Set<uid_t>, uid_t?, Bool)] {
      XCTAssertEqual(
        DatabaseFiles.isTrusted(user, by: users, beside: owner, root: 65_533), isTaken,
        "\(user) \(users) \(owner.map { "\($0)" } ?? "")")
    }
  }
}
