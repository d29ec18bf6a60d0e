import Foundation
import Sluice
import SluiceReadings
import SluiceTesting
import TestFiles
import XCTest

@testable import SluiceDevices

/// An input device of sysfs, with a FIFO in the place of its file, and with the answers of the kernel.
final class InputFixture {
  struct State {
    var keys: Set<Int> = []
    var axes: [Int: [Int32]] = [:]
    var contacts: [Int: [Int32]] = [:]
    var clocks: [Int32] = []
    /// The numbers of the calls, in order.
    var calls: [UInt] = []
    var refusesClock = false
    /// The descriptor of the call that was refused.
    var refused: Int32 = -1
  }

  private let folder = TemporaryFolder()
  let state = Locked(State())
  private var feeding: Int32 = -1
  var roots: DeviceRoots { DeviceRoots(root: folder.path) }

  /// KEY_ENTER, KEY_A, REL_DIAL, ABS_X, two contacts with ABS_MT_POSITION_X, and SW_LID.
  init() {
    describe("event0", name: "panel", [("key", "50000000"), ("rel", "80"), ("abs", "20800000000001"), ("sw", "1")])
    state.withLock { $0.axes = [0: [5, 0, 100, 0, 0, 8], 0x2f: [0, 0, 1, 0, 0, 0], 0x35: [0, 0, 900, 0, 0, 12]] }
    plug()
  }

  func describe(_ id: String, name: String, _ capabilities: [(String, String)]) {
    let device = "\(folder.path)/sys/class/input/\(id)/device"
    try? FileManager.default.createDirectory(atPath: "\(device)/capabilities", withIntermediateDirectories: true)
    for (file, text) in [("name", name), ("phys", "usb/\(id)")] + capabilities.map({ ("capabilities/\($0)", $1) }) {
      try? "\(text)\n".write(toFile: "\(device)/\(file)", atomically: false, encoding: .utf8)
    }
  }

  /// Makes the file of the device.
  func plug() {
    let path = "\(folder.path)/dev/input/event0"
    try? FileManager.default.createDirectory(atPath: "\(folder.path)/dev/input", withIntermediateDirectories: true)
    unlink(path)
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    // For both, so that it can be opened before there is a reader.
    feeding = open(path, O_RDWR)
  }

  /// The end of the FIFO: a reader finds no device.
  func unplug() {
    unlink("\(folder.path)/dev/input/event0")
    close(feeding)
  }

  deinit { close(feeding) }

  func send(_ events: [(time: Int, type: UInt16, code: UInt16, value: Int32)]) {
    var bytes: [UInt8] = []
    for event in events {
      bytes += withUnsafeBytes(of: event.time / 1_000_000, Array.init)
      bytes += withUnsafeBytes(of: event.time % 1_000_000, Array.init)
      bytes += withUnsafeBytes(of: event.type, Array.init) + withUnsafeBytes(of: event.code, Array.init)
      bytes += withUnsafeBytes(of: event.value, Array.init)
    }
    XCTAssertEqual(write(feeding, bytes, bytes.count), bytes.count)
  }

  var request: DeviceRequest {
    { [state] descriptor, request, argument in
      state.withLock { state in
        state.calls.append(request & 0xff)
        let size = Int(request >> 16 & 0x3fff)
        let numbers = argument.assumingMemoryBound(to: Int32.self)
        switch request & 0xff {
        case 0xa0 where state.refusesClock:
          state.refused = descriptor
          errno = ENOTTY
          return -1
        case 0xa0: state.clocks.append(numbers[0])
        case 0x18, 0x1b:
          let bytes = argument.assumingMemoryBound(to: UInt8.self)
          for key in request & 0xff == 0x18 ? state.keys : [] where key / 8 < size { bytes[key / 8] |= 1 << (key % 8) }
        case 0x0a:
          for (index, value) in (state.contacts[Int(numbers[0])] ?? []).enumerated() { numbers[index + 1] = value }
        case 0x40...:
          guard let axis = state.axes[Int(request & 0x3f)] else { return -1 }
          for (index, value) in axis.enumerated() { numbers[index] = value }
        default: return -1
        }
        return 0
      }
    }
  }

  func setup(
    _ codes: [String] = [], device: String = "panel", hasInitialState: Bool = false,
    whenRemoved: (@Sendable (SluiceError?) -> Void)? = nil
  ) -> InputSetup {
    InputSetup(
      device: device, codes: codes, hasInitialState: hasInitialState, roots: roots, request: request,
      whenRemoved: whenRemoved)
  }
}

final class InputEventsTests: XCTestCase {
  private let fixture = InputFixture()
  private let losses = DeviceLosses(coverage: .all, countsAll: false)
  private let clock = EpochClock(offset: 1_000)

