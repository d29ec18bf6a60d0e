import Sluice
import SluiceRecording
import Synchronization

/// Lets at most a number of readings in, over all streams, and says when the last one has come.
final class Quota: Sendable {
  private let left: Atomic<Int>
  private let reached: @Sendable () -> Void

  init(_ count: Int, reached: @escaping @Sendable () -> Void) {
    left = Atomic(count)
    self.reached = reached
  }

  func admit() -> Bool {
    let left = left.subtract(1, ordering: .relaxed).newValue
    if left == 0 { reached() }
    return left >= 0
  }
}

extension Publisher where Output == Reading, Failure == SluiceError {
  /// Counts readings in; a failure is reported and becomes an end, so that what was received is still written.
  func intake(
    _ ledgers: [StreamLedger], quota: Quota?, failed: @escaping (SluiceError) -> Void
  ) -> Publishers.Intake<Self> {
    Publishers.Intake(upstream: self, ledgers: ledgers, quota: quota, failed: failed)
  }
}

extension Publishers {
  struct Intake<Upstream: Publisher>: _DirectPublisher
  where Upstream.Output == Reading, Upstream.Failure == SluiceError {
    typealias Output = Reading
    typealias Failure = Never

    let upstream: Upstream
    let ledgers: [StreamLedger]
    let quota: Quota?
    let failed: (SluiceError) -> Void

    func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
      upstream._attach(IntakeSubscriber(downstream: subscriber, ledgers: ledgers, quota: quota, failed: failed))
    }
  }
}

private struct IntakeSubscriber<Downstream: Subscriber>: Subscriber
where Downstream.Input == Reading, Downstream.Failure == Never {
  let downstream: Downstream
  let ledgers: [StreamLedger]
  let quota: Quota?
  let failed: (SluiceError) -> Void

  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  func receive(_ input: Reading) -> Subscribers.Demand {
    let index = Int(input.stream.index)
    guard index < ledgers.count, quota?.admit() ?? true else { return .max(1) }
    ledgers[index].received.add(1, ordering: .relaxed)
    return downstream.receive(input)
  }

  func receive(completion: Subscribers.Completion<SluiceError>) {
    if case .failure(let error) = completion { failed(error) }
    downstream.receive(completion: .finished)
  }
}
