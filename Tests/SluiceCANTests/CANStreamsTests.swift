import SluiceReadings
import XCTest

@testable import SluiceCAN

final class CANStreamsTests: XCTestCase {
  private func text(_ frame: CANFrame, _ streams: CANStreams) -> String {
    let (place, values) = streams.decode(frame)
    XCTAssertEqual(values.count, streams.descriptions[place].channels.count)
    return
      "\(streams.descriptions[place].name) \(values.map { $0.isMissing ? "-" : $0.description }.joined(separator: " "))"
  }

  private func frame(_ id: UInt32, _ bytes: [UInt8], isExtended: Bool = false, isFD: Bool = false) -> CANFrame {
    var frame = CANFrame(id: id, isExtended: isExtended, length: bytes.count)
    frame.isFD = isFD
    frame.payload = CANPayload(bytes)
    return frame
  }

  func testFramesWithoutADBC() {
    let streams = CANStreams(interface: "can0")
    XCTAssertEqual(streams.descriptions.map(\.name), ["can0", "can0:fd", "can0:error"])
    XCTAssertTrue(streams.isWhole)
    XCTAssertEqual(text(frame(0x123, [1, 255]), streams), "can0 291 0 0 2 1 255 - - - - - -")
    XCTAssertEqual(text(frame(0x123, [], isExtended: true), streams), "can0 291 1 0 0 - - - - - - - -")
    var remote = frame(5, [])
    (remote.kind, remote.length) = (.remote, 8)
    XCTAssertEqual(text(remote, streams), "can0 5 0 1 8 - - - - - - - -")
    var fast = frame(1, [1, 0, 0, 0, 2], isFD: true)
    fast.flags = 5
    XCTAssertEqual(text(fast, streams), "can0:fd 1 0 1 0 5 1 2 - - - - - - - - - - - - - -")
    let long = frame(1, (0..<64).map { _ in 0xff }, isFD: true)
    XCTAssertEqual(
      text(long, streams), "can0:fd 1 0 0 0 64" + String(repeating: " 4294967295", count: 16))
    var error = frame(0x204, [1, 2, 3, 4, 5, 6, 7, 8])
    error.kind = .error
    XCTAssertEqual(text(error, streams), "can0:error 516 1 2 3 4 5 7 8")
  }

  func testMessages() throws {
    let dbc = try DBC(
      Array(
        """
        BO_ 2147483747 A: 3 X
         SG_ Mode M : 0|8@1+ (1,0) [0|0] "" X
         SG_ One m1 : 8|8@1+ (0.5,0) [0|0] "V" X
         SG_ Two m2M : 8|8@1+ (3,1) [0|0] "" X
         SG_ Deep m2 : 16|8@1- (1,0) [0|0] "" X
        BO_ 100 Empty: 0 X
        SG_MUL_VAL_ 2147483747 Deep Two 7-9;
        SG_MUL_VAL_ 2147483747 Two Mode 2-2;
        SG_MUL_VAL_ 2147483747 One Mode 1-1;
        """.utf8))
    let streams = CANStreams(interface: "can0", messages: dbc.messages)
    XCTAssertEqual(streams.descriptions.map(\.name), ["can0:A", "can0", "can0:fd", "can0:error"])
    XCTAssertEqual(streams.descriptions[0].channels.map(\.unit), [nil, "V", nil, nil])
    XCTAssertFalse(streams.isWhole, "a signal is scaled in the reading")
    XCTAssertEqual(text(frame(99, [1, 5, 0], isExtended: true), streams), "can0:A 1 5 - -")
    XCTAssertEqual(text(frame(99, [2, 5, 0], isExtended: true), streams), "can0:A 2 - 16 -")
    XCTAssertEqual(text(frame(99, [2, 8, 255], isExtended: true), streams), "can0:A 2 - 25 -1")
    XCTAssertEqual(text(frame(99, [1], isExtended: true), streams), "can0:A 1 - - -", "the frame is too short")
    XCTAssertEqual(text(frame(99, [], isExtended: true), streams), "can0:A - - - -")
    XCTAssertEqual(text(frame(99, [1]), streams), "can0 99 0 0 1 1 - - - - - - -", "the identifier is not extended")
    XCTAssertEqual(text(frame(100, []), streams), "can0 100 0 0 0 - - - - - - - -", "the message has no signals")
  }

