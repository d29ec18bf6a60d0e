import Foundation
import SluiceFoundation
import SluiceTesting
import XCTest

@testable import Sluice

final class TimerTests: XCTestCase {
  private typealias Dates = TestSubscriber<Date, Never>

  /// Runs the main run loop until so many more ticks of a timer have come, at most a minute.
  private func wait(for count: Int, ticksOf timer: some Publisher<Date, Never>) {
    let ticks = expectation(description: "\(count) ticks")
    ticks.expectedFulfillmentCount = count
    let cancellable = timer.prefix(count).sink { _ in ticks.fulfill() }
    wait(for: [ticks], timeout: 60)
    cancellable.cancel()
  }

  func testWhoAsksForThreeAfterADelayGetsThree() {
    let timer = Timer.publish(every: 0.002, on: .main, in: .default).autoconnect()
    let subscriber = Dates(initial: .none)
    timer.subscribe(subscriber)
    wait(for: 3, ticksOf: timer)
    XCTAssertEqual(subscriber.values, [])

    let asked = Date()
    subscriber.request(.max(3))
    wait(for: 6, ticksOf: timer)
    XCTAssertEqual(subscriber.values.count, 3)
    XCTAssertEqual(subscriber.values, subscriber.values.sorted())
    XCTAssertTrue(subscriber.values.allSatisfy { $0 >= asked })
    XCTAssertNil(subscriber.completion)
    XCTAssertEqual(subscriber.violations, [])
    subscriber.cancel()
  }

  func testStartsWhenConnectedAndGivesAllTheSameDate() {
    let timer = Timer.TimerPublisher(interval: 0.002, tolerance: 0.001, runLoop: .main, mode: .default)
    let (first, second) = (Dates(), Dates())
    timer.subscribe(first)
    timer.subscribe(second)
    // Another timer shows that time passes.
    wait(for: 3, ticksOf: Timer.publish(every: 0.002, on: .main, in: .default).autoconnect())
    XCTAssertEqual(first.values, [])

    let connection = timer.connect()
    wait(for: 3, ticksOf: timer)
    connection.cancel()
    XCTAssertGreaterThanOrEqual(first.values.count, 3)
    XCTAssertEqual(first.values, second.values)
  }

  func testRunsOnIfTheConnectionIsLetGoOf() {
    let timer = Timer.publish(every: 0.002, on: .main, in: .default)
    _ = timer.connect()
    wait(for: 2, ticksOf: timer)
  }

  func testCancellingTheConnectionLetsGoOfAll() {
    weak var weakToken: NSObject?
    let timer = Timer.publish(every: 0.002, on: .main, in: .default)
    let connection = timer.connect()
    do {
      let token = NSObject()
      weakToken = token
      timer.subscribe(
        AnySubscriber<Date, Never>(
          receiveSubscription: { $0.request(.unlimited) },
          receiveValue: { [token] _ in
            _ = token
            return .none
          }))
    }
    wait(for: 1, ticksOf: timer)
    XCTAssertNotNil(weakToken)
    connection.cancel()
    XCTAssertNil(weakToken)
  }

  func testCancellingOneSubscriptionLeavesTheOthers() {
    let timer = Timer.publish(every: 0.002, on: .main, in: .default)
    let connection = timer.connect()
    let subscriber = Dates()
    timer.subscribe(subscriber)
    subscriber.cancel()
    wait(for: 2, ticksOf: timer)
    XCTAssertEqual(subscriber.values, [])
    connection.cancel()
  }

  func testTakesARequestForNothing() {
    let timer = Timer.publish(every: 1, tolerance: 0.1, on: .main, in: .common)
    XCTAssertNil(timer.tolerance, "as in Combine")
    let subscriber = Dates(initial: .none)
    timer.subscribe(subscriber)
    subscriber.request(.none)
    XCTAssertTrue(subscriber.isSubscribed)
    subscriber.cancel()
  }
}
