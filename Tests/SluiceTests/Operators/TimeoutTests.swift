import Sluice
import SluiceExtras
import SluiceTesting
import XCTest

final class TimeoutTests: XCTestCase {
  private let time = VirtualTimeScheduler()
  private let upstream = TestPublisher<Int, Boom>()

  private func subscriber() -> TestSubscriber<Int, Boom> {
    let subscriber = TestSubscriber<Int, Boom>()
    upstream.timeout(.seconds(5), scheduler: time, customError: { Boom() }).subscribe(subscriber)
    return subscriber
  }

  ///     input    0   2     5
  ///     output   0   2     5         10: failed
  func testSilenceCountsFromTheLastValue() {
    let subscriber = subscriber()
    for second in [0, 2, 5] {
      time.advance(to: at(second))
      upstream.send(second)
    }
    time.advance(to: at(9))
    XCTAssertEqual(subscriber.values, [0, 2, 5])
    XCTAssertNil(subscriber.completion)
    time.advance(to: at(10))
    XCTAssertEqual(subscriber.failure, Boom())
    XCTAssertEqual(upstream.cancels, 1)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testSilenceFromTheBeginning() {
    let subscriber = subscriber()
    time.advance(to: at(5))
    XCTAssertEqual(subscriber.failure, Boom())
  }

  func testTheEndComesBeforeTheTimeout() {
    let subscriber = subscriber()
    upstream.send(completion: .finished)
    time.run()
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(subscriber.violations, [])
  }
}
