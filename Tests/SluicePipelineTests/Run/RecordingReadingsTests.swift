import Dispatch
import Sluice
import SluiceReadings
import SluiceTesting
import TestFiles
import XCTest

@testable import SluicePipeline

final class RecordingReadingsTests: XCTestCase {
  private func reading(_ number: Int, of stream: UInt16 = 0) -> Reading {
    Reading(time: Int64(number), stream: StreamID(stream), values: Values(Int64(number)))
  }

  private func waitUntil(_ what: String, _ condition: () -> Bool) {
    let deadline = ContinuousClock.now + .seconds(60)
    while !condition() {
      guard ContinuousClock.now < deadline else { return XCTFail("\(what) has not happened") }
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.005))
    }
  }

  /// A viewer that asks for nothing keeps the newest readings; what has left it is counted and flagged, by stream.
  func testASlowViewerMissesTheOldestAndIsTold() {
    let tap = ReadingTap()
    let missed = Locked<[Int]>([])
    let subscriber = TestSubscriber<Reading, Never>(initial: .none)
    RecordingReadings(tap).holding(4) { count in missed.withLock { $0.append(count) } }.subscribe(subscriber)
    tap.show([reading(0, of: 1)])
    for number in 1..<8 { tap.show([reading(number)]) }
    tap.show([reading(8, of: 1)])
    XCTAssertEqual(subscriber.values.count, 0)
    subscriber.request(.max(1))
    waitUntil("the first") { subscriber.values.count == 1 }
    XCTAssertEqual(missed.withLock { $0 }, [5])
    subscriber.request(.unlimited)
    waitUntil("the rest") { subscriber.values.count == 4 }
    XCTAssertEqual(subscriber.values.map(\.time), [5, 6, 7, 8])
    XCTAssertEqual(subscriber.values.map { $0.flags == .gapBefore }, [true, false, false, true])
    tap.show([reading(9), reading(10, of: 1)])
    waitUntil("all") { subscriber.values.count == 6 }
    XCTAssertEqual(subscriber.values.suffix(2).map(\.flags), [[], []])
    XCTAssertEqual(missed.withLock { $0 }, [5])
    XCTAssertEqual(subscriber.violations, [])
  }

  /// Readings of no stream only show the time to stages: a viewer neither gets nor misses them.
  func testAViewerDoesNotMissReadingsOfTheClock() {
    let tap = ReadingTap()
    let missed = Locked(0)
    let subscriber = TestSubscriber<Reading, Never>(initial: .none)
    RecordingReadings(tap).holding(4) { count in missed.withLock { $0 += count } }.subscribe(subscriber)
    for number in 0..<6 {
      tap.show([reading(number), Reading(time: Int64(number), stream: .none, values: Values())])
      tap.show(Reading(time: Int64(number), stream: .none, values: Values()))
    }
    subscriber.request(.unlimited)
    waitUntil("all") { subscriber.values.count == 4 }
    XCTAssertEqual(subscriber.values.map(\.time), [2, 3, 4, 5])
    XCTAssertEqual(missed.withLock { $0 }, 2)
  }

  /// They come after the interval, or when half of the place is full, or when they are asked for, or at the end.
  func testReadingsThatGather() throws {
    let tap = ReadingTap()
    let subscriber = TestSubscriber<Reading, Never>(initial: .unlimited)
    let missed = Locked(0)
    let viewer = ReadingViewer(
      AnySubscriber(subscriber), 20, { count in missed.withLock { $0 += count } }, .seconds(3_600)
    ) { _ in }
    subscriber.receive(subscription: viewer)
    tap.add(viewer)
    for number in 0..<4 { tap.show(reading(number)) }
    XCTAssertEqual(subscriber.values.count, 0)
    viewer.deliverNow()
    XCTAssertEqual(subscriber.values.map(\.time), [0, 1, 2, 3])
    viewer.deliverNow()
    tap.show((4..<14).map { reading($0) }[...])
    XCTAssertEqual(subscriber.values.count, 4)
    tap.show(reading(14))
    waitUntil("a place that is half full") { subscriber.values.count == 15 }
    tap.show(reading(15))
    XCTAssertEqual(subscriber.values.count, 15)
    tap.end()
    waitUntil("the end") { subscriber.completion != nil }
    XCTAssertEqual(subscriber.values.map(\.time), Array(0..<16))
    XCTAssertEqual(missed.withLock { $0 }, 0)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testReadingsThatGatherForAnInterval() {
    let tap = ReadingTap()
    let subscriber = TestSubscriber<Reading, Never>(initial: .unlimited)
    let missed = Locked(0)
    RecordingReadings(tap).holding(5) { count in missed.withLock { $0 += count } }.gathered(for: .milliseconds(5))
      .subscribe(subscriber)
    tap.show([reading(0), reading(1)])
    waitUntil("the first interval") { subscriber.values.count == 2 }
    // More than there is room for, at once.
    tap.show((2..<10).map { reading($0) }[...])
    waitUntil("the second interval") { subscriber.values.count == 7 }
    XCTAssertEqual(subscriber.values.map(\.time), [0, 1, 5, 6, 7, 8, 9])
    XCTAssertEqual(missed.withLock { $0 }, 3)
  }

  func testTheEndComesAfterWhatAViewerHas() {
    let tap = ReadingTap()
    let subscriber = TestSubscriber<Reading, Never>(initial: .none)
    RecordingReadings(tap).subscribe(subscriber)
    tap.show([reading(0), reading(1)])
    tap.end()
    tap.end()
    subscriber.request(.max(1))
    waitUntil("one") { subscriber.values.count == 1 }
    XCTAssertNil(subscriber.completion)
    subscriber.request(.max(1))
    waitUntil("the end") { subscriber.completion != nil }
    XCTAssertEqual(subscriber.values.count, 2)
    let late = TestSubscriber<Reading, Never>(initial: .none)
    RecordingReadings(tap).subscribe(late)
    waitUntil("the end of a late viewer") { late.completion != nil }
  }

  func testACancelledViewerIsLetGoOf() {
    let tap = ReadingTap()
    weak var viewer: TestSubscriber<Reading, Never>?
    do {
      let subscriber = TestSubscriber<Reading, Never>(initial: .max(1))
      viewer = subscriber
      RecordingReadings(tap).subscribe(subscriber)
      tap.show([reading(0)])
      waitUntil("one") { subscriber.values.count == 1 }
      subscriber.cancel()
    }
    waitUntil("the release") { viewer == nil }
    tap.show([reading(1)])
  }

  /// A viewer that never returns from its closure does not hold up the recording, and another sees all.
  func testTheRecordingDoesNotWaitForAViewer() throws {
    let folder = temporaryFolder()
    var plan = RecordingPlan(
      sources: [try SourceSpec("sim:imu@2000,seed=3")], outputs: [OutputPlan("\(folder)/a.csv")])
    plan.limits.count = 400
    let recording = try Recording(plan)
    let isHeld = DispatchSemaphore(value: 0)
    let stuck = recording.readings.sink { _ in isHeld.wait() }
    let seen = Locked<[Reading]>([])
    let ended = expectation(description: "the end of the viewer")
    let watching = recording.readings.holding(10_000).sink { _ in
      ended.fulfill()
    } receiveValue: { reading in
      seen.withLock { $0.append(reading) }
    }
    recording.start()
    let account = recording.wait()
    XCTAssertEqual(account.written, 400)
    wait(for: [ended], timeout: 60)
    XCTAssertEqual(seen.withLock { $0.count }, 400)
    XCTAssertEqual(recording.streams.map(\.name), ["imu"])
    stuck.cancel()
    watching.cancel()
    for _ in 0..<400 { isHeld.signal() }
  }
}
