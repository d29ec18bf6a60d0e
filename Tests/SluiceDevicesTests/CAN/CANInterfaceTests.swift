import Foundation
import XCTest

@testable import SluiceCAN
@testable import SluiceDevices

final class CANInterfaceTests: XCTestCase {
  private func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

  private func attribute(_ type: UInt16, _ data: [UInt8]) -> [UInt8] {
    bytes(UInt16(4 + data.count)) + bytes(type) + data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
  }

  private func answer(_ attributes: [UInt8]) -> [UInt8] {
    bytes(UInt32(32 + attributes.count)) + bytes(UInt16(16)) + [UInt8](repeating: 0, count: 26) + attributes
  }

  private var controller: [UInt8] {
    let data =
      attribute(1, bytes(UInt32(500_000)) + [UInt8](repeating: 0, count: 28)) + attribute(4, bytes(UInt32(2)))
      + attribute(6, bytes(UInt32(100))) + attribute(8, bytes(UInt16(129)) + bytes(UInt16(3)))
      + attribute(9, bytes(UInt32(2_000_000)) + [UInt8](repeating: 0, count: 28))
    let statistics = (1...6).flatMap { bytes(UInt32($0)) }
    return answer(
      attribute(3, Array("can0".utf8) + [0])
        + attribute(18 | 0x8000, attribute(1, Array("can".utf8)) + attribute(2, data) + attribute(3, statistics)))
  }

  func testAnswerAboutAController() {
    let link = CANInterface.Link(netlink: controller)
    XCTAssertEqual(link?.bitRate, 500_000)
    XCTAssertEqual(link?.dataBitRate, 2_000_000)
    XCTAssertEqual(link?.state, "ERROR-PASSIVE")
    XCTAssertEqual(link?.restartDelay, 100)
    XCTAssertEqual(link?.restarts, 6)
    XCTAssertEqual(link?.txErrors, 129)
    XCTAssertEqual(link?.rxErrors, 3)
  }

  func testOtherAnswers() {
    XCTAssertNil(CANInterface.Link(netlink: answer(attribute(18, attribute(1, Array("vcan".utf8))))))
    XCTAssertNil(CANInterface.Link(netlink: bytes(UInt32(36)) + bytes(UInt16(2)) + [UInt8](repeating: 0, count: 30)))
    for end in controller.indices { _ = CANInterface.Link(netlink: Array(controller[..<end])) }
    for index in controller.indices {
      for value in [UInt8(0), 1, 0x7f, 0xff] {
        var changed = controller
        changed[index] = value
        _ = CANInterface.Link(netlink: changed)
      }
    }
  }

  /// The kernel of this machine answers about an interface that every machine has.
  func testTheKernelAnswers() throws {
    let answer = try CANNetlink.answer(about: "lo")
    XCTAssertNil(CANInterface.Link(netlink: answer))
    let name = answer.withUnsafeBytes { bytes in
      // IFLA_MTU, because the name has less than four bytes with its end.
      CANNetlink.attributes(bytes).flatMap { CANNetlink.find(4, in: $0) }?.loadUnaligned(as: UInt32.self)
    }
    // struct ifreq: the name, and the answer. A container may have no /sys.
    var request = [UInt8]("lo".utf8) + [UInt8](repeating: 0, count: 38)
    let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(socket) }
    XCTAssertEqual(ioctl(socket, 0x8921, &request), 0, "SIOCGIFMTU")
    XCTAssertEqual(name, request.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: UInt32.self) })
  }

  func testInterfacesOfSysfs() throws {
    let fixture = SysfsFixture()
    for (name, type, flags) in [("vcan1", "280", "0xc1"), ("can0", "280", "0x40080"), ("lo", "772", "0x9")] {
      let folder = "\(fixture.root)/sys/class/net/\(name)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try type.write(toFile: "\(folder)/type", atomically: false, encoding: .utf8)
      try flags.write(toFile: "\(folder)/flags", atomically: false, encoding: .utf8)
    }
    XCTAssertEqual(
      CANInterface.list(roots: fixture.roots),
      [CANInterface(name: "can0", isUp: false), CANInterface(name: "vcan1", isUp: true)])
  }

  /// A message with a length of 64 comes in frames of CAN FD, wherever its signals are.
  func testMessagesOfCANFDAreReceived() {
    let short = CANMessage(name: "A", id: 1, isExtended: false)
    XCTAssertFalse(CANOptions().receiving([short]).hasFD)
    XCTAssertTrue(
      CANOptions().receiving([short, CANMessage(name: "B", id: 2, isExtended: false, length: 64)]).hasFD)
  }

  func testFilters() throws {
    let filter = try XCTUnwrap(CANOptions.Filter("18FF0000/1FFF0000"))
    XCTAssertTrue(filter.passes(CANMessage(name: "", id: 0x18ff_1234, isExtended: true)))
    XCTAssertFalse(filter.passes(CANMessage(name: "", id: 0x18fe_1234, isExtended: true)))
    XCTAssertFalse(filter.passes(CANMessage(name: "", id: 0x18ff_1234, isExtended: false)))
    let one = try XCTUnwrap(CANOptions.Filter("7df"))
    XCTAssertEqual([one.id, one.mask], [0x7df, 0x7ff])
    XCTAssertFalse(one.isExtended)
    XCTAssertEqual(CANOptions.Filter("00000123")?.isExtended, true)
    for text in ["", "/", "800", "20000000", "123456789", "12g", "123/", "123/800", "+12", "1/2/3", "-1"] {
      XCTAssertNil(CANOptions.Filter(text), text)
    }
  }
}
