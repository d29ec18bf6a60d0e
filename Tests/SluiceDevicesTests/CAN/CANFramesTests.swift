import Foundation
import Sluice
import SluiceReadings
import SluiceTesting
import XCTest

@testable import SluiceCAN
@testable import SluiceDevices

/// Frames through a pair of sockets in the place of an interface.
final class CANFramesTests: XCTestCase {
  /// Subscribes, and waits until as many readings have come.
  private func readings(
    _ count: Int, of frames: Publishers.CANFrames, sending: () -> Void = {}
  ) -> TestSubscriber<Reading, SluiceError> {
    let (got, left) = (expectation(description: "all"), Locked(count))
    let subscriber = TestSubscriber<Reading, SluiceError> { _ in
      let last = left.withLock { left in
        left -= 1
        return left == 0
      }
      if last { got.fulfill() }
      return .none
    }
    frames.subscribe(subscriber)
    sending()
    wait(for: [got], timeout: 300)
    frames.finish()
    frames.teardown.wait()
    return subscriber
  }

  func testAllFramesInOrder() throws {
    let pair = try XCTUnwrap(CANSocketPair())
    let frames = try pair.frames().streams(from: StreamID(7), clock: EpochClock())
    let subscriber = readings(20_000, of: frames) {
      for number in 0..<20_000 {
        pair.send(UInt32(number & 0x7ff), withUnsafeBytes(of: UInt64(number).littleEndian) { Array($0) })
      }
    }
    XCTAssertEqual(subscriber.values.count, 20_000)
    for (number, reading) in subscriber.values.enumerated() {
      let bytes = withUnsafeBytes(of: UInt64(number).littleEndian) { $0.map { Int64($0) } }
      guard reading.values == Values(([Int64(number & 0x7ff), 0, 0, 8] + bytes).map { ExactDecimal(significand: $0) }),
        reading.stream == StreamID(7), reading.flags == []
      else { return XCTFail("frame \(number) is \(reading)") }
    }
    XCTAssertEqual(zip(subscriber.values.dropFirst(), subscriber.values).filter { $0.time < $1.time }.count, 0)
    XCTAssertEqual(subscriber.violations, [])
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(frames.lossReport, LossReport(coverage: .all))
  }

  /// The time is that of the frame's arrival, not of the read.
  func testTimesOfTheKernel() throws {
    let pair = try XCTUnwrap(CANSocketPair())
    let clock = EpochClock()
    let frames = try pair.frames().streams(from: StreamID(0), clock: clock)
    let before = clock.now
    pair.send(1, [])
    let after = clock.now
    let reading = try XCTUnwrap(readings(1, of: frames).values.first)
    // The two clocks are not read at the same moment.
    XCTAssertTrue((before - 1_000_000...after + 1_000_000).contains(reading.time), "\(before) \(reading.time) \(after)")
    XCTAssertEqual(reading.flags, [])
  }

  func testStreamsOfMessages() throws {
    let pair = try XCTUnwrap(CANSocketPair())
    let dbc = try DBC(
      Array(
        """
        BO_ 291 Engine: 8 X
         SG_ Speed : 7|16@0+ (0.25,0) [0|0] "rpm" X
         SG_ Oil : 16|8@1+ (1,-40) [0|0] "°C" X
        """.utf8))
    let frames = try pair.frames(dbc.messages)
    XCTAssertEqual(frames.streams.map(\.name), ["can0:Engine", "can0", "can0:fd", "can0:error"])
    XCTAssertTrue(frames.isWhole)
    let subscriber = readings(4, of: frames) {
      pair.send(0x123, [0x10, 0x01, 90])
      pair.send(0x8000_0123, [1])
      pair.send(0x2000_0004, [0, 1, 0, 0, 0, 0, 0, 9])
      pair.send(0x123, [UInt8](repeating: 2, count: 64), isFD: true)
    }
    XCTAssertEqual(subscriber.values.map { Int($0.stream.index) }, [0, 1, 3, 0])
    XCTAssertEqual(subscriber.values[0].values, [4_097, 90])
    XCTAssertEqual(subscriber.values[2].values, [4, 0, 1, 0, 0, 0, 0, 9])
    XCTAssertEqual(subscriber.values[3].values, [514, 2])
    // The error frame says that the controller has lost some.
    XCTAssertEqual(subscriber.values.map(\.flags), [[], [], .gapBefore, .gapBefore])
    XCTAssertEqual(frames.lossReport.losses.map(\.phrase), ["the controller's buffer overflowed once"])
    XCTAssertEqual(frames.lossReport.losses.map(\.isUncounted), [true])
  }

