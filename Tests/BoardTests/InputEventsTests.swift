import Foundation
import Sluice
import SluiceDevices
import SluiceReadings
import SluiceTesting
import XCTest

/// Events of devices that uinput makes.
final class InputEventsTests: BoardTestCase {
  private let command = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appendingPathComponent("sluice").path

  /// An input device with KEY_A, REL_DIAL, and ABS_X in hundredths of a millimetre (include/uapi/linux/uinput.h).
  private final class VirtualDevice {
    private let descriptor: Int32

    init(_ name: String) {
      descriptor = open("/dev/uinput", O_WRONLY)
      XCTAssertGreaterThanOrEqual(descriptor, 0, String(cString: strerror(errno)))
      // `UI_SET_EVBIT`, `UI_SET_KEYBIT`, `UI_SET_RELBIT`.
      for (request, bit): (UInt, Int32) in [
        (0x4004_5564, 1), (0x4004_5564, 2), (0x4004_5564, 3), (0x4004_5565, 30), (0x4004_5566, 7),
      ] { XCTAssertEqual(ioctl(descriptor, request, bit), 0, String(cString: strerror(errno))) }
      // `UI_ABS_SETUP`: the code, and struct input_absinfo.
      var axis: [Int32] = [0, 0, 0, 10_000, 0, 0, 100]
      XCTAssertEqual(ioctl(descriptor, 0x401c_5504, &axis), 0, String(cString: strerror(errno)))
      // `UI_DEV_SETUP`: four numbers of 16 bits, a name of 80 bytes, and a number.
      var setup = [UInt8](repeating: 0, count: 92)
      setup.replaceSubrange(8..<8 + name.utf8.count, with: name.utf8)
      XCTAssertEqual(ioctl(descriptor, 0x405c_5503, &setup), 0, String(cString: strerror(errno)))
      create()
    }

    /// `UI_DEV_CREATE`, `UI_DEV_DESTROY`.
    func create() { XCTAssertEqual(ioctl(descriptor, 0x5501, Int32(0)), 0, String(cString: strerror(errno))) }
    func destroy() { XCTAssertEqual(ioctl(descriptor, 0x5502, Int32(0)), 0) }

    /// Each event in a packet of its own.
    func send(_ events: [(type: UInt16, code: UInt16, value: Int32)]) {
      var bytes: [UInt8] = []
      for event in events {
        for (type, code, value) in [event, (0, 0, 0)] {
          bytes += [UInt8](repeating: 0, count: 2 * MemoryLayout<Int>.size)
          bytes += withUnsafeBytes(of: type, Array.init) + withUnsafeBytes(of: code, Array.init)
          bytes += withUnsafeBytes(of: value, Array.init)
        }
      }
      XCTAssertEqual(write(descriptor, bytes, bytes.count), bytes.count)
    }

    deinit { close(descriptor) }
  }

  private func rows(_ path: String) -> [[Substring]] {
    ((try? SimulatedChip.text(path)) ?? "").split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
  }

  func testEveryEventIsRecorded() throws {
    let device = VirtualDevice("sluice knob")
    let output = NSTemporaryDirectory() + "knob.csv"
    let process = ChildProcess(
      command, ["record", "input:sluice knob", "-n", "901", "-o", output, "--force", "--quiet", "--max-loss", "0"])
    waitUntil("the recording") { FileManager.default.fileExists(atPath: output + "-metadata.json") }
    // The kernel keeps 64 events at least, with those that end packets.
    var before = 0
    waitUntil("the first event") {
      device.send([(2, 7, 1)])
      before = self.rows(output).count
      return before > 0
    }
    for turn in 1...30 {
      device.send((0..<5).flatMap { [(1, 30, 1), (2, 7, $0 % 2 == 0 ? 1 : -1), (1, 30, 0)] })
      device.send((0..<5).map { (3, 0, Int32(turn * 100 + $0)) })
      waitUntil("their rows") { self.rows(output).count >= min(before + turn * 20, 901) }
    }
    process.wait(after: SIGINT)
    let rows = rows(output)
    XCTAssertGreaterThanOrEqual(rows.count, before + 600)
    let keys = rows.filter { $0[1] == "sluice knob:KEY_A" }.map { $0[3] }
    XCTAssertEqual(keys, (0..<300).map { $0 % 2 == 0 ? "1" : "0" })
    let positions = rows.filter { $0[1] == "sluice knob:ABS_X" }.map { $0[3] }
    XCTAssertEqual(positions.count, 150)
    XCTAssertEqual(positions.first, "1.00", "in millimetres")
    let times = rows.compactMap { Int64($0[0]) }
    XCTAssertEqual(times, times.sorted())
    device.destroy()
  }

