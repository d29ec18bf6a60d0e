import Foundation
import Sluice
import SluiceDevices
import SluiceReadings
import SluiceTesting
import XCTest

/// Events of the dummy driver, which a file of its event generator sets off.
final class IIOEventsTests: BoardTestCase {
  private let folder = "/sys/bus/iio/devices/iio:device0"

  private func poke(_ number: Int) throws {
    try "\(number)".write(toFile: "/sys/bus/iio/devices/iio_evgen/poke_ev0", atomically: false, encoding: .utf8)
  }

  private func attribute(_ name: String) throws -> String { try SimulatedChip.text("\(folder)/\(name)") }

  func testAnEventIsAReadingOfItsStream() throws {
    let before = try attribute("current_timestamp_clock")
    let device = try IIODevice.find("dummy0")
    XCTAssertTrue(device.events().map(\.name).contains("voltage0_thresh_rising"), "\(device.events())")
    let events = try Publishers.IIOEvents(device: "dummy0", events: ["voltage0_thresh_rising=7"])
    XCTAssertEqual(try attribute("events/in_voltage0_thresh_rising_value"), "7")
    XCTAssertEqual(events.streams.map(\.name), ["dummy0:voltage0_thresh_rising", "dummy0:other"])
    let subscriber = TestSubscriber<Reading, SluiceError>()
    events.subscribe(subscriber)
    for count in 1...3 {
      // Case 0 of the driver's handler (drivers/iio/dummy/iio_simple_dummy_events.c).
      try poke(0)
      waitUntil("event \(count)") { subscriber.values.count == count }
    }
    // Another one, which the driver sends whether it is enabled or not.
    try poke(3)
    waitUntil("the other event") { subscriber.values.count == 4 }
    events.finish()
    events.teardown.wait()
    XCTAssertEqual(subscriber.values.map(\.stream.index), [0, 0, 0, 1])
    XCTAssertEqual(subscriber.values.prefix(3).map { $0.values[0].significand }, [1, 1, 1])
    let times = subscriber.values.map(\.time)
    XCTAssertEqual(times, times.sorted())
    let now = Int64(Date().timeIntervalSince1970 * 1e9)
    XCTAssertLessThan(abs(now - (times.last ?? 0)), 60_000_000_000, "since the epoch")
    XCTAssertEqual(try attribute("current_timestamp_clock"), before)
    XCTAssertTrue(subscriber.isFinished)
  }

  /// The kernel keeps sixteen, and does not count what it throws away.
  func testAFullFIFOIsCountedAndFlagged() throws {
    let events = try Publishers.IIOEvents(device: "dummy0", events: ["voltage0_thresh_rising"])
    XCTAssertEqual(events.losses.coverage, .none)
    XCTAssertNotNil(events.losses.coverageRemedy)
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none)
    events.subscribe(subscriber)
    for _ in 0..<400 { try poke(0) }
    subscriber.request(.unlimited)
    waitUntil("what the kernel kept") { subscriber.values.count >= 16 }
    waitUntil("one more") {
      try? poke(0)
      return subscriber.values.count >= 17
    }
    events.finish()
    events.teardown.wait()
    XCTAssertEqual(events.losses[.full].count, 1)
    XCTAssertTrue(events.losses.mayHaveUncountedLosses)
    XCTAssertEqual(subscriber.values.prefix(17).map(\.flags), Array(repeating: [], count: 16) + [.gapBefore])
  }

  /// They share the device's clock: whoever ends last puts it back.
  func testEventsAndScansOfOneDevice() throws {
    let before = try attribute("current_timestamp_clock")
    let events = try Publishers.IIOEvents(device: "dummy0", events: ["voltage0_thresh_rising"])
    var options = IIOOptions()
    options.trigger = "tick"
    options.samplingFrequency = "1000"
    let scans = try Publishers.IIOScans(device: "dummy0", options: options)
    let (first, second) = (TestSubscriber<Reading, SluiceError>(), TestSubscriber<Reading, SluiceError>())
    events.subscribe(first)
    scans.subscribe(second)
    try poke(0)
    waitUntil("an event and scans") { first.values.count == 1 && second.values.count >= 100 }
    XCTAssertThrowsError(try Publishers.IIOEvents(device: "dummy0")) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .busy, "\(error)")
    }
    events.finish()
    events.teardown.wait()
    XCTAssertEqual(try attribute("current_timestamp_clock"), "monotonic", "while the buffer is enabled")
    scans.finish()
    scans.teardown.wait()
    XCTAssertEqual(try attribute("current_timestamp_clock"), before)
    XCTAssertEqual(IIOState.leftovers(), [])
  }
}
