import Measurement

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

/// Asks for values when it is told to.
final class PullingSubscriber: Subscriber {
  private var subscription: (any Subscription)?
  private let checksum: Checksum

  init(_ checksum: Checksum) { self.checksum = checksum }

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Int) -> Subscribers.Demand {
    checksum.add(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { subscription = nil }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

  func cancel() { subscription?.cancel() }
}
