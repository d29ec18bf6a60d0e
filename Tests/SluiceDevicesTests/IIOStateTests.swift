import Foundation
import Sluice
import SluiceRecording
import XCTest

@testable import SluiceDevices

final class IIOStateTests: XCTestCase {
  private let watched = [
    "trigger/current_trigger", "current_timestamp_clock", "scan_elements/in_accel_x_en", "buffer/length",
    "buffer/enable",
  ]

  private func state(_ fixture: SysfsFixture) -> [String] {
    watched.map { fixture.read("iio:device0/\($0)") } + [fixture.read("trigger0/sampling_frequency")]
  }

  private var options: IIOOptions {
    var options = IIOOptions()
    options.trigger = "tick"
    options.samplingFrequency = "1000"
    return options
  }

  /// As a recording leaves it that is killed: changed, with a file that nobody holds the lock of.
  private func makeLeftover(_ fixture: SysfsFixture) throws {
    let device = try IIODevice.find("0", roots: fixture.roots)
    let capture = try IIOCapture(device, channels: [], options: options, roots: fixture.roots)
    let path = "\(fixture.root)/run/sluice/iio:device0.scans"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    XCTAssertEqual(IIOState.leftovers(roots: fixture.roots), [], "it is in use")
    let changed = state(fixture)
    capture.tearDown()
    XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    for (file, value) in zip(watched, changed) { fixture.write(file, value) }
    fixture.put(path, text)
  }

  func testWhatAKilledRunLeftIsPutBack() throws {
    let fixture = SysfsFixture()
    let before = state(fixture)
    try makeLeftover(fixture)
    XCTAssertNotEqual(state(fixture), before)
    let left = IIOState.leftovers(roots: fixture.roots)
    XCTAssertEqual(left.map(\.description), ["bmi160 (iio:device0)"])
    for state in left { try state.restore() }
    // A plain file keeps the end of what was longer.
    XCTAssertEqual(state(fixture)[2], before[2])
    XCTAssertEqual(state(fixture)[4], before[4])
    XCTAssertTrue(state(fixture)[1].hasPrefix(before[1]))
    XCTAssertTrue(state(fixture)[3].hasPrefix(before[3]))
    XCTAssertEqual(IIOState.leftovers(roots: fixture.roots), [])
    for state in left { try state.restore() }
  }

  func testTheNextRunPutsItBackFirst() throws {
    let fixture = SysfsFixture()
    try makeLeftover(fixture)
    let scans = try Publishers.IIOScans(device: "0", options: options, roots: fixture.roots)
    XCTAssertEqual(scans.restored.map(\.device), ["iio:device0"])
    XCTAssertEqual(fixture.read("iio:device0/buffer/enable"), "1")
  }

  /// The number went to another device: its attributes are none of ours.
  func testAnotherDeviceIsLeftAlone() throws {
    let fixture = SysfsFixture()
    try makeLeftover(fixture)
    let changed = state(fixture)
    fixture.write("name", "bmp280")
    for state in IIOState.leftovers(roots: fixture.roots) { try state.restore() }
    XCTAssertEqual(state(fixture).dropLast(), changed.dropLast())
    XCTAssertEqual(IIOState.leftovers(roots: fixture.roots), [])
  }

  func testWhatCannotBePutBackStays() throws {
    let fixture = SysfsFixture()
    try makeLeftover(fixture)
    let folder = "\(fixture.root)/sys/bus/iio/devices/iio:device0/buffer"
    // A folder in the place of the attribute cannot be written, not even by root.
    try FileManager.default.removeItem(atPath: "\(folder)/length")
    try FileManager.default.createDirectory(atPath: "\(folder)/length", withIntermediateDirectories: false)
    let left = try XCTUnwrap(IIOState.leftovers(roots: fixture.roots).first)
    XCTAssertThrowsError(try left.restore()) { error in
      XCTAssertTrue((error as? SluiceError)?.description.contains("buffer/length") == true)
    }
    XCTAssertEqual(fixture.read("iio:device0/buffer/enable"), "0", "the rest is")
    XCTAssertEqual(IIOState.leftovers(roots: fixture.roots).count, 1)
  }

  func testAnHrtimerTriggerIsMadeAndRemoved() throws {
    let fixture = SysfsFixture()
    let folder = "\(fixture.root)/sys/kernel/config/iio/triggers/hrtimer"
    let device = try IIODevice.find("0", roots: fixture.roots)
    var options = options
    options.makesTrigger = true
    XCTAssertThrowsError(try IIOCapture(device, channels: [], options: options, roots: fixture.roots)) { error in
      XCTAssertTrue((error as? SluiceError)?.description.contains("iio-trig-hrtimer") == true)
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var capture: IIOCapture? = try IIOCapture(device, channels: [], options: options, roots: fixture.roots)
    XCTAssertTrue(FileManager.default.fileExists(atPath: "\(folder)/tick"))
    XCTAssertNotNil(capture)
    capture = nil
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/tick"))
    for name in ["", "..", "a/b", "a b"] {
      options.trigger = name
      XCTAssertThrowsError(try IIOCapture(device, channels: [], options: options, roots: fixture.roots))
    }
  }

  /// A state file may say anything, and still only attributes of IIO devices are written.
  func testOtherFilesAreNoStateFiles() throws {
    let fixture = SysfsFixture()
    fixture.put("\(fixture.root)/sys/bus/iio/elsewhere", "0")
    let head = "sluice-iio-state 1\ndevice iio:device0 bmi160\n"
    for text in [
      "", "sluice", "sluice-iio-state 1\n", "sluice-iio-state 1\ndevice\n", "sluice-iio-state 1\ndevice ../x y\n",
      head + "attribute ../elsewhere 1\n", head + "attribute iio:device0/../../elsewhere 1\n",
      head + "attribute iio:device0 1\n", head + "attribute /etc/passwd x\n", head + "hrtimer ../..\n",
      head + "hrtimer\n", head + "else\n", head + "\n", String(repeating: "x", count: 100_000),
    ] {
      fixture.put("\(fixture.root)/run/sluice/iio:device0.scans", text)
      XCTAssertEqual(IIOState.leftovers(roots: fixture.roots), [], text)
    }
    // The last line was not finished, so that its change was not made.
    fixture.put("\(fixture.root)/run/sluice/iio:device0.scans", head + "attribute iio:device0/buffer/length 7\nattri")
    for state in IIOState.leftovers(roots: fixture.roots) { try state.restore() }
    XCTAssertEqual(fixture.read("iio:device0/buffer/length"), "7")
  }
}
