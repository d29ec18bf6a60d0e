/// A source of values over time, which ends by finishing or by failing.
///
/// Write one of your own when none of the built-in publishers fits: answer `receive(subscriber:)` by giving the
/// subscriber a ``Subscription`` that delivers values only as far as it is asked to.
///
/// ```swift
/// struct Dice: Publisher {
///   typealias Output = Int
///   typealias Failure = Never
///   func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
///     (1...6).publisher.receive(subscriber: subscriber)
///   }
/// }
/// ```
///
/// Use ``subscribe(_:)-4jk7n`` or an operator to attach to a publisher; `receive(subscriber:)` is the publisher's own side.
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  /// Attaches a subscriber: sends it a subscription, and from then on what that subscription is asked for.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure

  /// How an operator of this library attaches to its upstream. Not for implementing: the default hands a publisher
  /// from elsewhere one ``AnySubscriber``, made where all types are known.
  ///
  /// A publisher as everybody writes it keeps its subscriber in a generic class and is called through
  /// `any Subscription`, where Swift has forgotten the types. With the whole chain below as its generic argument every
  /// step of it would then run unspecialised; behind closures the chain stays specialised.
  func _attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  @inlinable public func _attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    receive(subscriber: AnySubscriber(subscriber))
  }

  /// Attaches a subscriber of your own to this publisher.
  ///
  /// - Parameter subscriber: Receives the subscription first, and nothing before it.
  @inlinable public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }
}

/// A publisher of this library: operators attach to it as they are, and whole chains specialise.
public protocol _DirectPublisher<Output, Failure>: Publisher {}

extension _DirectPublisher {
  @inlinable public func _attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }
}

/// The namespace of the publishers that operators make.
public enum Publishers {}
