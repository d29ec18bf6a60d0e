import XCTest

@testable import SluiceDevices

final class IIOSamplingRateTests: XCTestCase {
  func testATriggersRateGoesBeforeTheDevices() throws {
    let fixture = SysfsFixture()
    func rate(_ trigger: String? = nil) throws -> IIOSamplingRate? {
      try IIODevice.find("0", roots: fixture.roots).samplingRate(trigger: trigger, roots: fixture.roots)
    }
    XCTAssertEqual(try rate(), IIOSamplingRate(current: "100.000000", available: nil))
    XCTAssertEqual(try rate("tick"), IIOSamplingRate(current: "10", available: nil))
    fixture.write("sampling_frequency_available", "25 50 100")
    XCTAssertEqual(try rate()?.available, "25 50 100")
    fixture.write("trigger/current_trigger", "tick")
    XCTAssertEqual(try rate()?.current, "10")
  }

  func testTheBufferAsItWasSet() throws {
    let fixture = SysfsFixture()
    var options = IIOOptions()
    (options.length, options.watermark) = (64, 8)
    let device = try IIODevice.find("0", roots: fixture.roots)
    let capture = try IIOCapture(device, channels: [], options: options, roots: fixture.roots)
    XCTAssertEqual(capture.fifo.capacity, 64)
    XCTAssertEqual(capture.fifo.watermark, 8)
  }
}
