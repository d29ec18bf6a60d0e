import Foundation
import Sluice
import SluiceReadings
import SluiceTesting
import TestFiles
import XCTest

@testable import SluiceDevices

/// A sysfs of plain files, with one device, as the kernel lays it out.
final class SysfsFixture {
  private let folder = TemporaryFolder()
  var root: String { folder.path }

  init() {
    write("name", "bmi160")
    write("label", "front")
    write("trigger/current_trigger", "")
    write("sampling_frequency", "100.000000")
    write("current_timestamp_clock", "realtime")
    write("in_accel_scale", "0.000598550")
    write("in_accel_x_offset", "-4")
    write("in_voltage-voltage_scale", "0.5")
    for (index, element, format) in [
      (0, "in_accel_x", "le:s16/16>>0"), (1, "in_accel_y", "le:s16/16>>0"), (2, "in_voltage0-voltage1", "be:u12/16>>4"),
      (3, "in_timestamp", "le:s64/64>>0"),
    ] {
      write("scan_elements/\(element)_en", "0")
      write("scan_elements/\(element)_index", "\(index)")
      write("scan_elements/\(element)_type", format)
    }
    write("buffer/enable", "0")
    write("buffer/length", "2")
    write("buffer/watermark", "1")
    put("\(root)/sys/bus/iio/devices/trigger0/name", "tick")
    put("\(root)/sys/bus/iio/devices/trigger0/sampling_frequency", "10")
    put("\(root)/dev/iio:device0", "")
  }

  var roots: DeviceRoots { DeviceRoots(sys: "\(root)/sys", dev: "\(root)/dev", run: "\(root)/run") }

  func write(_ file: String, _ text: String) { put("\(root)/sys/bus/iio/devices/iio:device0/\(file)", text + "\n") }

  /// Another device, with one channel and no file of its own.
  func addDevice(trigger: String, enable: String) {
    let folder = "\(root)/sys/bus/iio/devices/iio:device1"
    put("\(folder)/name", "bmp280")
    put("\(folder)/trigger/current_trigger", trigger)
    put("\(folder)/buffer/enable", enable)
  }

  /// What the recording of scans has written down.
  var notes: String {
    (try? String(contentsOfFile: "\(root)/run/sluice/iio:device0.scans", encoding: .utf8)) ?? ""
  }

  func read(_ file: String) -> String {
    // A plain file keeps what was longer before; the kernel does not.
    let text = try? String(contentsOfFile: "\(root)/sys/bus/iio/devices/\(file)", encoding: .utf8)
    return text?.split(separator: "\n").first.map(String.init) ?? ""
  }

  func put(_ path: String, _ text: String) {
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try? text.write(toFile: path, atomically: false, encoding: .utf8)
  }
}

final class IIODeviceTests: XCTestCase {
  private func failure(_ body: () throws -> Void) -> SluiceError? {
    do {
      try body()
      return nil
    } catch {
      return error as? SluiceError
    }
  }

  func testFindsADeviceByAnyOfItsNames() throws {
    let fixture = SysfsFixture()
    for name in ["iio:device0", "0", "bmi160", "front"] {
      XCTAssertEqual(try IIODevice.find(name, roots: fixture.roots).id, "iio:device0")
    }
    let unknown = failure { _ = try IIODevice.find("bmp280", roots: fixture.roots) }
    XCTAssertEqual(
      unknown?.description, "cannot open IIO device bmp280: there is no such device; there is iio:device0 (bmi160)")
  }

  func testChannelsWithTheirScaleOffsetAndUnit() throws {
    let fixture = SysfsFixture()
    let device = try IIODevice.find("0", roots: fixture.roots)
    XCTAssertEqual(device.channels.map(\.name), ["accel_x", "accel_y", "voltage0-voltage1"])
    XCTAssertEqual(device.channels.map(\.scale.description), ["0.000598550", "0.000598550", "0.5"])
    XCTAssertEqual(device.channels.map(\.offset.description), ["-4", "0", "0"])
    XCTAssertEqual(device.channels.map(\.unit), ["m/s^2", "m/s^2", "mV"])
    XCTAssertTrue(device.hasTimestamp)
  }

