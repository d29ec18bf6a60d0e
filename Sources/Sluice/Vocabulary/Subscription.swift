/// The connection between one publisher and one subscriber: ask it for values, or cancel it.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Asks for more values, in addition to what was asked for before. May be called from within `receive(_:)`.
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
