#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

/// Counts, as the documents teach to write a publisher: a generic subscription that holds its subscriber.
struct OwnPublisher: Publisher {
  typealias Output = Int
  typealias Failure = Never
  let end: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: OwnSubscription(subscriber, end))
  }
}

private final class OwnSubscription<S: Subscriber>: Subscription where S.Input == Int {
  private var subscriber: S?
  private var next = 0
  private let end: Int
  private var demand = Subscribers.Demand.none
  private var isSending = false

  init(_ subscriber: S, _ end: Int) {
    self.subscriber = subscriber
    self.end = end
  }

  func request(_ demand: Subscribers.Demand) {
    self.demand += demand
    guard !isSending else { return }
    isSending = true
    while self.demand > 0, next < end, let subscriber {
      self.demand -= 1
      let value = next
      next += 1
      self.demand += subscriber.receive(value)
    }
    isSending = false
    guard next == end, let subscriber else { return }
    self.subscriber = nil
    subscriber.receive(completion: .finished)
  }

  func cancel() { subscriber = nil }
}