  private func reader(_ setup: InputSetup) throws -> InputEventReader {
    InputEventReader(try setup.session(), setup, losses, StreamID(3), clock)
  }

  /// Each reading as `STREAM VALUES FLAGS`.
  private func read(_ reader: InputEventReader, limit: Int = 100) throws -> [String] {
    var batch: [Reading] = []
    try reader.read(ready: [true], limit: limit, into: &batch)
    return batch.map { reading in
      "\(reading.stream.index) \(reading.values.map(\.description).joined(separator: ","))"
        + (reading.flags.contains(.gapBefore) ? " gap" : "") + (reading.flags.contains(.initialLevel) ? " initial" : "")
    }
  }

  // MARK: Codes

  func testNamesAreThoseOfTheKernel() {
    func name(_ type: InputEventType, _ number: UInt16) -> String { InputCode(type: type, number: number).name }
    XCTAssertEqual(
      [name(.key, 2), name(.key, 11), name(.key, 28), name(.key, 248), name(.key, 0x110), name(.key, 0x130)],
      ["KEY_1", "KEY_0", "KEY_ENTER", "KEY_MICMUTE", "BTN_LEFT", "BTN_SOUTH"])
    XCTAssertEqual(
      [name(.key, 0x14a), name(.key, 0x160), name(.key, 0x220), name(.key, 0x2c0), name(.key, 0x2e7)],
      ["BTN_TOUCH", "KEY_OK", "BTN_DPAD_UP", "BTN_TRIGGER_HAPPY1", "BTN_TRIGGER_HAPPY40"])
    XCTAssertEqual(
      [name(.key, 444), name(.key, 0x1d0), name(.key, 0x200), name(.key, 0x210), name(.key, 0x290), name(.key, 0x2b8)],
      ["KEY_NOTIFICATION_CENTER", "KEY_FN", "KEY_NUMERIC_0", "KEY_CAMERA_FOCUS", "KEY_MACRO1", "KEY_KBD_LCD_MENU1"])
    XCTAssertEqual(
      [
        name(.rel, 8), name(.abs, 0), name(.abs, 0x28), name(.abs, 0x35), name(.sw, 0), name(.key, 767), name(.rel, 15),
      ],
      ["REL_WHEEL", "ABS_X", "ABS_MISC", "ABS_MT_POSITION_X", "SW_LID", "KEY_767", "REL_15"])
  }

  func testADeviceIsFoundByNameEventAndPath() throws {
    fixture.describe("event10", name: "twin", [("key", "10000000 0")])
    fixture.describe("event2", name: "twin", [])
    XCTAssertEqual(InputDevice.list(roots: fixture.roots).map(\.id), ["event0", "event2", "event10"])
    for text in ["panel", "event0", "/dev/input/event0"] {
      XCTAssertEqual(try InputDevice.find(text, roots: fixture.roots).id, "event0", text)
    }
    // 0x1000_0000 in the second word.
    XCTAssertEqual(try InputDevice.find("event10", roots: fixture.roots).codes.map(\.name), ["KEY_HENKAN"])
    XCTAssertThrowsError(try InputDevice.find("twin", roots: fixture.roots)) {
      XCTAssertEqual(
        "\($0)",
        "cannot open input device twin: 2 devices have that name; name one of event2 (twin, usb/event2), event10 (twin, usb/event10) by its event"
      )
    }
    XCTAssertThrowsError(try InputDevice.find("pedal", roots: fixture.roots)) {
      XCTAssertTrue("\($0)".contains("there is event0 (panel, usb/event0), event2"), "\($0)")
    }
    XCTAssertThrowsError(try fixture.setup(["KEY_B"]).session()) {
      XCTAssertTrue("\($0)".contains("it has KEY_ENTER, KEY_A, REL_DIAL, ABS_X, ABS_MT_POSITION_X, SW_LID"), "\($0)")
    }
    XCTAssertThrowsError(try fixture.setup(device: "event2").session()) {
      XCTAssertTrue("\($0)".contains("it has no keys, axes or switches"), "\($0)")
    }
  }

  func testStreamsHaveTheUnitOfTheResolution() throws {
    let session = try fixture.setup().session()
    let streams = session.codes.map { session.stream($0, fixture.roots) }
    XCTAssertEqual(
      streams.map(\.name),
      [
        "panel:KEY_ENTER", "panel:KEY_A", "panel:REL_DIAL", "panel:ABS_X", "panel:ABS_MT_POSITION_X", "panel:SW_LID",
      ])
    XCTAssertEqual(streams[3].channels.map(\.unit), ["mm"])
    XCTAssertEqual(streams[3].channels[0].scale.description, "0.125")
    XCTAssertEqual(streams[4].channels.map(\.name), ["value", "slot"])
    XCTAssertEqual(streams[4].channels[0].scale.description, "0.0833333333")
    XCTAssertNil(streams[0].channels[0].unit)
    XCTAssertEqual(fixture.state.withLock(\.clocks), [CLOCK_MONOTONIC])
    XCTAssertEqual(fixture.state.withLock { $0.calls.first }, 0xa0, "an event before it would be a false loss")
  }

