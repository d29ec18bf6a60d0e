/// The connection between one publisher and one subscriber. It takes requests and the cancel.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Requests more values, in addition to earlier requests. It may be called from within `receive(_:)`.
  func request(_ demand: Subscribers.Demand)
}

/// Ready-made subscriptions.
public enum Subscriptions {
  /// A subscription that ignores requests and cancellation, for a publisher without values.
  public static var empty: any Subscription { Empty.shared }

  private final class Empty: Subscription, Sendable, Operators.Description {
    static let shared = Empty()
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
    var name: StaticString { "Empty" }
  }
}
