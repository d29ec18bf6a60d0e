import Foundation
import SluiceReadings
import XCTest

@testable import SluiceDevices

/// A device that was removed, and what is there under its name afterwards.
final class IIOSetupTests: XCTestCase {
  private func setup(_ fixture: SysfsFixture) -> IIOSetup<IIOCapture> {
    let roots = fixture.roots
    return IIOSetup(device: "0", roots: roots, whenRemoved: nil) { device throws(SluiceError) in
      try IIOCapture(device, channels: [], options: IIOOptions(), roots: roots)
    }
  }

  /// One try to go on.
  private func again(_ fixture: SysfsFixture, like before: IIOCapture) throws -> IIOCapture? {
    let setup = setup(fixture)
    var reconnection = DeviceReconnection(report: { _ in }) { () throws(SluiceError) in try setup.session(like: before)
    }
    return try reconnection.reopened()
  }

  func testTheSameDeviceGoesOn() throws {
    let fixture = SysfsFixture()
    let before = try setup(fixture).session()
    before.tearDown()
    let again = try XCTUnwrap(try again(fixture, like: before))
    XCTAssertEqual(again.channels, before.channels)
  }

  func testWhatIsNotThereYetIsWaitedFor() throws {
    let fixture = SysfsFixture()
    let before = try setup(fixture).session()
    before.tearDown()
    fixture.write("name", "bmp280")
    XCTAssertNil(try again(fixture, like: before), "another device took its number")
    fixture.write("name", "bmi160")
    fixture.write("buffer/enable", "1")
    XCTAssertNil(try again(fixture, like: before), "somebody else reads it")
    fixture.write("buffer/enable", "0")
    let node = "\(fixture.root)/dev/iio:device0"
    try FileManager.default.removeItem(atPath: node)
    XCTAssertNil(try again(fixture, like: before), "it has no file yet")
    fixture.put(node, "")
    XCTAssertNotNil(try again(fixture, like: before))
  }

  func testOtherReadingsEndIt() throws {
    for (file, text) in [
      ("in_accel_scale", "0.5"), ("scan_elements/in_accel_x_type", "be:s16/16>>0"),
      ("scan_elements/in_accel_x_index", "7"),
    ] {
      let fixture = SysfsFixture()
      let before = try setup(fixture).session()
      before.tearDown()
      fixture.write(file, text)
      XCTAssertThrowsError(try again(fixture, like: before), file) { error in
        XCTAssertEqual((error as? SluiceError)?.code, .unsupported)
        XCTAssertEqual((error as? SluiceError)?.remedy, "start the recording again")
      }
      XCTAssertEqual(fixture.read("iio:device0/buffer/enable"), "0", "it is put back")
    }
  }
}
