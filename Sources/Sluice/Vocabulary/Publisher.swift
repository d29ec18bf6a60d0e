/// A source of values over time. It ends by finishing or by failing.
///
/// Write your own publisher if none of the built-in ones fits. Implement `receive(subscriber:)`: give the subscriber a
/// ``Subscription`` that delivers only as many values as were requested.
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
  /// The type of its values.
  associatedtype Output
  /// The type of the failure that ends it; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Attaches a subscriber. It sends a subscription, which then delivers the requested values.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure

  /// Whether operators attach to this publisher directly. Do not implement it: only publishers of this library return
  /// true.
  static var _isDirect: Bool { get }
}

extension Publisher {
  /// By default a publisher is not direct.
  @inlinable public static var _isDirect: Bool { false }

  /// Attaches an operator to its upstream. A publisher from elsewhere gets one ``AnySubscriber``, made where all types
  /// are known.
  ///
  /// A foreign publisher keeps its subscriber in a generic class, and is called through `any Subscription`, where Swift
  /// has no type information. If the whole chain below were its generic argument, every step of the chain would be
  /// unspecialised. Behind closures the chain stays specialised.
  ///
  /// Always inlined. Every level of a chain calls this function with a larger type. To the optimiser this looks like an
  /// endless specialisation, so it would give up (measured: 350 instead of 20 ns per value).
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
