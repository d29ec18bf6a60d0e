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
/// Use `subscribe(_:)` or an operator to attach to a publisher; `receive(subscriber:)` is the publisher's own side.
public protocol Publisher<Output, Failure> {
  /// The type of the values that it publishes.
  associatedtype Output
  /// The type of the failure that ends it; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Attaches a subscriber: sends it a subscription, and from then on what that subscription is asked for.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure

  /// Whether operators attach to this publisher as they are. Not for implementing: false for all but this library's own.
  static var _isDirect: Bool { get }
}

extension Publisher {
  /// A publisher from elsewhere is not direct.
  @inlinable public static var _isDirect: Bool { false }

  /// How an operator attaches to its upstream: a publisher from elsewhere gets one ``AnySubscriber``, made where all
  /// types are known.
  ///
  /// A publisher as everybody writes it keeps its subscriber in a generic class and is called through
  /// `any Subscription`, where Swift has forgotten the types. With the whole chain below as its generic argument every
  /// step of it would then run unspecialised; behind closures the chain stays specialised.
  ///
  /// Always inlined: a function through which every level of a chain passes, each with a larger type, looks to the
  /// optimiser like a specialisation without end, which it gives up (measured: 350 against 20 ns a value).
  @inlinable @inline(__always)
  public func _attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    if Self._isDirect {
      receive(subscriber: subscriber)
    } else {
      receive(subscriber: AnySubscriber(subscriber))
    }
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
  /// This library's publishers are direct.
  @inlinable public static var _isDirect: Bool { true }
}

/// The namespace of the publishers that operators make.
public enum Publishers {}
