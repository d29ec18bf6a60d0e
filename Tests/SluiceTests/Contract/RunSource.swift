@testable import Sluice

/// An upstream that hands runs of its values down. May be asked and cancelled by any thread; one thread sends.
final class RunSource: Subscription, @unchecked Sendable {
  // The lock protects the state; the subscriber is called outside it.

  private struct State {
    var subscriber: AnySubscriber<Token, Boom>?
    var isAttached = false
    var demand = Subscribers.Demand.none
    var isCancelled = false
  }

  private let state = Locked(State())

  var demand: Subscribers.Demand { state.withLock { $0.demand } }
  var isCancelled: Bool { state.withLock { $0.isCancelled } }
  var publisher: AnyPublisher<Token, Boom> { AnyPublisher(Upstream(source: self)) }

  private struct Upstream: Publisher {
    typealias Output = Token
    typealias Failure = Boom
    let source: RunSource

    func receive<S: Subscriber>(subscriber: S) where S.Input == Token, S.Failure == Boom {
      let isFirst = source.state.withLock { state in
        defer { state.isAttached = true }
        if !state.isAttached { state.subscriber = AnySubscriber(subscriber) }
        return !state.isAttached
      }
      // Only the first is served; operators that subscribe again wait.
      subscriber.receive(subscription: isFirst ? source : Subscriptions.empty)
    }
  }

  func request(_ demand: Subscribers.Demand) { state.withLock { $0.demand += demand } }

  func cancel() {
    let subscriber = state.withLock { state in
      state.isCancelled = true
      defer { state.subscriber = nil }
      return state.subscriber
    }
    withExtendedLifetime(subscriber) {}  // let go of outside the lock
  }

  /// - Parameter run: At most as many as are wanted.
  /// - Returns: How many were taken.
  func send(run: [Token]) -> Int {
    let subscriber = state.withLock { state in
      // Before they are handed down, as with single values: what they are answered with comes on top.
      if state.subscriber != nil { state.demand -= run.count }
      return state.subscriber
    }
    guard let subscriber else { return 0 }
    let taken = subscriber._receive(run: run[...]) { !isCancelled }
    state.withLock { $0.demand += taken.demand }
    return taken.count
  }

  func send(completion: Subscribers.Completion<Boom>) {
    let subscriber = state.withLock { state in
      defer { state.subscriber = nil }
      return state.subscriber
    }
    subscriber?.receive(completion: completion)
  }
}