  func testAClockThatIsRefused() {
    fixture.state.withLock { $0.refusesClock = true }
    XCTAssertThrowsError(try fixture.setup().session()) {
      XCTAssertEqual(($0 as? SluiceError)?.errno, ENOTTY)
      XCTAssertTrue("\($0)".contains("set the clock (EVIOCSCLOCKID) of"), "\($0)")
    }
    XCTAssertEqual(fcntl(fixture.state.withLock(\.refused), F_GETFD), -1, "it is closed")
  }

  func testNoCapabilitiesTrap() {
    fixture.describe(
      "event1", name: "odd", [("key", String(repeating: "ffffffffffffffff ", count: 40)), ("abs", "x -1")])
    XCTAssertEqual(try InputDevice.find("odd", roots: fixture.roots).codes.count, 0x300)
  }

  // MARK: Events

  func testEventsBecomeReadings() throws {
    let reader = try reader(fixture.setup())
    fixture.send([
      (2_000_007, 1, 28, 1), (2_000_007, 4, 4, 99), (2_000_007, 0, 0, 0), (3_000_000, 2, 7, -2),
      (3_000_000, 3, 0x2f, 1),
      (3_000_000, 3, 0x35, 600), (3_000_000, 0, 0, 0), (4_000_000, 1, 48, 1),
    ])
    var batch: [Reading] = []
    try reader.read(ready: [true], limit: 100, into: &batch)
    XCTAssertEqual(batch.map(\.stream.index), [3, 5, 7])
    XCTAssertEqual(batch.map(\.time), [2_000_008_000, 3_000_001_000, 3_000_001_000])
    XCTAssertEqual(batch.map { $0.values.map(\.significand) }, [[1], [-2], [600, 1]])
    XCTAssertEqual(try read(reader), [], "the FIFO is empty")
    XCTAssertEqual(losses.all, [])
  }

  func testTheDemandIsKept() throws {
    let reader = try reader(fixture.setup())
    fixture.send((0..<10).map { (time: $0, type: 1, code: 30, value: Int32($0 % 2)) })
    XCTAssertEqual(try read(reader, limit: 3), ["4 0", "4 1", "4 0"])
    XCTAssertEqual(try read(reader, limit: 100).count, 7)
  }

  /// The rest of the packet is not whole. The states that differ from the last values are asked for.
  func testAFullQueueIsALossAndTheLastValuesAreRight() throws {
    let reader = try reader(fixture.setup())
    fixture.send([(1, 1, 28, 1), (1, 0, 0, 0)])
    XCTAssertEqual(try read(reader), ["3 1"])
    fixture.state.withLock {
      $0.keys = [30]
      $0.axes[0] = [77]
      $0.contacts[0x35] = [4, 5]
    }
    fixture.send([(2, 0, 3, 0), (2, 1, 30, 1), (2, 3, 0, 9)])
    XCTAssertEqual(try read(reader), [], "not before the end of the packet")
    fixture.send([(3, 0, 0, 0), (4, 2, 7, 1)])
    XCTAssertEqual(
      try read(reader), ["5 1 gap", "3 0 gap", "4 1 gap", "6 77 gap", "7 4,0 gap", "7 5,1"])
    XCTAssertEqual(losses[.full].count, 1)
    XCTAssertTrue(losses.mayHaveUncountedLosses)
    XCTAssertEqual(losses.accounted.map(\.isUncounted), [true])
    fixture.send([(5, 5, 0, 1), (6, 5, 0, 0)])
    XCTAssertEqual(try read(reader), ["8 1 gap", "8 0"])
  }

  /// A held key repeats with the value 2, and its state is 1.
  func testAHeldKeyHasNoNewStateAfterALoss() throws {
    let reader = try reader(fixture.setup(["KEY_A"]))
    fixture.state.withLock { $0.keys = [30] }
    fixture.send([(1, 1, 30, 1), (1, 0, 0, 0), (2, 1, 30, 2), (2, 0, 0, 0)])
    XCTAssertEqual(try read(reader), ["3 1", "3 2"])
    fixture.send([(3, 0, 3, 0), (3, 0, 0, 0)])
    XCTAssertEqual(try read(reader), [])
    fixture.send([(4, 1, 30, 0), (4, 0, 0, 0)])
    XCTAssertEqual(try read(reader), ["3 0 gap"])
  }