  func testSetsUpWhatIsAskedForAndPutsItBack() throws {
    let fixture = SysfsFixture()
    var options = IIOOptions()
    options.trigger = "tick"
    options.samplingFrequency = "1000"
    options.length = 64
    options.watermark = 8
    let device = try IIODevice.find("0", roots: fixture.roots)
    var capture: IIOCapture? = try IIOCapture(device, channels: ["accel_y"], options: options, roots: fixture.roots)
    XCTAssertTrue(capture?.isMonotonic == true)
    XCTAssertEqual(capture?.layout.size, 16)
    let path = "iio:device0"
    let files = [
      "scan_elements/in_accel_x_en", "scan_elements/in_accel_y_en", "scan_elements/in_timestamp_en", "buffer/enable",
    ]
    XCTAssertEqual(files.map { fixture.read("\(path)/\($0)") }, ["0", "1", "1", "1"])
    XCTAssertEqual(fixture.read("\(path)/trigger/current_trigger"), "tick")
    XCTAssertTrue(fixture.read("trigger0/sampling_frequency").hasPrefix("1000"))
    XCTAssertTrue(fixture.read("\(path)/buffer/length").hasPrefix("64"))
    capture = nil
    XCTAssertEqual(files.map { fixture.read("\(path)/\($0)") }, ["0", "0", "0", "0"])
    XCTAssertTrue(fixture.read("\(path)/current_timestamp_clock").hasPrefix("realtime"))
  }

  /// Nothing is written that was not understood.
  func testARateThatIsNoNumberIsRefusedBeforeAnythingIsChanged() throws {
    for rate in ["200Hz", "fast", "", "-5", "1e3", "0x10", "nan", "1.2.3", " 200"] {
      let fixture = SysfsFixture()
      var options = IIOOptions()
      options.samplingFrequency = rate
      let device = try IIODevice.find("0", roots: fixture.roots)
      let refused = failure { _ = try IIOCapture(device, channels: [], options: options, roots: fixture.roots) }
      XCTAssertEqual(refused?.code, .usage, rate)
      XCTAssertEqual(refused?.remedy, "give a number of hertz, such as 200")
      XCTAssertEqual(fixture.notes, "")
      XCTAssertEqual(fixture.read("iio:device0/sampling_frequency"), "100.000000")
    }
  }

  func testAFailureMidwayIsUndone() throws {
    let fixture = SysfsFixture()
    try FileManager.default.removeItem(atPath: "\(fixture.root)/sys/bus/iio/devices/iio:device0/buffer/watermark")
    var options = IIOOptions()
    options.watermark = 8
    let device = try IIODevice.find("0", roots: fixture.roots)
    let failed = failure { _ = try IIOCapture(device, channels: [], options: options, roots: fixture.roots) }
    XCTAssertEqual(failed?.code, .unsupported)
    XCTAssertEqual(fixture.read("iio:device0/buffer/enable"), "0")
    XCTAssertEqual(fixture.read("iio:device0/scan_elements/in_accel_x_en"), "0")
    XCTAssertEqual(fixture.notes, "")
  }

