import Foundation
import Sluice
import SluiceReadings
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
    fixture.write("name", "bmp280")
    fixture.write("trigger/current_trigger", "other")
    let changed = state(fixture)
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
    XCTAssertEqual(
      fixture.notes, "sluice-iio-state 1\ndevice iio:device0 bmi160\nattribute iio:device0/buffer/length 2\n",
      "only what is still to be put back, so that nothing is written twice")
  }

  /// What cannot be put back does not keep the device from being recorded, and is not forgotten.
  func testTheNextRunGoesOnWithoutWhatCannotBePutBack() throws {
    let fixture = SysfsFixture()
    try makeLeftover(fixture)
    let line = "attribute iio:device0/gone_wrong 1\n"
    fixture.put("\(fixture.root)/run/sluice/iio:device0.scans", fixture.notes + line)
    let attribute = "\(fixture.root)/sys/bus/iio/devices/iio:device0/gone_wrong"
    try FileManager.default.createDirectory(atPath: attribute, withIntermediateDirectories: false)
    let scans = try Publishers.IIOScans(device: "0", options: options, roots: fixture.roots)
    XCTAssertEqual(scans.restored.map(\.device), ["iio:device0"])
    XCTAssertTrue(scans.restored.first?.failure?.description.contains("gone_wrong") == true)
    XCTAssertTrue(fixture.notes.contains(line))
    XCTAssertEqual(fixture.read("iio:device0/buffer/enable"), "1")
  }

  // MARK: Triggers, which several devices share

  private var rate: String { "trigger0/sampling_frequency" }

  private func capture(_ fixture: SysfsFixture, rate: String?, makesTrigger: Bool = false) throws -> IIOCapture {
    var options = IIOOptions()
    options.trigger = "tick"
    options.samplingFrequency = rate
    options.makesTrigger = makesTrigger
    return try IIOCapture(
      try IIODevice.find("0", roots: fixture.roots), channels: [], options: options, roots: fixture.roots)
  }

  /// Whoever reads with it goes on at its rate, and the last one puts it back.
  func testARateThatAnotherDeviceUsesStaysUntilItsEnd() throws {
    let fixture = SysfsFixture()
    fixture.put("\(fixture.root)/sys/bus/iio/devices/\(rate)", "050.0")
    let first = try capture(fixture, rate: "500.0")
    fixture.addDevice(trigger: "tick", enable: "1")
    first.tearDown()
    XCTAssertEqual(fixture.read(rate), "500.0")
    XCTAssertEqual(fixture.notes.split(separator: "\n").dropFirst(2), ["rate 050.0 tick"])
    // As it does not read any more, the next one that ends puts it back.
    try capture(fixture, rate: "500").tearDown()
    XCTAssertEqual(fixture.read(rate), "500.0", "it is still being read")
    fixture.addDevice(trigger: "tick", enable: "0")
    try capture(fixture, rate: nil).tearDown()
    XCTAssertEqual(fixture.read(rate), "050.0")
    XCTAssertEqual(IIOState.leftovers(roots: fixture.roots), [])
  }

  func testARateThatAnotherDeviceUsesIsNotChanged() throws {
    let fixture = SysfsFixture()
    fixture.put("\(fixture.root)/sys/bus/iio/devices/\(rate)", "33.333")
    fixture.addDevice(trigger: "tick", enable: "1")
    XCTAssertThrowsError(try capture(fixture, rate: "50.000")) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .busy)
      XCTAssertTrue("\(error)".contains("iio:device1 is being read with it, at 33.333 Hz"), "\(error)")
    }
    XCTAssertEqual(fixture.read(rate), "33.333")
    let same = try capture(fixture, rate: "33.33333333")
    XCTAssertFalse(fixture.notes.contains("rate"))
    withExtendedLifetime(same) {}
  }

  /// A device that is about to be read: its recording has begun, and its buffer is not yet enabled.
  func testARateIsInUseFromTheBeginning() throws {
    let fixture = SysfsFixture()
    let first = try capture(fixture, rate: "99")
    fixture.addDevice(trigger: "tick", enable: "0")
    let second = try IIOStateFile(new: "\(fixture.root)/run/sluice/iio:device1.scans")
    first.tearDown()
    XCTAssertEqual(fixture.read(rate), "99")
    second.remove()
    second.close()
    IIOState.restoreAll(roots: fixture.roots).forEach { XCTAssertNil($0.failure) }
    XCTAssertEqual(fixture.read(rate), "10")
  }

  /// `500.000000` is what the kernel makes of 500.
  func testTheSameRateIsNoChange() throws {
    let fixture = SysfsFixture()
    fixture.put("\(fixture.root)/sys/bus/iio/devices/\(rate)", "500.000000")
    let same = try capture(fixture, rate: "500")
    XCTAssertFalse(fixture.notes.contains("rate"))
    withExtendedLifetime(same) {}
  }

  /// The number went to another trigger: a rate is put back by the trigger's name.
  func testAnotherTriggerIsLeftAlone() throws {
    let fixture = SysfsFixture()
    try makeLeftover(fixture)
    let folder = "\(fixture.root)/sys/bus/iio/devices"
    fixture.put("\(folder)/trigger0/name", "other")
    fixture.put("\(folder)/trigger0/sampling_frequency", "77")
    fixture.put("\(folder)/trigger3/name", "tick")
    fixture.put("\(folder)/trigger3/sampling_frequency", "88")
    for state in IIOState.leftovers(roots: fixture.roots) { try state.restore() }
    XCTAssertEqual(fixture.read("trigger0/sampling_frequency"), "77")
    XCTAssertEqual(fixture.read("trigger3/sampling_frequency"), "10")
  }

  /// What killed recordings of two devices left on one trigger is put back whichever file comes first.
  func testTwoKilledRunsOnOneTriggerArePutBack() throws {
    let fixture = SysfsFixture()
    try makeLeftover(fixture)
    fixture.put("\(fixture.root)/sys/bus/iio/devices/\(rate)", "99")
    fixture.addDevice(trigger: "tick", enable: "1")
    fixture.put(
      "\(fixture.root)/run/sluice/iio:device1.scans",
      "sluice-iio-state 1\ndevice iio:device1 bmp280\nattribute iio:device1/buffer/enable 0\n")
    XCTAssertEqual(IIOState.restoreAll(roots: fixture.roots).map(\.failure), [nil, nil])
    XCTAssertEqual(fixture.read(rate), "10")
    XCTAssertEqual(fixture.read("iio:device1/buffer/enable"), "0")
    XCTAssertEqual(IIOState.leftovers(roots: fixture.roots), [])
  }

  /// A trigger that was made for a recording, and that another device took meanwhile.
  func testATriggerThatAnotherDeviceUsesDoesNotBlockItsOwn() throws {
    let fixture = SysfsFixture()
    let folder = "\(fixture.root)/sys/kernel/config/iio/triggers/hrtimer"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let first = try capture(fixture, rate: nil, makesTrigger: true)
    fixture.addDevice(trigger: "tick", enable: "1")
    first.tearDown()
    XCTAssertTrue(FileManager.default.fileExists(atPath: "\(folder)/tick"), "it is in use")
    for makesTrigger in [false, true] {
      let next = try capture(fixture, rate: nil, makesTrigger: makesTrigger)
      XCTAssertEqual(next.restored, [], "it has to wait")
      next.tearDown()
      XCTAssertTrue(FileManager.default.fileExists(atPath: "\(folder)/tick"))
    }
    fixture.addDevice(trigger: "", enable: "0")
    try capture(fixture, rate: nil, makesTrigger: true).tearDown()
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/tick"))
    XCTAssertEqual(IIOState.leftovers(roots: fixture.roots), [])
    // Somebody else's is neither taken nor removed.
    try FileManager.default.createDirectory(atPath: "\(folder)/tick", withIntermediateDirectories: false)
    XCTAssertThrowsError(try capture(fixture, rate: nil, makesTrigger: true)) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .alreadyExists)
    }
    XCTAssertTrue(FileManager.default.fileExists(atPath: "\(folder)/tick"))
  }

  /// Whoever was faster made it: it is not ours to remove.
  func testATriggerThatWasNotMadeIsNotNoted() throws {
    let fixture = SysfsFixture()
    let folder = "\(fixture.root)/sys/kernel/config/iio/triggers/hrtimer"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // It is not there when looked for, and cannot be made.
    try FileManager.default.createSymbolicLink(atPath: "\(folder)/tick", withDestinationPath: "nowhere")
    let changes = try IIOChanges(
      of: try IIODevice.find("0", roots: fixture.roots), for: "scans", roots: fixture.roots)
    XCTAssertThrowsError(try changes.makeHrtimer("tick")) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .alreadyExists)
    }
    XCTAssertEqual(fixture.notes, "sluice-iio-state 1\ndevice iio:device0 bmi160\n")
    changes.undo()
  }

  /// The end of one recording puts back what it shared, and nothing else of another that was killed.
  func testTheEndOfARecordingLeavesOtherDevicesAlone() throws {
    let fixture = SysfsFixture()
    let running = try capture(fixture, rate: nil)
    fixture.addDevice(trigger: "", enable: "1")
    let killed = "\(fixture.root)/run/sluice/iio:device1.scans"
    let head = "sluice-iio-state 1\ndevice iio:device1 bmp280\n"
    fixture.put(killed, head + "rate 77 tick\nattribute iio:device1/buffer/enable 0\n")
    running.tearDown()
    XCTAssertEqual(fixture.read("iio:device1/buffer/enable"), "1")
    XCTAssertEqual(fixture.read(rate), "77")
    XCTAssertEqual(
      try String(contentsOfFile: killed, encoding: .utf8), head + "attribute iio:device1/buffer/enable 0\n")
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
      head + "hrtimer\n", head + "rate 10\n", head + "else\n", head + "attribute iio:device1/buffer/enable 0\n",
      head + "attribute trigger0/sampling_frequency 1\n", head + "\n", String(repeating: "x", count: 100_000),
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
