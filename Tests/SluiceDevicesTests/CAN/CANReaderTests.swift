import Sluice
import SluiceReadings
import SluiceSystem
import XCTest

@testable import SluiceCAN
@testable import SluiceDevices

/// The reader alone, with the errors and the clocks of a test.
final class CANReaderTests: XCTestCase {
  private let losses = DeviceLosses(coverage: .all)

  private func reader(
    _ pair: CANSocketPair, hasReconnection: Bool = false, errors: [Int32] = [],
    now: @escaping () -> WallTimes.Look = { .now }
  ) -> CANReader {
    let socket = CANSocket(descriptor: pair.receiving, CANOptions())
    var left = errors
    let drops = SocketDrops()
    drops.begin(socket.descriptor)
    let input = SocketMessages(CANReader.most, EpochClock(), drops, now: now) { descriptor, messages, count in
      guard left.isEmpty else {
        errno = left.removeFirst()
        return -1
      }
      return SocketMessages.receiveNow(descriptor, messages, count)
    }
    let reconnection = DeviceReconnection<CANSocket>(report: { _ in }) { () throws(SluiceError) in
      throw CANSocket.down("open", "can0", "can0")
    }
    let connection = CANConnection(
      interface: "can0", streams: CANStreams(interface: "can0"), losses: losses, drops: drops,
      reconnection: hasReconnection ? reconnection : nil)
    return CANReader(connection, socket, StreamID(0), EpochClock(), messages: input)
  }

  /// The kernel gives the error first, and once.
  func testFramesBeforeTheEndOfTheInterfaceComeFirst() throws {
    let pair = try XCTUnwrap(CANSocketPair())
    let reader = reader(pair, errors: [ENETDOWN])
    for number in 0..<3 { pair.send(UInt32(number), []) }
    var batch: [Reading] = []
    XCTAssertNoThrow(try reader.read(ready: [true], limit: 2, into: &batch))
    XCTAssertEqual(batch.count, 2)
    XCTAssertEqual([reader.timeout, reader.gathering], [0, 0], "nothing would wake the thread")
    batch = []
    XCTAssertThrowsError(try reader.read(ready: [true], limit: 2, into: &batch)) {
      XCTAssertEqual(($0 as? SluiceError)?.code, .disconnected)
    }
    XCTAssertEqual(batch.count, 1, "the last frame, with the error")
    reader.close()
  }

  func testAnInterfaceThatWentDownWithFramesIsOpenedAgain() throws {
    let pair = try XCTUnwrap(CANSocketPair())
    let reader = reader(pair, hasReconnection: true, errors: [ENETDOWN])
    pair.send(1, [])
    var batch: [Reading] = []
    try reader.read(ready: [true], limit: 100, into: &batch)
    XCTAssertEqual(batch.count, 1)
    XCTAssertTrue(losses.isAway)
    XCTAssertEqual(losses[.removed].count, 1)
    XCTAssertEqual(reader.descriptors, [])
    XCTAssertEqual(reader.timeout, 200)
    reader.close()
  }

  /// All frames that came before the socket was empty may be from before the jump.
  func testFramesAfterAStallWithASetClock() throws {
    let pair = try XCTUnwrap(CANSocketPair(udp: ()))
    var jump: Int64 = 0
    let reader = reader(pair) {
      let now = WallTimes.Look.now
      return WallTimes.Look(
        monotonic: now.monotonic, offsets: now.offsets.lowerBound + jump...now.offsets.upperBound + jump)
    }
    let clock = EpochClock()
    let before = clock.now
    let sent = 300
    for number in 0..<sent { XCTAssertTrue(pair.send(UInt32(number), [])) }
    jump = 3_600_000_000_000
    var batch: [Reading] = []
    try reader.read(ready: [true], limit: 1_000, into: &batch)
    // The kernel begins to note times a moment after a socket has asked for them. Until then, the time is that of the read.
    let after = clock.now
    XCTAssertEqual(batch.count, sent)
    XCTAssertEqual(batch.filter { $0.flags != .uncertainTime }.count, 0)
    let span = before - 5_000_000...after + 5_000_000
    XCTAssertEqual(batch.filter { !span.contains($0.time) }.count, 0)
    reader.close()
  }
}
