import Foundation
import Sluice
import TestFiles
import XCTest

@testable import SluiceSystem

final class LockHolderTests: XCTestCase {
  private lazy var folder = temporaryFolder()
  private var path: String { folder.file("walk.csv") }

  private func openedFile() throws -> Int32 { try SystemFiles().open(path, O_WRONLY | O_CREAT) }

  func testTheProcessOfALockedFile() throws {
    XCTAssertNil(LockHolder(of: path))
    let file = try openedFile()
    XCTAssertNil(LockHolder(of: path))
    try SystemFiles().lock(file)
    XCTAssertEqual(LockHolder(of: path)?.process, getpid())
    closeFile(file)
    XCTAssertNil(LockHolder(of: path))
  }

  /// The kernel gives its list page by page, and a lock may be missing in it if another one has gone in between.
  func testALockThatIsMissingInTheFirstLists() throws {
    let file = try openedFile()
    try SystemFiles().lock(file)
    defer { closeFile(file) }
    for missing in 0...4 {
      var reads = 0
      let holder = LockHolder(of: path) {
        reads += 1
        return reads > missing ? procText("/proc/locks") ?? "" : "1: FLOCK  ADVISORY  WRITE 1 fe:00:1 0 EOF\n"
      }
      XCTAssertNotNil(holder)
      XCTAssertEqual(holder?.process, missing < 4 ? getpid() : nil, "missing in \(missing) lists")
    }
  }

  /// A program that asks shares the lock for a moment. A recording that begins at that moment still gets its lock.
  func testAskingKeepsNoRecordingFromItsLock() throws {
    let isOver = Locked(false)
    let ended = expectation(description: "the other thread has ended")
    Thread.detachNewThread { [path] in
      while !isOver.withLock({ $0 }) { _ = LockHolder(of: path) }
      ended.fulfill()
    }
    for _ in 0..<2_000 {
      let file = try openedFile()
      try SystemFiles().lock(file)
      closeFile(file)
    }
    isOver.withLock { $0 = true }
    wait(for: [ended], timeout: 60)
  }

  func testLinesOfTheKernel() {
    let me = getpid()
    let locks = """
      1: FLOCK  ADVISORY  WRITE \(me) fe:00:16221002 0 EOF
      2: POSIX  ADVISORY  WRITE \(me) fe:00:5613205 1073741824 1073742335
      3: FLOCK  ADVISORY  READ \(me) fe:00:7 0 EOF
      4: -> FLOCK  ADVISORY  WRITE \(me) fe:00:8 0 EOF
      5: FLOCK  ADVISORY  WRITE 0 fe:00:9 0 EOF
      6: FLOCK  ADVISORY  WRITE \(me) 103:1ff:10 0 EOF
      7: FLOCK  ADVISORY  WRITE \(me) fe:01:11 0 EOF
      8: FLOCK  ADVISORY  WRITE \(me) fe:02:11 0 EOF
      9: OFDLCK ADVISORY  WRITE -1 fe:00:12 0 EOF
      """
    for (device, inode, process) in [
      (0xfe00, 16_221_002, me), (0xfe01, 16_221_002, nil), (nil, 16_221_002, me), (0xfe00, 5_613_205, nil),
      (0xfe00, 7, nil), (0xfe00, 8, nil), (0xfe00, 9, nil), (0x11_03ff, 10, me),
      (0xfe01, 11, me), (nil, 11, nil), (0xfe00, 12, nil),
    ] as [(UInt64?, UInt64, Int32?)] {
      XCTAssertEqual(LockHolder.process(locks, device: device, inode: inode), process, "\(inode)")
    }
    XCTAssertNil(LockHolder.process("1: FLOCK\n\n: : :\n", device: 1, inode: 1))
  }
}
