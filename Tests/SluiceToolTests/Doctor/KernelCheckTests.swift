import SluiceAnalysis
import SluicePipeline
import XCTest

@testable import SluiceTool

final class KernelCheckTests: DoctorTestCase {
  private func findings(_ library: String? = "2.2.1") -> [Finding] {
    GPIOChipKind(library: library).kernel(surroundings) + IIODeviceKind().kernel(surroundings)
  }

  func testNoDevices() throws {
    XCTAssertEqual(findings().map(\.verdict), [.warning, .warning])
    try put("sys/bus/gpio/devices/gpiochip0/uevent")
    XCTAssertEqual(findings()[0].verdict, .problem, "a chip without a device file")
  }

  func testTheInterfaceThatTheLibraryNeeds() throws {
    try put("dev/gpiochip0")
    XCTAssertEqual(findings()[0], .ok("kernel", "GPIO interface v1 and v2: libgpiod 2.2.1 needs v2"))
    XCTAssertEqual(findings(nil)[0], .ok("kernel", "GPIO interface v1 and v2"))
    interfaces = [2]
    XCTAssertEqual(findings("1.6.3")[0].verdict, .problem)
    XCTAssertEqual(findings("1.6.3")[0].remedy?.contains("CONFIG_GPIO_CDEV_V1"), true)
    interfaces = [1]
    XCTAssertEqual(findings()[0].remedy, "the kernel must be 5.10 or newer")
    interfaces = []
    XCTAssertEqual(findings()[0].meaning, "no GPIO interface, but libgpiod 2.2.1 needs v2")
  }

  func testTheReleaseSaysItWhereNoChipCanBeAsked() throws {
    try put("dev/gpiochip0")
    interfaces = nil
    for (release, has) in [("6.1.0-rpi7", true), ("5.10.3", true), ("5.9", false), ("4.19.0", false), ("", false)] {
      try put("proc/sys/kernel/osrelease", release + "\n")
      XCTAssertEqual(findings()[0].meaning.contains("not yet"), !has, release)
      XCTAssertEqual(findings()[0].verdict, .warning)
    }
  }

  func testIIO() throws {
    let device = "sys/bus/iio/devices/iio:device0"
    try put("\(device)/name", "bmi160")
    XCTAssertEqual(findings().map(\.verdict), [.warning, .warning, .warning])
    XCTAssertEqual(findings()[1].meaning.contains("can be polled"), true)
    try put("\(device)/buffer/enable", "0")
    XCTAssertEqual(findings()[1], .ok("kernel", "IIO buffers of iio:device0"))
    XCTAssertEqual(findings()[2].remedy?.contains("mount"), true)
    try put("sys/kernel/config/iio/triggers/keep")
    XCTAssertEqual(findings()[2].remedy, "sudo modprobe iio-trig-hrtimer")
    try put("sys/kernel/config/iio/triggers/hrtimer/keep")
    XCTAssertEqual(findings()[2].verdict, .ok)
  }
}