  /// Nothing has changed since, because the queue is empty.
  func testAStateHasTheTimeOfTheNewestEvent() throws {
    let reader = try reader(fixture.setup())
    let later = Int(kernelTime(CLOCK_MONOTONIC) / 1_000) + 10_000_000
    fixture.state.withLock { $0.keys = [30] }
    fixture.send([(later, 0, 3, 0), (later, 0, 0, 0), (later + 5, 2, 7, 1)])
    var batch: [Reading] = []
    try reader.read(ready: [true], limit: 100, into: &batch)
    XCTAssertEqual(batch.map(\.stream.index), [5, 4])
    XCTAssertEqual(Set(batch.map(\.time)), [clock.time(monotonic: UInt64(later + 5) * 1_000)])
  }

  func testStatesWaitForDemand() throws {
    fixture.state.withLock {
      $0.keys = [28]
      $0.contacts[0x35] = [1, 2]
    }
    let reader = try reader(fixture.setup(hasInitialState: true))
    XCTAssertEqual(reader.timeout, 0, "a state is no event that would wake the thread")
    XCTAssertEqual(try read(reader, limit: 4), ["3 1 initial", "4 0 initial", "6 5 initial", "7 1,0 initial"])
    XCTAssertEqual(reader.timeout, 0)
    XCTAssertEqual(try read(reader, limit: 4), ["7 2,1 initial", "8 0 initial"])
    XCTAssertEqual(reader.timeout, -1)
  }

  func testNoBytesTrap() throws {
    let reader = try reader(fixture.setup())
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20 {
      fixture.send(
        (0..<100).map { _ in
          (
            Int.random(in: .min ... .max, using: &generator), UInt16.random(in: 0...6, using: &generator),
            UInt16.random(in: 0...0x3ff, using: &generator), Int32.random(in: .min ... .max, using: &generator)
          )
        })
      XCTAssertNoThrow(try read(reader))
    }
  }

  // MARK: Removal

  func testARemovedDeviceEndsTheReadings() throws {
    let reader = try reader(fixture.setup())
    fixture.unplug()
    XCTAssertThrowsError(try read(reader)) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .disconnected)
      XCTAssertTrue("\(error)".contains("event0 (panel, usb/event0): the device was removed"), "\(error)")
    }
  }

  func testADeviceThatComesBackGoesOn() throws {
    let told = Locked<[String]>([])
    let reader = try reader(
      fixture.setup(["KEY_A"], whenRemoved: { error in told.withLock { $0.append(error?.cause ?? "back") } }))
    fixture.unplug()
    XCTAssertEqual(try read(reader), [])
    XCTAssertTrue(losses.isAway)
    XCTAssertEqual(try read(reader), [])
    XCTAssertEqual(reader.timeout, 200)
    fixture.plug()
    fixture.state.withLock { $0.keys = [30] }
    XCTAssertEqual(try read(reader), ["3 1 gap"])
    XCTAssertFalse(losses.isAway)
    XCTAssertEqual(told.withLock { $0 }, ["the device was removed", "back"])
    XCTAssertEqual(losses[.removed].count, 1)
  }

  func testADeviceThatCameBackAsAnotherOneIsRefused() throws {
    let reader = try reader(fixture.setup(whenRemoved: { _ in }))
    fixture.unplug()
    XCTAssertEqual(try read(reader), [])
    fixture.describe("event0", name: "panel", [("key", "10000000")])
    fixture.plug()
    XCTAssertThrowsError(try read(reader)) {
      XCTAssertTrue("\($0)".contains("it came back with other keys or axes"), "\($0)")
    }
  }

  /// Its number is not that of the device that was removed, so nobody would come back.
  func testAnotherDeviceWithTheEventIsRefused() throws {
    let reader = try reader(fixture.setup(["KEY_A"], device: "event0", whenRemoved: { _ in }))
    fixture.unplug()
    XCTAssertEqual(try read(reader), [])
    fixture.describe("event0", name: "mouse", [("key", "10000000"), ("rel", "3"), ("abs", "0"), ("sw", "0")])
    fixture.plug()
    XCTAssertThrowsError(try read(reader)) {
      XCTAssertTrue("\($0)".contains("event0 (mouse, usb/event0): it came back with other keys or axes"), "\($0)")
    }
  }

  func testAPublisherDeliversAndFinishes() throws {
    let events = try Publishers.InputEvents(fixture.setup(["REL_DIAL", "KEY_A"]))
    let got = expectation(description: "both")
    got.expectedFulfillmentCount = 2
    let subscriber = TestSubscriber<Reading, SluiceError> { _ in
      got.fulfill()
      return .none
    }
    events.streams(from: StreamID(1)).subscribe(subscriber)
    fixture.send([(1, 2, 7, 1), (2, 1, 30, 1)])
    wait(for: [got], timeout: 60)
    events.finish()
    events.teardown.wait()
    XCTAssertEqual(subscriber.values.map(\.stream.index), [1, 2])
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(subscriber.violations, [])
  }
}