  func testKernelFrames() {
    var bytes = [UInt8](repeating: 0, count: 16)
    func frame() -> CANFrame? { bytes.withUnsafeBytes { CANFrame(kernel: $0) } }
    bytes.replaceSubrange(0..<5, with: [0x23, 0x01, 0x00, 0x80, 3])
    bytes.replaceSubrange(8..<11, with: [1, 2, 3])
    XCTAssertEqual(frame(), self.frame(0x123, [1, 2, 3], isExtended: true))
    bytes[4] = 200
    XCTAssertEqual(frame()?.length, 8, "no kernel says so")
    bytes.replaceSubrange(0..<4, with: [0x23, 0x01, 0x00, 0x40])
    XCTAssertEqual(frame()?.kind, .remote)
    XCTAssertEqual(frame()?.payload, CANPayload())
    bytes.replaceSubrange(0..<4, with: [0x04, 0x00, 0x00, 0x20])
    XCTAssertEqual(frame()?.kind, .error)
    XCTAssertEqual(frame()?.id, 4)
    bytes += [UInt8](repeating: 7, count: 56)
    (bytes[3], bytes[4], bytes[5]) = (0, 64, 1)
    XCTAssertEqual(frame()?.length, 64)
    XCTAssertEqual(frame()?.payload[63], 7)
    XCTAssertEqual(frame()?.flags, 1)
    bytes.removeLast()
    XCTAssertNil(frame())
  }

  func testTooManySignals() {
    let signals = (0..<65).map { CANSignal(name: "S\($0)", start: 0, size: 1) }
    let message = CANMessage(name: "Cells", id: 1, isExtended: false, signals: signals, line: 7)
    var other = message
    (other.name, other.id, other.signals) = ("Few", 2, Array(signals[..<64]))
    XCTAssertNil(CANStreams.leftOut([other], of: "car.dbc"))
    let streams = CANStreams(interface: "can0", messages: [message, other])
    XCTAssertEqual(streams.descriptions.map(\.name), ["can0:Few", "can0", "can0:fd", "can0:error"])
    XCTAssertEqual(text(frame(1, [9]), streams), "can0 1 0 0 1 9 - - - - - - -")
    XCTAssertEqual(
      CANStreams.leftOut([message, other], of: "car.dbc"),
      "car.dbc: line 7: message Cells has 65 signals, and a reading has 64 values; their frames are recorded as those without a message"
    )
    XCTAssertEqual(
      CANStreams.leftOut([message, message], of: "car.dbc")?.contains("64 values; so does another message; "), true)
  }

  func testTooManyMessages() {
    let messages = (0...8_192).map { CANMessage(name: "M\($0)", id: UInt32($0), isExtended: true) }
    XCTAssertThrowsError(try CANStreams.check(messages, of: "car.dbc", remedy: "delete some from the file")) {
      XCTAssertTrue("\($0)".hasSuffix("at most 8192 can become streams; delete some from the file"), "\($0)")
    }
  }

  func testNoTwoStreamsHaveOneName() {
    let messages = ["fd", "fd_", "error", "error_", "error__"].enumerated().map { index, name in
      CANMessage(
        name: name, id: UInt32(index), isExtended: false, signals: [CANSignal(name: "S", start: 0, size: 1)])
    }
    XCTAssertEqual(
      CANStreams(interface: "can0", messages: messages).descriptions.map(\.name),
      [
        "can0:fd__", "can0:fd_", "can0:error___", "can0:error_", "can0:error__", "can0", "can0:fd", "can0:error",
      ])
  }
}
