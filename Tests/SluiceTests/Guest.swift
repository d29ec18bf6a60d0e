import Sluice

/// Does something with its subscription as it comes, and counts what comes after that.
final class Guest: Subscriber, Cancellable {
  var subscription: (any Subscription)?
  var onSubscription: (Guest) -> Void = { $0.subscription?.request(.unlimited) }
  var onValue: (Guest) -> Void = { _ in }
  var onEnd: (Guest) -> Void = { _ in }
  private(set) var isCancelled = false
  private(set) var hasEnded = false
  private(set) var calls = 0
  private(set) var callsTooLate = 0

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    onSubscription(self)
  }

  func receive(_ input: Any) -> Subscribers.Demand {
    note()
    onValue(self)
    return .none
  }

  func receive(completion: Subscribers.Completion<any Error>) {
    note()
    hasEnded = true
    onEnd(self)
  }

  private func note() {
    calls += 1
    if isCancelled || hasEnded { callsTooLate += 1 }
  }

  func cancel() {
    isCancelled = true
    subscription?.cancel()
  }
}
