import Dispatch
import PublisherRules
import SluiceTesting
import XCTest

@testable import Sluice
@testable import SluiceDispatch
@testable import SluiceExtras

final class DispatchTimerTests: XCTestCase {
  private func core(times: Subscribers.Demand = .unlimited, demand: Subscribers.Demand) -> TimerCore {
    var core = TimerCore(times: times)
    core.request(demand)
    guard case .request? = core.step() else {
      XCTFail("the source is not started")
      return core
    }
    return core
  }

  func testEmitsOnlyWhatIsWantedAndCountsTheRest() {
    var core = core(demand: .max(1))
    var ticks: [Publishers.Tick] = []
    for (periods, more) in [(UInt64(1), 0), (1, 0), (1, 2), (3, 0)] {
      core.fire(periods, at: DispatchTime(uptimeNanoseconds: 0))
      while case .deliver(let tick)? = core.step() { ticks.append(tick) }
      if more > 0 { core.request(.max(more)) }
    }
    XCTAssertEqual(ticks.map(\.number), [1, 6])
    XCTAssertEqual(ticks.map(\.missed), [0, 4], "two that nobody wanted, two that the system was late for")
  }

  func testFinishesAfterSoManyTimes() {
    var core = core(times: .max(2), demand: .unlimited)
    for _ in 0..<2 {
      core.fire(1, at: .now())
      guard case .deliver? = core.step() else { return XCTFail("no tick") }
    }
    guard case .complete(.finished)? = core.step() else { return XCTFail("no end") }
  }

  func testAFiniteTimerOnAQueue() {
    let done = expectation(description: "finished")
    let subscriber = TestSubscriber<DispatchTime, Never>(ended: { _ in done.fulfill() })
    Publishers.timer(interval: .milliseconds(2), times: .max(5)).subscribe(subscriber)
    wait(for: [done], timeout: 60)
    let times = subscriber.values.map(\.uptimeNanoseconds)
    XCTAssertEqual(times.count, 5)
    XCTAssertEqual(times, times.sorted())
    XCTAssertEqual(subscriber.violations, [])
  }

  func testNothingIsEmittedWithoutDemand() {
    let done = expectation(description: "three more")
    let seen = Locked(0)
    let subscriber = TestSubscriber<DispatchTime, Never>(
      initial: .none,
      answer: { _ in
        if seen.withLock({
          $0 += 1; return $0
        }) == 3 {
          done.fulfill()
        }
        return .none
      })
    Publishers.timer(interval: .milliseconds(1)).subscribe(subscriber)
    XCTAssertEqual(subscriber.values.count, 0)
    subscriber.request(.max(3))
    wait(for: [done], timeout: 60)
    subscriber.cancel()
    XCTAssertEqual(subscriber.values.count, 3)
    XCTAssertNil(subscriber.completion)
  }

  func testQueueTimes() {
    typealias Time = DispatchQueue.SchedulerTimeType
    let time = Time(DispatchTime(uptimeNanoseconds: 1_000_000_000))
    let later = time.advanced(by: .milliseconds(5))
    XCTAssertEqual(time.distance(to: later), .milliseconds(5))
    XCTAssertEqual(later.distance(to: time), .milliseconds(-5))
    XCTAssertEqual(DispatchQueue.SchedulerTimeType.Stride(DispatchTimeInterval.never).nanoseconds, .max)
    XCTAssertEqual(DispatchQueue.SchedulerTimeType.Stride(DispatchTimeInterval.microseconds(3)), .microseconds(3))
  }
}
