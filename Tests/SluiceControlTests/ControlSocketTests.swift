import Foundation
import SluiceReadings
import SluiceSystem
import TestFiles
import XCTest

@testable import SluiceControl

final class ControlSocketTests: XCTestCase {
  private lazy var temporary = temporaryFolder()
  private var place: ControlPlace { ControlPlace(folder: temporary.file("sluice"), isOfService: false) }
  private let walk = try! ControlName("walk")

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  func testOnlyTheOwnerCanOpenIt() throws {
    let socket = try ControlSocket(walk, at: place)
    let before = umask(0)
    let listening = try socket.listen()
    umask(before)
    XCTAssertEqual(mode(socket.path), 0o600)
    closeFile(listening)
    socket.close()
    XCTAssertEqual(try SystemFiles().names(in: place.folder), [])
  }

  func testTheGroupOfAServiceCanOpenIt() throws {
    let folder = temporary.file("service")
    XCTAssertEqual(mkdir(folder, 0o750), 0)
    let socket = try ControlSocket(walk, at: ControlPlace(folder: folder, isOfService: true))
    let before = umask(0o077)
    let listening = try socket.listen()
    umask(before)
    XCTAssertEqual(mode(socket.path), 0o660)
    closeFile(listening)
    socket.close()
  }

  func testASecondRecordingOfANameIsRefused() throws {
    let first = try ControlSocket(walk, at: place)
    let listening = try first.listen()
    XCTAssertThrowsError(try ControlSocket(walk, at: place)) { error in
      let error = error as? SluiceError
      XCTAssertEqual(error?.code, .busy)
      XCTAssertEqual(
        error?.description,
        "cannot take the name walk: another recording has it (process \(getpid())); stop the other recording, "
          + "or give this one another name with --name")
    }
    let other = try ControlSocket(ControlName("other"), at: place)
    other.close()
    closeFile(listening)
    first.close()
    try ControlSocket(walk, at: place).close()
  }

  func testASocketLeftByAKilledRunIsTakenOver() throws {
    try place.make(geteuid())
    let path = ControlSocket.path(walk, place.folder)
    closeFile(try UnixSocket.listen(at: path, mode: 0o600))
    _ = temporary.file("sluice/walk.lock", "")
    XCTAssertThrowsError(try UnixSocket.connect(to: path))
    let socket = try ControlSocket(walk, at: place)
    let listening = try socket.listen()
    closeFile(try UnixSocket.connect(to: path))
    closeFile(listening)
    socket.close()
  }

  func testWhatIsNoSocketStays() throws {
    try place.make(geteuid())
    let path = temporary.file("sluice/walk.sock", "precious")
    let socket = try ControlSocket(walk, at: place)
    XCTAssertThrowsError(try socket.listen())
    XCTAssertEqual(temporary.text("sluice/walk.sock"), "precious")
    _ = path
  }

  func testALinkInThePlaceOfTheLockIsRefused() throws {
    try place.make(geteuid())
    XCTAssertEqual(symlink(temporary.file("precious", "text"), temporary.file("sluice/walk.lock")), 0)
    XCTAssertThrowsError(try ControlSocket(walk, at: place))
  }

  func testALongPathIsASentence() throws {
    var place = place
    place = ControlPlace(folder: temporary.file(String(repeating: "x", count: 60)), isOfService: false)
    let name = try ControlName(String(repeating: "n", count: 48))
    XCTAssertThrowsError(try ControlSocket(name, at: place)) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .usage)
      XCTAssertEqual((error as? SluiceError)?.cause, "the path of a socket has at most 107 bytes")
    }
  }

  /// Many begin at once, and one of them has the name at a time.
  func testOneOfManyHasTheName() throws {
    let place = place
    try place.make(geteuid())
    let walk = walk
    let holders = Counter()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<100 {
        guard let socket = try? ControlSocket(walk, at: place) else { continue }
        XCTAssertEqual(holders.add(1), 1)
        if let listening = try? socket.listen() { closeFile(listening) } else { XCTFail("the holder cannot listen") }
        holders.add(-1)
        socket.close()
      }
    }
    XCTAssertGreaterThan(holders.most, 0)
  }
}

private final class Counter: @unchecked Sendable {
  // The lock protects both numbers.
  private let lock = NSLock()
  private var count = 0
  private(set) var most = 0

  @discardableResult func add(_ number: Int) -> Int {
    lock.withLock {
      count += number
      most = max(most, count)
      return count
    }
  }
}
