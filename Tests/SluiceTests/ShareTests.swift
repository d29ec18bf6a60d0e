import Sluice
import SluiceTesting
import XCTest

final class ShareTests: XCTestCase {
  /// As everybody writes it: nothing keeps the shared publisher but the subscription.
  func testASharedPublisherThatNobodyKeeps() {
    func check<P: Publisher>(_ name: String, _ make: (PassthroughSubject<Int, Never>) -> P)
    where P.Output == Int, P.Failure == Never {
      let subject = PassthroughSubject<Int, Never>()
      var seen: [Int] = []
      var finished = false
      let cancellable = make(subject).sink(
        receiveCompletion: { _ in finished = true }, receiveValue: { seen.append($0) })
      subject.send(1)
      subject.send(2)
      subject.send(completion: .finished)
      XCTAssertEqual(seen, [1, 2], name)
      XCTAssertTrue(finished, name)
      withExtendedLifetime(cancellable) {}
    }
    check("share") { $0.share() }
    check("share, erased") { $0.share().eraseToAnyPublisher() }
    check("shareReplay") { $0.shareReplay(capacity: 2) }
    check("autoconnect") { $0.multicast { PassthroughSubject() }.autoconnect() }
    check("makeConnectable") { $0.makeConnectable().autoconnect() }
  }

  func testOneSubscriptionForAllAndNoneAfterTheLast() {
    let upstream = TestPublisher<Int, Never>()
    let shared = upstream.share()
    let (first, second) = (TestSubscriber<Int, Never>(), TestSubscriber<Int, Never>())
    shared.subscribe(first)
    shared.subscribe(second)
    upstream.send(1)
    first.cancel()
    upstream.send(2)
    XCTAssertEqual(upstream.cancels, 0)
    second.cancel()
    XCTAssertEqual(upstream.cancels, 1)
    XCTAssertEqual(first.values, [1])
    XCTAssertEqual(second.values, [1, 2])
    XCTAssertEqual(upstream.requests, [.unlimited])
  }
}
