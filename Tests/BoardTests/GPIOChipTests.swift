import Sluice
import SluiceDevices
import SluiceReadings
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

  func testAStreamSaysWhichChipItIsOf() throws {
    let chip = try SimulatedChip("sim8")
    let device = try SimulatedChip.text("\(chip.configuration)/dev_name")
    let expected = StreamDescription.Device(path: chip.path, bus: device, label: "sim8")
    let edges = try Publishers.GPIOEdges(chip: "sim8", lines: ["3", "4"])
    XCTAssertEqual(edges.streams.map(\.device), [expected, expected])
    let values = try Publishers.GPIOValues(GPIOLines(chip: "sim8", lines: ["5"]), every: .seconds(1))
    XCTAssertEqual(values.description.device, expected)
    XCTAssertEqual(values.description.name, chip.name)
  }

  func testALineThatThisProgramUsesIsSaidToBe() throws {
    let edges = try Publishers.GPIOEdges(chip: "sim8", lines: ["3", "4"])
    XCTAssertThrowsError(try Publishers.GPIOEdges(chip: "sim8", lines: ["4"])) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .busy)
      XCTAssertEqual((error as? SluiceError)?.cause, "this program uses it already (\"sluice\")")
      XCTAssertEqual((error as? SluiceError)?.remedy, "name it once")
    }
    withExtendedLifetime(edges) {}
  }

  /// Its own are free again once they are released.
  func testALineIsFreeAgainWithItsPublisher() throws {
    for _ in 0..<2 { XCTAssertNoThrow(try Publishers.GPIOEdges(chip: "sim8", lines: ["4"])) }
  }
}
