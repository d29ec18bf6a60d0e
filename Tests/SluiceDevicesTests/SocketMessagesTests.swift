import SluiceReadings
import SluiceSystem
import XCTest

@testable import SluiceDevices

/// Sockets of UDP, which drop and count like those of CAN.
final class SocketMessagesTests: XCTestCase {
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 72, alignment: 8)

  override func tearDown() { memory.deallocate() }

  /// Takes all messages.
  private func all(_ messages: SocketMessages, _ descriptor: Int32) -> [SocketMessage] {
    var taken: [SocketMessage] = []
    while case let count = messages.receive(descriptor, into: memory, size: 72, limit: 256), count > 0 {
      taken += (0..<count).map(messages.takeMessage)
    }
    return taken
  }

  /// The kernel's count begins anew with each socket, and says nothing of the one before it.
  func testEachSocketCountsItsOwn() throws {
    let drops = SocketDrops()
    let messages = SocketMessages(256, EpochClock(), drops)
    for _ in 0..<2 {
      let pair = try XCTUnwrap(CANSocketPair(udp: ()))
      SocketReceipt.request(of: pair.receiving, buffer: 1)
      setSocketOption(pair.receiving, SOL_SOCKET, SO_RCVBUF, Int32(1))
      messages.begin(pair.receiving)
      // The same number is dropped of each: only a count that begins anew shows it.
      for _ in 0..<100 { XCTAssertTrue(pair.send(1, [])) }
      let first = all(messages, pair.receiving)
      XCTAssertFalse(first.contains(where: \.isAfterLoss), "those that fit came before the loss")
      XCTAssertTrue(pair.send(1, []))
      let next = all(messages, pair.receiving)
      XCTAssertEqual(next.map(\.isAfterLoss), [true])
      XCTAssertEqual(next.map(\.dropped), [100 - first.count])
      XCTAssertNotNil(next[0].time)
      XCTAssertEqual(next[0].bytes.count, 16)
      XCTAssertTrue(pair.send(1, []))
      XCTAssertEqual(all(messages, pair.receiving).map(\.isAfterLoss), [false], "it is said once")
      XCTAssertEqual(drops.close(), 0)
    }
  }

  /// Another thread that looks at the count takes the number, but not the sign that readings are missing here.
  func testALossThatIsCountedAlready() throws {
    let drops = SocketDrops()
    let messages = SocketMessages(256, EpochClock(), drops)
    let pair = try XCTUnwrap(CANSocketPair(udp: ()))
    defer { drops.close() }
    SocketReceipt.request(of: pair.receiving, buffer: 1)
    setSocketOption(pair.receiving, SOL_SOCKET, SO_RCVBUF, Int32(1))
    messages.begin(pair.receiving)
    for _ in 0..<100 { XCTAssertTrue(pair.send(1, [])) }
    let first = all(messages, pair.receiving)
    XCTAssertEqual(drops.look(), 100 - first.count)
    XCTAssertTrue(pair.send(1, []))
    let next = all(messages, pair.receiving)
    XCTAssertEqual(next.map(\.isAfterLoss), [true])
    XCTAssertEqual(next.map(\.dropped), [0])
  }
}