  /// Without demand, the kernel's queue overflows.
  func testABurstIsALossAndTheLastValuesAreRight() throws {
    let device = VirtualDevice("sluice burst")
    let events = try Publishers.InputEvents(device: "sluice burst")
    XCTAssertEqual(
      events.streams.map(\.name), ["sluice burst:KEY_A", "sluice burst:REL_DIAL", "sluice burst:ABS_X"])
    XCTAssertEqual(events.streams[2].channels[0].unit, "mm")
    let got = Locked<[Reading]>([])
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none) { reading in
      got.withLock { $0.append(reading) }
      return .none
    }
    events.subscribe(subscriber)
    for turn in 0..<20 {
      device.send((0..<100).flatMap { [(1, 30, Int32($0 % 2)), (3, 0, Int32(turn * 100 + $0))] })
    }
    subscriber.request(.unlimited)
    waitUntil("the last position") {
      got.withLock { $0.last { $0.stream.index == 2 }?.values[0].significand } == 1_999
    }
    waitUntil("the last state of the key") {
      got.withLock { $0.last { $0.stream.index == 0 }?.values[0].significand } == 1
    }
    XCTAssertGreaterThanOrEqual(events.losses[.full].count, 1)
    XCTAssertTrue(events.losses.mayHaveUncountedLosses)
    XCTAssertLessThan(got.withLock { $0.count }, 4_000)
    XCTAssertTrue(got.withLock { readings in readings.contains { $0.flags.contains(.gapBefore) } })
    let count = got.withLock { $0.count }
    device.send([(2, 7, 5)])
    waitUntil("the next event") { got.withLock { $0.count } == count + 1 }
    XCTAssertEqual(got.withLock { $0.last?.values[0].significand }, 5)
    events.finish()
    events.teardown.wait()
    XCTAssertEqual(subscriber.violations, [])
    device.destroy()
  }

  func testADeviceThatComesBackGoesOn() throws {
    let device = VirtualDevice("sluice pedal")
    let told = Locked<[String]>([])
    let events = try Publishers.InputEvents(device: "sluice pedal", codes: ["KEY_A"]) { error in
      told.withLock { $0.append(error.map { "\($0.code)" } ?? "back") }
    }
    let got = Locked<[Reading]>([])
    let reading = events.sink(
      receiveCompletion: { _ in }, receiveValue: { reading in got.withLock { $0.append(reading) } })
    device.send([(1, 30, 1)])
    waitUntil("the key") { got.withLock { $0.count } == 1 }
    device.destroy()
    waitUntil("the removal") { told.withLock { $0 } == ["disconnected"] }
    let again = VirtualDevice("sluice pedal")
    waitUntil("the return") { told.withLock { $0.last } == "back" }
    again.send([(1, 30, 1), (1, 30, 0)])
    // The kernel releases the keys of a device that goes, which may still be read.
    waitUntil("the key again") {
      got.withLock { readings in
        readings.contains { $0.flags.contains(.gapBefore) } && readings.last?.values[0].significand == 0
      }
    }
    XCTAssertEqual(events.losses[.removed].count, 1)
    reading.cancel()
    events.teardown.wait()
    again.destroy()
  }
}
