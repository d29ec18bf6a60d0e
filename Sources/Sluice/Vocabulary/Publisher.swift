/// A source of values over time, which ends by finishing or by failing.
///
/// Write your own publisher if none of the built-in ones fits: implement `receive(subscriber:)` so that it gives the
/// subscriber a ``Subscription`` that delivers only as many values as it is asked for.
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
/// Use `subscribe(_:)` or an operator to attach to a publisher; `receive(subscriber:)` is the publisher's side.
public protocol Publisher<Output, Failure> {
  /// The type of the values that it publishes.
  associatedtype Output
  /// The type of the failure that ends it; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Attaches a subscriber: sends it a subscription, which then delivers what it is asked for.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure

  /// Whether operators attach to this publisher directly. Do not implement it: only publishers of this library return
  /// true.
  static var _isDirect: Bool { get }
}

extension Publisher {
  /// A publisher from elsewhere is not direct.
  @inlinable public static var _isDirect: Bool { false }

  /// Attaches an operator to its upstream. A publisher from elsewhere gets one ``AnySubscriber``, made where all types
  /// are known.
  ///
  /// A publisher that others write keeps its subscriber in a generic class and is called through `any Subscription`,
  /// where Swift has forgotten the types. With the whole chain below as its generic argument, every step of the chain
  /// would run unspecialised; behind closures the chain stays specialised.
  ///
  /// Always inlined. Every level of a chain passes through this function, each with a larger type. To the optimiser
  /// that looks like an endless specialisation, which it gives up (measured: 350 instead of 20 ns per value).
  @inlinable @inline(__always)
  public func _attach<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    if Self._isDirect {
      receive(subscriber: subscriber)
    } else {
      receive(subscriber: AnySubscriber(subscriber))
    }
  }

  /// Attaches a subscriber to this publisher.
  ///
  /// - Parameter subscriber: Receives the subscription first.
  @inlinable public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }
}

/// A publisher of this library. Operators attach to it directly, so that whole chains specialise.
public protocol _DirectPublisher<Output, Failure>: Publisher {}

extension _DirectPublisher {
  /// This library's publishers are direct.
  @inlinable public static var _isDirect: Bool { true }
}

/// The namespace of the publishers that operators make.
public enum Publishers {}
