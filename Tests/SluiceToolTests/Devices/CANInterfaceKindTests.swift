import SluiceAnalysis
import SluiceDevices
import XCTest

@testable import SluiceTool

final class CANInterfaceKindTests: XCTestCase {
  private func interface(_ state: String, isUp: Bool = true) -> CANInterface {
    var link = CANInterface.Link()
    (link.bitRate, link.state, link.restarts, link.txErrors, link.rxErrors) = (500_000, state, 1, 128, 0)
    return CANInterface(name: "can0", isUp: isUp, link: link)
  }

  private func finding(_ interface: CANInterface) -> Finding? { CANInterfaceKind().findings([interface]).first }

  func testFindings() {
    XCTAssertEqual(
      finding(interface("ERROR-ACTIVE")),
      .ok("can", "can0: up, 500,000 bit/s, ERROR-ACTIVE, 1 restart, error counters 128 and 0"))
    XCTAssertEqual(finding(interface("ERROR-PASSIVE"))?.remedy, "look at bit rate, wires and terminators")
    XCTAssertEqual(finding(interface("BUS-OFF"))?.verdict, .warning)
    XCTAssertEqual(
      finding(interface("STOPPED", isUp: false))?.remedy,
      "ip link set can0 up type can bitrate 500000, with the bit rate of the bus")
    XCTAssertEqual(finding(CANInterface(name: "vcan0", isUp: true)), .ok("can", "vcan0: up, virtual"))
    XCTAssertEqual(
      finding(CANInterface(name: "vcan0", isUp: false)), .warning("can", "vcan0: down, virtual", "ip link set vcan0 up")
    )
    XCTAssertEqual(CANInterfaceKind().findings([]), [])
  }
}
