import Sluice
import SluiceExtras
import SluiceTesting
import XCTest

final class ThrottleTests: XCTestCase {
  ///     input    0 1 2 3 4 5 6 7 8 9 (one a second)
  ///     latest   0         4         9
  ///     first    0 1         6
  func testLatestAndFirst() {
    for (latest, expected) in [(true, [0, 5, 9]), (false, [0, 1, 6])] {
      let time = VirtualTimeScheduler()
      let subject = PassthroughSubject<Int, Never>()
      let subscriber = TestSubscriber<Int, Never>()
      var left: [Int] = []
      subject.throttle(for: .seconds(5), scheduler: time, latest: latest) { left.append($0) }.subscribe(subscriber)
      for second in 0..<10 {
        subject.send(second)
        time.advance(to: at(second))
      }
      time.advance(to: at(20))
      XCTAssertEqual(subscriber.values, expected, "latest: \(latest)")
      XCTAssertEqual(Set(left).union(subscriber.values), Set(0..<10), "every value goes through or is named")
      XCTAssertEqual(left.count + subscriber.values.count, 10)
      XCTAssertEqual(subscriber.violations, [])
    }
  }

  func testAsksForEverythingAndDropsWhatNobodyWants() {
    let time = VirtualTimeScheduler()
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initial: .none)
    upstream.throttle(for: .seconds(1), scheduler: time, latest: true).subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [.unlimited])
    upstream.send(1)
    time.run()
    XCTAssertEqual(subscriber.values, [])
    subscriber.request(.max(1))
    upstream.send(2)
    time.run()
    upstream.send(3)
    time.run()
    XCTAssertEqual(subscriber.values, [2])
  }

  func testOneWhoAsksForOneAtATimeGetsTheLatest() {
    let time = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    let sink = Subscribers.PausableSink<Int, Never>(receiveCompletion: { _ in }) { value in
      values.append(value)
      return true
    }
    subject.throttle(for: .milliseconds(10), scheduler: time, latest: true).subscribe(sink)
    for value in 0..<30 {
      time.advance(to: at(0).advanced(by: .milliseconds(value)))
      subject.send(value)
    }
    XCTAssertEqual(values, [0, 9, 19])
    sink.cancel()
  }

  func testTheEndWaitsForWhatIsHeld() {
    let time = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>()
    subject.throttle(for: .seconds(5), scheduler: time, latest: true).subscribe(subscriber)
    subject.send(1)
    time.advance(to: at(1))
    subject.send(2)
    subject.send(completion: .finished)
    XCTAssertEqual(subscriber.values, [1])
    XCTAssertNil(subscriber.completion)
    time.run()
    XCTAssertEqual(subscriber.values, [1, 2])
    XCTAssertTrue(subscriber.isFinished)
  }
}
