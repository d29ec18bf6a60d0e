import Foundation
import SluiceFoundation
import SluiceTesting
import XCTest

@testable import Sluice

final class NotificationCenterTests: XCTestCase {
  private typealias Notes = TestSubscriber<Notification, Never>
  private let center = NotificationCenter()
  private let reading = Notification.Name("reading")

  func testGivesWhatIsAskedFor() {
    let initial: [Subscribers.Demand] = [.none, .max(1), .max(2), .max(10), .unlimited]
    let answers: [[Subscribers.Demand]] = [
      Array(repeating: .max(0), count: 5), Array(repeating: .max(1), count: 10),
      [.max(1), .max(0), .max(1), .max(0)], [.max(0), .max(1), .max(2)], [.unlimited, .max(1)],
    ]
    var counts: [Int] = []
    for demand in initial {
      for answer in answers {
        let seen = Locked(0)
        let subscriber = Notes(
          initial: demand,
          answer: { _ in
            seen.withLock { seen in
              defer { seen += 1 }
              return seen < answer.count ? answer[seen] : .none
            }
          })
        center.publisher(for: reading).subscribe(subscriber)
        for _ in 0..<20 { center.post(name: reading, object: nil) }
        XCTAssertEqual(subscriber.violations, [])
        counts.append(subscriber.values.count)
        subscriber.cancel()
      }
    }
    let expected = [0, 0, 0, 0, 0, 1, 11, 2, 1, 20, 2, 12, 4, 5, 20, 10, 20, 12, 13, 20, 20, 20, 20, 20, 20]
    XCTAssertEqual(counts, expected, "as in Combine")
  }

  func testOnlyThoseOfTheNameAndTheObject() {
    let (one, two) = (NSObject(), NSObject())
    let subscriber = Notes()
    center.publisher(for: reading, object: one).subscribe(subscriber)
    center.post(name: reading, object: two)
    center.post(name: Notification.Name("another"), object: one)
    center.post(name: reading, object: nil)
    XCTAssertEqual(subscriber.values.count, 0)
    center.post(name: reading, object: one, userInfo: ["value": 3])
    XCTAssertEqual(subscriber.values.map { $0.userInfo?["value"] as? Int }, [3])
    subscriber.cancel()
    center.post(name: reading, object: one)
    XCTAssertEqual(subscriber.values.count, 1)
  }

  func testOneThatIsPostedWhileAnotherIsReceivedComesAfterIt() {
    let (center, reading) = (center, reading)
    let subscriber = Notes(
      initial: .max(3),
      answer: { note in
        if let value = note.object as? Int, value < 10 { center.post(name: reading, object: value + 1) }
        return .none
      })
    center.publisher(for: reading).subscribe(subscriber)
    center.post(name: reading, object: 0)
    XCTAssertEqual(subscriber.values.compactMap { $0.object as? Int }, [0, 1, 2])
    XCTAssertEqual(subscriber.violations, [])
    subscriber.cancel()
  }

  func testManyThreadsPost() {
    let subscriber = Notes()
    center.publisher(for: reading).subscribe(subscriber)
    onThreads(4) { [center, reading] _ in
      for _ in 0..<500 { center.post(name: reading, object: nil) }
    }
    XCTAssertEqual(subscriber.values.count, 2_000)
    XCTAssertEqual(subscriber.violations, [])
    subscriber.cancel()
  }

  func testCancellingLetsGoOfEverything() {
    weak var weakCenter: NotificationCenter?
    weak var weakObject: NSObject?
    let subscriber = Notes()
    do {
      let (center, object) = (NotificationCenter(), NSObject())
      (weakCenter, weakObject) = (center, object)
      center.publisher(for: reading, object: object).subscribe(subscriber)
    }
    XCTAssertNotNil(weakCenter)
    XCTAssertNotNil(weakObject)
    subscriber.cancel()
    subscriber.cancel()
    XCTAssertNil(weakCenter)
    XCTAssertNil(weakObject)
  }

  func testWhoLetsGoOfTheSubscriptionGetsNoMore() {
    let count = Locked(0)
    let subscription = Locked((any Subscription)?.none)
    center.publisher(for: reading).subscribe(
      AnySubscriber<Notification, Never>(
        receiveSubscription: { new in subscription.withLock { $0 = new } },
        receiveValue: { _ in
          count.withLock { $0 += 1 }
          return .none
        }))
    subscription.withLock { $0 }?.request(.none)
    subscription.withLock { $0 }?.request(.unlimited)
    center.post(name: reading, object: nil)
    XCTAssertEqual(count.withLock { $0 }, 1)
    XCTAssertEqual(subscription.withLock { $0 }.map(String.init(describing:)), "NotificationCenter Observer")
    subscription.withLock { $0 = nil }
    center.post(name: reading, object: nil)
    XCTAssertEqual(count.withLock { $0 }, 1)
  }

  func testEquality() {
    let object = NSObject()
    XCTAssertEqual(center.publisher(for: reading, object: object), center.publisher(for: reading, object: object))
    XCTAssertNotEqual(center.publisher(for: reading, object: object), center.publisher(for: reading))
    XCTAssertNotEqual(center.publisher(for: reading), NotificationCenter().publisher(for: reading))
    XCTAssertNotEqual(center.publisher(for: reading), center.publisher(for: Notification.Name("another")))
  }
}
