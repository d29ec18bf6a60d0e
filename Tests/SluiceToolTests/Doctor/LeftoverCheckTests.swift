import SluiceDevices
import XCTest

@testable import SluiceTool

final class LeftoverCheckTests: DoctorTestCase {
  private let device = "sys/bus/iio/devices/iio:device0"

  private func text(_ path: String) -> String? { Surroundings.word("\(root)/\(path)") }

  /// What a killed recording leaves: a file whose lock nobody holds.
  private func putLeftover() throws {
    try put("\(device)/name", "bmi160\n")
    try put("dev/iio:device0")
    try put(
      "run/sluice/iio:device0.scans",
      "sluice-iio-state 1\ndevice iio:device0 bmi160\nattribute iio:device0/buffer/enable 0\n", mode: 0o600)
  }

  func testNothingIsLeft() throws {
    XCTAssertEqual(
      IIODeviceKind().leftovers(surroundings, restore: false),
      [.ok("leftovers", "no IIO device is as a killed recording left it")])
    try put("\(device)/buffer/enable", "1\n")
    let enabled = IIODeviceKind().leftovers(surroundings, restore: true)
    XCTAssertEqual(enabled.map(\.verdict), [.warning])
    XCTAssertEqual(enabled.first?.remedy, "if no program is reading it: echo 0 > \(root)/\(device)/buffer/enable")
  }

  func testWhatAKilledRecordingLeftIsToldAndPutBack() throws {
    try put("\(device)/buffer/enable", "1\n")
    try putLeftover()
    let told = IIODeviceKind().leftovers(surroundings, restore: false)
    XCTAssertEqual(told.map(\.verdict), [.warning])
    XCTAssertEqual(told.first?.meaning, "bmi160 (iio:device0) is as a killed recording left it")
    XCTAssertEqual(text("\(device)/buffer/enable"), "1", "it was only asked about")
    let restored = IIODeviceKind().leftovers(surroundings, restore: true)
    XCTAssertEqual(
      restored, [.ok("leftovers", "bmi160 (iio:device0) was as a killed recording left it, and has been put back")])
    XCTAssertEqual(text("\(device)/buffer/enable"), "0")
    XCTAssertEqual(IIODeviceKind().leftovers(surroundings, restore: true).map(\.verdict), [.ok])
  }

  func testWhatCannotBePutBackIsAProblem() throws {
    // Not a file, so that nobody can write to it, root included.
    try put("\(device)/buffer/enable/folder")
    try putLeftover()
    let findings = IIODeviceKind().leftovers(surroundings, restore: true)
    XCTAssertEqual(findings.map(\.verdict), [.problem])
    XCTAssertEqual(findings.first?.meaning.contains("buffer/enable"), true)
    XCTAssertEqual(findings.first?.remedy, "connect the device again, or look for a message of its driver in dmesg")
  }

  /// The remedy is that of the cause, and stands once.
  func testWhatAnotherDeviceStillUsesSaysWhichOne() throws {
    try putLeftover()
    try put(
      "run/sluice/iio:device0.scans", "sluice-iio-state 1\ndevice iio:device0 bmi160\nrate 10 tick\n", mode: 0o600)
    try put("sys/bus/iio/devices/trigger0/name", "tick\n")
    try put("sys/bus/iio/devices/iio:device1/trigger/current_trigger", "tick\n")
    try put("sys/bus/iio/devices/iio:device1/buffer/enable", "1\n")
    let finding = IIODeviceKind().leftovers(surroundings, restore: true).first
    XCTAssertEqual(finding?.verdict, .problem)
    XCTAssertEqual(
      finding?.meaning,
      "bmi160 (iio:device0) is as a killed recording left it: "
        + "cannot put back the rate of trigger tick: device or resource busy")
    XCTAssertEqual(finding?.remedy, "iio:device1 is being read with it: stop the program that reads iio:device1 first")
  }
}