  /// What cannot be opened, because another program reads it, is not even changed and put back.
  func testADeviceIsOpenedBeforeItIsChanged() throws {
    let fixture = SysfsFixture()
    try FileManager.default.removeItem(atPath: "\(fixture.root)/dev/iio:device0")
    let folder = "\(fixture.root)/sys/bus/iio/devices/iio:device0"
    let files = ["buffer/length", "scan_elements/in_accel_x_en", "current_timestamp_clock"].map { "\(folder)/\($0)" }
    let past = Date(timeIntervalSince1970: 1_000)
    for file in files { try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: file) }
    let device = try IIODevice.find("0", roots: fixture.roots)
    let failed = failure { _ = try IIOCapture(device, channels: [], options: IIOOptions(), roots: fixture.roots) }
    XCTAssertEqual(failed?.code, .notFound)
    fixture.write("events/in_steps_change_en", "0")
    XCTAssertEqual(failure { _ = try Publishers.IIOEvents(device: "0", roots: fixture.roots) }?.code, .notFound)
    for file in files {
      let date = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
      XCTAssertEqual(date, past, file)
    }
  }

  /// Some drivers take one channel at a time: the old one is switched off before the new one is switched on.
  func testUnwantedChannelsAreSwitchedOffFirst() throws {
    let fixture = SysfsFixture()
    fixture.write("scan_elements/in_accel_y_en", "1")
    let device = try IIODevice.find("0", roots: fixture.roots)
    let capture = try IIOCapture(device, channels: ["accel_x"], options: IIOOptions(), roots: fixture.roots)
    let element = "attribute iio:device0/scan_elements/in"
    XCTAssertTrue(
      fixture.notes.contains("\(element)_accel_y_en 1\n\(element)_accel_x_en 0\n\(element)_timestamp_en 0\n"),
      fixture.notes)
    withExtendedLifetime(capture) {}
  }

  /// The kernel lowers the watermark with the length, so that it has to be known before.
  func testTheWatermarkIsNotedBeforeTheLength() throws {
    let fixture = SysfsFixture()
    let device = try IIODevice.find("0", roots: fixture.roots)
    let capture = try IIOCapture(device, channels: [], options: IIOOptions(), roots: fixture.roots)
    let buffer = "attribute iio:device0/buffer"
    XCTAssertTrue(fixture.notes.contains("\(buffer)/watermark 1\n\(buffer)/length 2\n"), fixture.notes)
    withExtendedLifetime(capture) {}
  }

  /// As those of a DMA engine are (`INDIO_BUFFER_FLAG_FIXED_WATERMARK`).
  func testAFixedWatermarkAndLengthAreLeftAlone() throws {
    let fixture = SysfsFixture()
    fixture.write("buffer/watermark", "2")
    for file in ["length", "watermark"] {
      XCTAssertEqual(chmod("\(fixture.root)/sys/bus/iio/devices/iio:device0/buffer/\(file)", 0o444), 0)
    }
    let device = try IIODevice.find("0", roots: fixture.roots)
    let capture = try IIOCapture(device, channels: [], options: IIOOptions(), roots: fixture.roots)
    XCTAssertEqual(fixture.read("iio:device0/buffer/length"), "2")
    XCTAssertEqual(fixture.read("iio:device0/buffer/watermark"), "2")
    XCTAssertFalse(fixture.notes.contains("watermark"))
    withExtendedLifetime(capture) {}
  }

  func testNonsenseIsRefusedWhenADeviceIsSetUp() throws {
    for (file, text) in [
      ("buffer/length", "-5"), ("buffer/length", "long"), ("buffer/enable", "2"), ("buffer/enable", ""),
      ("sampling_frequency", "1e300"), ("sampling_frequency", "-1"), ("sampling_frequency", "nan"),
      ("sampling_frequency", "fast"), ("scan_elements/in_timestamp_index", "last"),
    ] {
      let fixture = SysfsFixture()
      fixture.write(file, text)
      let device = try IIODevice.find("0", roots: fixture.roots)
      let refused = failure { _ = try IIOCapture(device, channels: [], options: IIOOptions(), roots: fixture.roots) }
      XCTAssertEqual(refused?.code, .malformed, "\(file) \(text)")
      XCTAssertTrue(refused?.description.contains(file) == true, "\(file) \(text)")
      XCTAssertNotNil(refused?.remedy)
      XCTAssertEqual(fixture.read("iio:device0/\(file)"), text)
    }
  }

  /// A device that does not start scans itself refuses to be set up without a trigger.
  func testThatATriggerIsMissingIsSaid() throws {
    let fixture = SysfsFixture()
    fixture.write("trigger/current_trigger", "")
    let device = try IIODevice.find("0", roots: fixture.roots)
    XCTAssertTrue(device.takesTrigger)
    let file = "\(device.folder.path)/sampling_frequency"
    try? FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/proc/self/oom_score_adj")
    var options = IIOOptions()
    options.samplingFrequency = "3000"
    let refused = failure { _ = try IIOCapture(device, channels: [], options: options, roots: fixture.roots) }
    XCTAssertTrue(
      refused?.remedy?.hasPrefix("it has no trigger: name one with the key trigger") == true,
      "\(refused?.description ?? "")")
  }

  /// What the driver refuses is said with what it takes instead.
  func testWhatTheDriverTakesIsSaid() throws {
    let fixture = SysfsFixture()
    fixture.write("gain_available", "1 2 4")
    let folder = try IIODevice.find("0", roots: fixture.roots).folder
    // The kernel's own file that takes only some words.
    let clock = "\(folder.path)/gain"
    try FileManager.default.createSymbolicLink(atPath: clock, withDestinationPath: "/proc/self/oom_score_adj")
    let refused = failure { try folder.write("gain", "3000") }
    XCTAssertEqual(refused?.remedy, "it takes 1 2 4")
    try FileManager.default.removeItem(atPath: "\(clock)_available")
    XCTAssertEqual(
      failure { try folder.write("gain", "3000") }?.remedy, "its driver does not take this: try another value")
  }

  func testWhatIsRefusedIsNamed() throws {
    let fixture = SysfsFixture()
    let device = try IIODevice.find("0", roots: fixture.roots)
    func refusal(_ channels: [String], _ options: IIOOptions = IIOOptions()) -> String {
      failure { _ = try IIOCapture(device, channels: channels, options: options, roots: fixture.roots) }?.description
        ?? ""
    }
    XCTAssertTrue(refusal(["gyro"]).contains("accel_x, accel_y"))
    var options = IIOOptions()
    options.trigger = "nope"
    XCTAssertTrue(refusal([], options).contains("there is tick"))
    fixture.write("buffer/enable", "1")
    XCTAssertTrue(refusal([]).contains("already enabled"))
    fixture.write("buffer/enable", "0")
    fixture.write("scan_elements/in_accel_x_type", "le:s16/16X3>>0")
    let strange = try IIODevice.find("0", roots: fixture.roots)
    let unknown = failure { _ = try IIOCapture(strange, channels: [], options: options, roots: fixture.roots) }
    XCTAssertTrue(unknown?.description.contains("le:s16/16X3>>0") == true)
  }

  func testNonsenseInSysfsIsRefused() {
    for (file, text) in [
      ("scan_elements/in_accel_x_index", "-1"), ("scan_elements/in_accel_x_index", "many"), ("in_accel_scale", "big"),
      ("in_accel_scale", String(repeating: "9", count: 5_000)),
    ] {
      let fixture = SysfsFixture()
      fixture.write(file, text)
      for name in ["0", "iio:device0", "bmi160", "front"] {
        XCTAssertEqual(failure { _ = try IIODevice.find(name, roots: fixture.roots) }?.code, .malformed, text)
      }
      XCTAssertEqual(IIODevice.list(roots: fixture.roots).count, 0)
    }
  }

  func testAPolledFile() throws {
    let fixture = SysfsFixture()
    fixture.write("in_temp_raw", "-17")
    let path = "\(fixture.root)/sys/bus/iio/devices/iio:device0/in_temp_raw"
    var poll = try Publishers.PolledAttribute(path: path, every: .milliseconds(1))
    let causes = Locked([String?]())
    poll.whenFailed = { error in causes.withLock { $0.append(error.cause) } }
    let (first, more) = (expectation(description: "a reading"), expectation(description: "after a gap"))
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .max(1)) { reading in
      // The first tick may be late, and then says so as well: only the value tells them apart.
      reading.values[0].significand < 0 ? first.fulfill() : more.fulfill()
      return .none
    }
    poll.subscribe(subscriber)
    wait(for: [first], timeout: 60)
    XCTAssertEqual(subscriber.values[0].values.map(\.description), ["-17"])
    fixture.write("in_temp_raw", "broken")
    subscriber.request(.max(1))
    let deadline = Date(timeIntervalSinceNow: 60)
    while poll.losses[.failed].count == 0, Date() < deadline {
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.001))
    }
    fixture.write("in_temp_raw", "18")
    wait(for: [more], timeout: 60)
    subscriber.cancel()
    XCTAssertGreaterThan(poll.losses[.failed].count, 0)
    XCTAssertEqual(causes.withLock { $0.first }, "\"broken\" is not a number")
    XCTAssertEqual(subscriber.values.last?.values.map(\.description), ["18"])
    XCTAssertEqual(subscriber.values.last?.flags, .gapBefore)
    XCTAssertNotNil(failure { _ = try Publishers.PolledAttribute(path: "/nonexistent", every: .seconds(1)) })
  }
}
