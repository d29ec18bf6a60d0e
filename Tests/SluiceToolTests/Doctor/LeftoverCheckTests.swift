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
      LeftoverCheck.findings(surroundings, repair: false),
      [.ok("leftovers", "no IIO device is as a killed recording left it")])
    try put("\(device)/buffer/enable", "1\n")
    let enabled = LeftoverCheck.findings(surroundings, repair: true)
    XCTAssertEqual(enabled.map(\.verdict), [.warning])
    XCTAssertEqual(enabled.first?.remedy, "where none is reading it: echo 0 > \(root)/\(device)/buffer/enable")
  }

  func testWhatAKilledRecordingLeftIsToldAndPutBack() throws {
    try put("\(device)/buffer/enable", "1\n")
    try putLeftover()
    let told = LeftoverCheck.findings(surroundings, repair: false)
    XCTAssertEqual(told.map(\.verdict), [.warning])
    XCTAssertEqual(told.first?.meaning, "bmi160 (iio:device0) is as a killed recording left it")
    XCTAssertEqual(text("\(device)/buffer/enable"), "1", "it was only asked about")
    let repaired = LeftoverCheck.findings(surroundings, repair: true)
    XCTAssertEqual(
      repaired, [.ok("leftovers", "bmi160 (iio:device0) was as a killed recording left it, and has been put back")])
    XCTAssertEqual(text("\(device)/buffer/enable"), "0")
    XCTAssertEqual(LeftoverCheck.findings(surroundings, repair: true).map(\.verdict), [.ok])
  }

  /// The rate of a trigger waits for the last device that is read with it, whichever file comes first.
  func testTwoDevicesOnOneTriggerArePutBack() throws {
    let head = "sluice-iio-state 1\ndevice iio:device"
    try put("sys/bus/iio/devices/trigger0/name", "tick\n")
    try put("sys/bus/iio/devices/trigger0/sampling_frequency", "99\n")
    try put("run/sluice/iio:device0.scans", "\(head)0 bmi160\nrate 10 tick\n", mode: 0o600)
    let folder = "sys/bus/iio/devices/iio:device1"
    try put("\(folder)/trigger/current_trigger", "tick\n")
    try put("\(folder)/buffer/enable", "1\n")
    let one = LeftoverCheck.findings(surroundings, repair: true).first
    XCTAssertEqual(one?.verdict, .problem)
    XCTAssertEqual(one?.meaning.contains("the rate of trigger tick"), true)
    try put(
      "run/sluice/iio:device1.scans", "\(head)1 bmp280\nattribute iio:device1/buffer/enable 0\n", mode: 0o600)
    XCTAssertEqual(LeftoverCheck.findings(surroundings, repair: true).map(\.verdict), [.ok, .ok])
    XCTAssertEqual(text("sys/bus/iio/devices/trigger0/sampling_frequency"), "10")
    XCTAssertEqual(text("\(folder)/buffer/enable"), "0")
  }

  func testWhatCannotBePutBackIsAProblem() throws {
    // Not a file, so that nobody can write to it, root included.
    try put("\(device)/buffer/enable/folder")
    try putLeftover()
    let findings = LeftoverCheck.findings(surroundings, repair: true)
    XCTAssertEqual(findings.map(\.verdict), [.problem])
    XCTAssertEqual(findings.first?.meaning.contains("buffer/enable"), true)
  }
}