  func testDropsAreExact() throws {
    let pair = try XCTUnwrap(CANSocketPair(udp: ()))
    let frames = try pair.frames()
    var size: Int32 = 20_000
    setsockopt(pair.receiving, SOL_SOCKET, SO_RCVBUF, &size, 4)
    let sent = 5_000
    for number in 0..<sent { XCTAssertTrue(pair.send(UInt32(number & 0x7ff), [])) }
    // No frame came after the drops, and nothing was read yet.
    let lost = try XCTUnwrap(frames.lossReport.losses.first)
    XCTAssertEqual(lost.reason, "dropped by the kernel (the socket's buffer was full)")
    XCTAssertTrue((1..<sent).contains(lost.count), "\(lost.count)")
    XCTAssertTrue(lost.countsReadings)
    let kept = sent - lost.count
    let one = expectation(description: "one more")
    let left = Locked(kept)
    let subscriber = TestSubscriber<Reading, SluiceError> { reading in
      let rest = left.withLock { left in
        left -= 1
        return left
      }
      // When all were read there is room for another.
      if rest == 0 { pair.send(7, [1]) }
      if rest == -1 { one.fulfill() }
      return .none
    }
    frames.subscribe(subscriber)
    wait(for: [one], timeout: 300)
    frames.finish()
    frames.teardown.wait()
    XCTAssertEqual(subscriber.values.count, kept + 1)
    XCTAssertEqual(subscriber.values.map(\.flags), Array(repeating: [], count: kept) + [.gapBefore])
    XCTAssertEqual(frames.lossReport.losses.map(\.count), [lost.count], "counted once")
  }

  /// What is dropped after the last frame is counted when the socket is closed.
  func testDropsAtTheEnd() throws {
    let pair = try XCTUnwrap(CANSocketPair(udp: ()))
    let frames = try pair.frames()
    var size: Int32 = 1
    setsockopt(pair.receiving, SOL_SOCKET, SO_RCVBUF, &size, 4)
    let subscriber = TestSubscriber<Reading, SluiceError> { _ in .none }
    let sent = 1_000
    for _ in 0..<sent { XCTAssertTrue(pair.send(1, [])) }
    frames.subscribe(subscriber)
    frames.finish()
    frames.teardown.wait()
    let lost = frames.losses[.dropped].count
    XCTAssertGreaterThan(lost, 0)
    XCTAssertEqual(subscriber.values.count + lost, sent)
  }

  func testAnErrorOfTheSocket() throws {
    let pair = try XCTUnwrap(CANSocketPair(udp: ()))
    // What the socket sends is refused.
    close(pair.sending)
    let closed = try XCTUnwrap(CANSocketPair(udp: ()))
    close(closed.receiving)
    let frames = try Publishers.CANFrames(interface: "can0", [], CANOptions()) {
      CANSocket(descriptor: dup(closed.sending), CANOptions())
    }
    closed.send(1, [])
    let ended = expectation(description: "the end")
    let failure = Locked<SluiceError?>(nil)
    let cancellable = frames.sink(
      receiveCompletion: { completion in
        if case .failure(let error) = completion { failure.withLock { $0 = error } }
        ended.fulfill()
      }, receiveValue: { _ in })
    wait(for: [ended], timeout: 300)
    cancellable.cancel()
    XCTAssertEqual(
      failure.withLock { $0?.description },
      "cannot read the CAN interface can0: connection refused; look at its state with: ip -d link")
  }

  func testNoSuchInterface() {
    XCTAssertThrowsError(try Publishers.CANFrames(interface: "nocan0")) {
      XCTAssertEqual(
        "\($0)",
        "cannot open the CAN interface nocan0: there is none of this name; look at the names in sluice list can")
    }
    XCTAssertEqual(
      CANSocket.down("open", "the CAN interface can0", "can0").description,
      "cannot open the CAN interface can0: the interface is down; set it up: ip link set can0 up type can bitrate 500000, with the bit rate of the bus"
    )
    XCTAssertEqual(
      CANSocket.down("open", "the CAN interface vcan0", "vcan0").remedy, "set it up: ip link set vcan0 up")
  }

  func testAFaultOfTheDBCComesFirst() throws {
    var options = CANOptions()
    options.dbc = SysfsFixture().root + "/none.dbc"
    XCTAssertThrowsError(try Publishers.CANFrames(interface: "nocan0", options: options)) {
      XCTAssertTrue("\($0)".hasPrefix("cannot read \(options.dbc ?? ""): no such file"), "\($0)")
    }
  }
}
