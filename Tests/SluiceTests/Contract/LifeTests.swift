import Sluice
import SluiceExtras
import SluiceTesting
import XCTest

/// A stream that is cancelled at any point of its life: before its subscription has come, while it comes, out of each call
/// that it makes. Nothing comes after that, upstream is cancelled once, and nothing is left behind.
final class LifeTests: XCTestCase {
  /// An upstream that tells of each call, and does what it is asked for at once.
  private final class Probe: Publisher {
    typealias Output = Token
    typealias Failure = Boom

    private struct Tie: Subscription {
      let combineIdentifier = CombineIdentifier()
      let probe: Probe
      func request(_ demand: Subscribers.Demand) {
        probe.requests += 1
        probe.onRequest()
      }
      func cancel() {
        if probe.cancels == 0 { probe.onCancel() }
        probe.cancels += 1
      }
    }

    private(set) var subscriptions = 0
    private(set) var requests = 0
    private(set) var cancels = 0
    var hasEnded = false
    var onRequest: () -> Void = {}
    var onCancel: () -> Void = {}
    private var subscribers: [AnySubscriber<Token, Boom>] = []

    func receive<S: Subscriber>(subscriber: S) where S.Input == Token, S.Failure == Boom {
      subscriptions += 1
      subscribers.append(AnySubscriber(subscriber))
      subscriber.receive(subscription: Tie(probe: self))
    }

    /// Unless it was cancelled or has ended.
    func send(_ token: Token) {
      guard cancels == 0, !hasEnded else { return }
      for subscriber in subscribers { _ = subscriber.receive(token) }
    }

    func finish() {
      guard cancels == 0, !hasEnded else { return }
      hasEnded = true
      for subscriber in subscribers { subscriber.receive(completion: .finished) }
    }

    func disconnect() {
      subscribers = []
      onRequest = {}
      onCancel = {}
    }
  }

  /// Attaches each operator to a probe, drives it, and looks what is left.
  ///
  /// - Parameter late: Whether upstream's subscription comes only when the scheduler runs.
  private func each(
    where wanted: (OperatorRow) -> Bool = { _ in true }, late: Bool = false, line: UInt = #line,
    _ prepare: (OperatorRow, Probe, Guest) -> Void,
    drive: (Probe, Guest, VirtualTimeScheduler) -> Void
  ) {
    for row in OperatorRow.all where wanted(row) {
      let before = Token.alive
      let scheduler = VirtualTimeScheduler()
      func run() {
        let (probe, guest) = (Probe(), Guest())
        prepare(row, probe, guest)
        let upstream = late ? AnyPublisher(LateSubscription(probe, on: scheduler)) : AnyPublisher(probe)
        row.make(.init(upstream: upstream, tokens: OperatorRow.tokens(8), scheduler: scheduler)).subscribe(guest)
        drive(probe, guest, scheduler)
        scheduler.advance(by: .milliseconds(2))
        XCTAssertEqual(guest.callsTooLate, 0, "\(row.name): nothing comes after it", line: line)
        XCTAssertEqual(scheduler.scheduledCount, 0, "\(row.name): left in the scheduler", line: line)
        if guest.isCancelled || guest.hasEnded, !probe.hasEnded {
          let least = probe.subscriptions
          XCTAssertGreaterThanOrEqual(probe.cancels, least, "\(row.name): upstream goes on", line: line)
        }
        guest.subscription = nil
        probe.disconnect()
      }
      run()
      XCTAssertEqual(Token.alive, before, "\(row.name): everything is let go of", line: line)
    }
  }

  /// Four values, and time for each.
  private func send(_ probe: Probe, _ scheduler: VirtualTimeScheduler) {
    scheduler.advance(by: .zero)
    for number in 0..<4 {
      probe.send(Token(number))
      scheduler.advance(by: .milliseconds(1))
    }
  }

  /// Many have their subscription before upstream has answered.
  func testCancelledBeforeUpstreamsSubscriptionHasCome() {
    var early = 0
    each(late: true) { _, _, _ in
    } drive: { probe, guest, scheduler in
      if guest.subscription != nil { early += 1 }
      guest.cancel()
      scheduler.advance(by: .zero)
      if guest.subscription != nil { guest.cancel() }
      probe.send(Token())
    }
    XCTAssertGreaterThan(early, 5, "those that open before")
  }

  func testCancelledWhileItIsGivenItsSubscription() {
    each { _, _, guest in
      guest.onSubscription = { $0.cancel() }
    } drive: { probe, guest, scheduler in
      send(probe, scheduler)
      XCTAssertEqual(guest.calls, 0)
    }
  }

  func testCancelledAfterItHasAskedWhileItIsGivenItsSubscription() {
    each { _, _, guest in
      guest.onSubscription = {
        $0.subscription?.request(.unlimited)
        $0.cancel()
        $0.subscription?.request(.unlimited)
      }
    } drive: { probe, guest, scheduler in
      send(probe, scheduler)
    }
  }

  func testCancelledOutOfARequestToUpstream() {
    each { row, probe, guest in
      probe.onRequest = { [unowned guest] in if guest.subscription != nil { guest.cancel() } }
    } drive: { probe, guest, scheduler in
      scheduler.advance(by: .zero)
      if !guest.isCancelled { guest.cancel() }
      send(probe, scheduler)
    }
  }

  /// What is thin in Combine lets through what such an upstream sends, as it does there.
  private let thin: Set<String> = [
    "Map", "TryMap", "MapKeyPath", "MapKeyPath2", "MapKeyPath3", "MapError", "SetFailureType", "AssertNoFailure",
    "Scan",
    "TryScan", "HandleEvents", "Print", "Breakpoint", "Filter", "CompactMap", "Output", "IgnoreOutput", "AnyPublisher",
    "Deferred",
  ]

  func testUpstreamSendsAndEndsOutOfItsCancellation() {
    each(where: { !thin.contains($0.name) }) { _, probe, _ in
      probe.onCancel = { [unowned probe] in
        probe.send(Token())
        probe.finish()
      }
    } drive: { probe, guest, scheduler in
      scheduler.advance(by: .zero)
      probe.send(Token(0))
      scheduler.advance(by: .milliseconds(1))
      guest.cancel()
    }
  }

  func testCancelledFromWithinAValueDuringWhichUpstreamSendsAndEnds() {
    each { _, probe, guest in
      guest.onValue = { [unowned probe] guest in
        guard guest.calls == 1 else { return }
        probe.send(Token(7))
        probe.finish()
        guest.cancel()
      }
    } drive: { probe, _, scheduler in
      send(probe, scheduler)
    }
  }

  func testCancelledAndAskedFromWithinTheEnd() {
    each { _, _, guest in
      guest.onEnd = {
        $0.cancel()
        $0.subscription?.request(.unlimited)
      }
    } drive: { probe, guest, scheduler in
      send(probe, scheduler)
      probe.finish()
      scheduler.advance(by: .milliseconds(2))
      XCTAssertTrue(guest.hasEnded)
    }
  }
}
