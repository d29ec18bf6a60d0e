import Dispatch
import Foundation
import Sluice
import SluiceDispatch
import XCTest

final class DispatchQueueTests: XCTestCase {
  private typealias Time = DispatchQueue.SchedulerTimeType
  private typealias Stride = DispatchQueue.SchedulerTimeType.Stride

  func testADistanceThatDoesNotFitIsTheLongest() {
    let time = Time(DispatchTime(uptimeNanoseconds: 10_000))
    let end = Time(DispatchTime(uptimeNanoseconds: UInt64(Int64.max)))
    XCTAssertEqual(time.distance(to: Time(.distantFuture)), .nanoseconds(.max))
    XCTAssertEqual(Time(.distantFuture).distance(to: time), .nanoseconds(.max))
    XCTAssertEqual(end.distance(to: time), .nanoseconds(-(.max - 10_000)))
    XCTAssertEqual(Time(.distantFuture).distance(to: Time(.distantFuture)), .zero)
    XCTAssertEqual(time.advanced(by: .nanoseconds(.max)).dispatchTime, .distantFuture)
  }

  func testCoding() throws {
    let coded = try JSONEncoder().encode([Stride.nanoseconds(419_872)])
    XCTAssertEqual(String(decoding: coded, as: UTF8.self), #"[{"_nanoseconds":419872}]"#)
    XCTAssertEqual(try JSONDecoder().decode([Stride].self, from: coded), [.nanoseconds(419_872)])
    let time = try JSONEncoder().encode([Time(DispatchTime(uptimeNanoseconds: 42))])
    XCTAssertEqual(String(decoding: time, as: UTF8.self), "[42]")
  }

  func testIntervals() {
    XCTAssertEqual(Stride(.never), .nanoseconds(.max))
    XCTAssertEqual(Stride(.seconds(.min)), .nanoseconds(.min))
    XCTAssertEqual(Stride(.milliseconds(2)).magnitude, 2_000_000)
    XCTAssertEqual(Stride.microseconds(2).timeInterval, .nanoseconds(2_000))
    XCTAssertEqual(Stride.nanoseconds(15) * .nanoseconds(2), .zero, "as in Combine")
  }

  func testANegativeIntervalRepeatsWithoutPause() {
    let twice = expectation(description: "twice")
    twice.expectedFulfillmentCount = 2
    twice.assertForOverFulfill = false
    let queue = DispatchQueue(label: "test")
    let repetition = queue.schedule(after: queue.now, interval: .seconds(-1)) { twice.fulfill() }
    wait(for: [twice], timeout: 60)
    repetition.cancel()
  }

  /// The distance between them is too long for an interval.
  func testTheDistantFutureIsLaterThanNow() {
    typealias Time = DispatchQueue.SchedulerTimeType
    let (now, future) = (DispatchQueue.main.now, Time(.distantFuture))
    XCTAssertLessThan(now, future)
    XCTAssertGreaterThan(future, now)
    XCTAssertEqual(future, Time(.distantFuture))
    XCTAssertEqual(now.advanced(by: .init(nanoseconds: .max)), future)
  }

  func testAGroupWaitsForWhatIsScheduledForLater() {
    let queue = DispatchQueue(label: "test")
    let group = DispatchGroup()
    let ran = Locked(false)
    queue.schedule(
      after: queue.now.advanced(by: .milliseconds(1)), tolerance: .zero, options: .init(group: group)
    ) { ran.withLock { $0 = true } }
    XCTAssertEqual(group.wait(timeout: .now() + 60), .success)
    XCTAssertTrue(ran.withLock { $0 })
  }
}
