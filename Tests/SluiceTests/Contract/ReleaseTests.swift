import Sluice
import SluiceExtras
import SluiceTesting
import XCTest

/// Publishers that are classes: an operator's subscription keeps upstream's subscription, not the publisher.
final class ReleaseTests: XCTestCase {
  /// Keeps its subscribers, as a relay does, and is known to their subscriptions weakly.
  private final class Relay: Publisher {
    typealias Output = Token
    typealias Failure = Boom

    private var subscribers: [AnySubscriber<Token, Boom>] = []

    private struct Tie: Subscription {
      let combineIdentifier = CombineIdentifier()
      weak var relay: Relay?
      func request(_ demand: Subscribers.Demand) {}
      func cancel() { relay?.subscribers = [] }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Token, S.Failure == Boom {
      subscribers.append(AnySubscriber(subscriber))
      subscriber.receive(subscription: Tie(relay: self))
    }

    func send(_ token: Token) { for subscriber in subscribers { _ = subscriber.receive(token) } }
  }

  /// Those that subscribe again, or for several subscribers, need the publisher as long as they live.
  private let keepers: Set<String> = [
    "Retry", "Multicast", "Autoconnect", "MakeConnectable", "Share", "ShareReplay", "Part",
  ]

  func testAClassPublisherIsReleased() {
    for row in OperatorRow.all {
      let scheduler = VirtualTimeScheduler()
      let subscriber = TestSubscriber<Any, any Error>()
      weak var released: Relay?
      func run() {
        let relay = Relay()
        released = relay
        row.make(
          .init(upstream: AnyPublisher(relay), tokens: OperatorRow.tokens(8), scheduler: scheduler)
        ).subscribe(subscriber)
        scheduler.advance(by: .zero)
        relay.send(Token(1))
        scheduler.advance(by: .milliseconds(1))
      }
      run()
      if !keepers.contains(row.name) { XCTAssertNil(released, "\(row.name): before the cancel") }
      subscriber.cancel()
      scheduler.advance(by: .zero)
      XCTAssertNil(released, "\(row.name): after the cancel")
    }
  }
}
