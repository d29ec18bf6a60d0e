import Sluice
import SluiceTesting
import XCTest

final class ConcatenateTests: XCTestCase {
  /// Sends a value before its subscription.
  private struct Hasty: Publisher {
    typealias Output = Int
    typealias Failure = Never

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      _ = subscriber.receive(0)
      (1...2).publisher.subscribe(subscriber)
    }
  }

  func testWhatComesBeforeTheSubscriptionIsLeftOut() {
    let subscriber = TestSubscriber<Int, Never>()
    Hasty().prepend(9).subscribe(subscriber)
    XCTAssertEqual(subscriber.values, [9, 1, 2])
    XCTAssertTrue(subscriber.isFinished)
  }
}
