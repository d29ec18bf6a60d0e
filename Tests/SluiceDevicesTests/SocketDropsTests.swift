import SluiceReadings
import SluiceSystem
import XCTest

@testable import SluiceDevices

/// Sockets of UDP, which drop and count like those of CAN.
final class SocketDropsTests: XCTestCase {
  func testTheLastOnesAreCountedAtTheEnd() throws {
    let drops = SocketDrops()
    XCTAssertEqual([drops.look(), drops.close(), drops.all], [0, 0, 0], "no socket was opened")
    var all = 0
    for _ in 0..<2 {
      let pair = try XCTUnwrap(CANSocketPair(udp: ()))
      setSocketOption(pair.receiving, SOL_SOCKET, SO_RCVBUF, Int32(1))
      drops.begin(pair.receiving)
      for _ in 0..<1_000 { XCTAssertTrue(pair.send(1, [])) }
      let messages = SocketMessages(256, EpochClock(), drops)
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 72, alignment: 8)
      defer { memory.deallocate() }
      let count = messages.receive(pair.receiving, into: memory, size: 72, limit: 256)
      let first = drops.look()
      for _ in 0..<1_000 { XCTAssertTrue(pair.send(1, [])) }
      var kept = count
      while case let more = messages.receive(pair.receiving, into: memory, size: 72, limit: 256), more > 0 {
        kept += more
      }
      let last = drops.close()
      XCTAssertEqual(kept + first + last, 2_000)
      XCTAssertGreaterThan(min(first, last), 0)
      all += first + last
      XCTAssertEqual(drops.all, all)
      XCTAssertEqual(fcntl(pair.receiving, F_GETFD), -1, "it is closed")
    }
  }

  func testAMessageMayBeOlderThanWhatWasSeen() {
    let drops = SocketDrops()
    XCTAssertEqual([drops.advance(to: 5), drops.advance(to: 3), drops.advance(to: 7)], [5, 0, 2])
    XCTAssertEqual(drops.all, 7)
  }
}
