public import Sluice

/// An upstream under the control of a test. It sends any value, even without demand, and records the demand.
///
/// ```swift
/// let upstream = TestPublisher<Int, Never>()
/// upstream.filter { $0 > 1 }.subscribe(TestSubscriber(initial: .max(1)))
/// upstream.requests     // [.max(1)]
/// upstream.send(1)      // .max(1): the filter wants another
/// ```
///
/// It takes one subscriber at a time. Two threads may use it at once only for sending.
public final class TestPublisher<Output, Failure: Error>: Publisher, @unchecked Sendable {
  // The lock protects the records. The closures are set during the subscription, before anything is sent.
  private struct Record {
    var requests: [Subscribers.Demand] = []
    var answers = Subscribers.Demand.none
    var cancels = 0
  }
  /// The subscription that its subscriber gets.
  public struct Subscription: Sluice.Subscription {
    public let combineIdentifier = CombineIdentifier()
    fileprivate let publisher: TestPublisher

    /// Records a request.
    public func request(_ demand: Subscribers.Demand) { publisher.requested(demand) }
    /// Records the cancel.
    public func cancel() { publisher.cancelled() }
  }

  private let record = Locked(Record())
  private var subscriber: AnySubscriber<Output, Failure>?
  /// Called during each request.
  public var onRequest: ((Subscribers.Demand) -> Void)?

  /// Makes a publisher without a subscriber.
  public init() {}

  /// The demand of each request.
  public var requests: [Subscribers.Demand] { record.withLock { $0.requests } }
  /// The sum of all demand, from requests and from the returns of values.
  public var demand: Subscribers.Demand { record.withLock { $0.requests.reduce($0.answers, +) } }
  /// The number of cancellations.
  public var cancels: Int { record.withLock { $0.cancels } }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    self.subscriber = AnySubscriber(subscriber)
    subscriber.receive(subscription: Subscription(publisher: self))
  }

  /// Gives the subscriber another subscription, which it should cancel.
  /// - Returns: The number of its cancellations.
  public func subscribeAgain() -> Int {
    let second = TestPublisher<Output, Failure>()
    subscriber?.receive(subscription: Subscription(publisher: second))
    return second.cancels
  }

  /// - Returns: The demand that the subscriber returns.
  @discardableResult public func send(_ value: Output) -> Subscribers.Demand {
    let answer = subscriber?.receive(value) ?? .none
    record.withLock { $0.answers += answer }
    return answer
  }

  /// Sends the end.
  public func send(completion: Subscribers.Completion<Failure>) { subscriber?.receive(completion: completion) }

  /// Releases the subscriber.
  public func disconnect() { subscriber = nil }

  fileprivate func requested(_ demand: Subscribers.Demand) {
    record.withLock { $0.requests.append(demand) }
    onRequest?(demand)
  }

  fileprivate func cancelled() { record.withLock { $0.cancels += 1 } }
}
