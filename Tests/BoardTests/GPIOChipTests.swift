import Sluice
import SluiceDevices
import XCTest

final class GPIOChipTests: BoardTestCase {
  func testALineSaysHowItIsUsed() throws {
    let chip = try SimulatedChip("sim8")
    let path = "/dev/\(chip.name)"
    let free = try GPIOChips.info(path: path).lines[3]
    XCTAssertEqual(free.name, "METER")
    XCTAssertNil(free.consumer)
    XCTAssertFalse(free.isOutput || free.isActiveLow)
    for (bias, isActiveLow) in [(GPIOOptions.Bias.pullUp, true), (.pullDown, false), (.disabled, false)] {
      var options = GPIOOptions()
      (options.bias, options.isActiveLow) = (bias, isActiveLow)
      let edges = try Publishers.GPIOEdges(chip: chip.name, lines: ["METER"], options: options)
      // The line is free again with the last reference.
      let used = try withExtendedLifetime(edges) { try GPIOChips.info(path: path).lines[3] }
      XCTAssertNotNil(used.consumer)
      XCTAssertEqual(used.bias, bias)
      XCTAssertEqual(used.isActiveLow, isActiveLow)
    }
  }

  func testTheKernelHasTheInterfaceOfTheLibrary() throws {
    let chip = try SimulatedChip("sim64")
    let version = try XCTUnwrap(GPIOChips.libraryVersion?.first.flatMap { Int(String($0)) })
    let versions = try XCTUnwrap(GPIOChips.interfaceVersions(path: "/dev/\(chip.name)"))
    XCTAssertTrue(versions.contains(version), "\(versions)")
    XCTAssertNil(GPIOChips.interfaceVersions(path: "/dev/nothing"))
    XCTAssertEqual(GPIOChips.interfaceVersions(path: "/dev/null"), [])
  }
}
