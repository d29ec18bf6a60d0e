import XCTest

@testable import SluiceTool

final class MachineTests: XCTestCase {
  func testABoardIsKnownByItsDeviceTreeAndOtherMachinesByTheirProcessor() {
    let cpuinfo = "processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC 7B13\nprocessor\t: 1\nmodel name\t: other\n"
    XCTAssertEqual(Machine.model(deviceTree: "Raspberry Pi 4\0", cpuinfo: cpuinfo), "Raspberry Pi 4")
    XCTAssertEqual(Machine.model(deviceTree: nil, cpuinfo: cpuinfo), "AMD EPYC 7B13")
    XCTAssertEqual(Machine.model(deviceTree: "\0", cpuinfo: "model name"), "unknown machine")
    XCTAssertEqual(Machine.model(deviceTree: nil, cpuinfo: nil), "unknown machine")
  }

  func testWhatIsPrinted() {
    let machine = Machine(model: "a \"b\"", cores: 1, kernel: "Linux 6.1 x", version: "1.2", isOptimized: true)
    XCTAssertEqual(machine.line, "sluice 1.2\na \"b\", 1 core, Linux 6.1 x\n")
    XCTAssertEqual(
      machine.json,
      #""machine": {"model": "a \"b\"", "cores": 1, "kernel": "Linux 6.1 x", "sluice": "1.2", "optimized": true}"#)
  }
}
