/// A subscriber made of closures, or one whose type is hidden.
///
/// ```swift
/// let subscriber = AnySubscriber<Int, Never>(
///   receiveSubscription: { $0.request(.max(2)) },
///   receiveValue: { print($0); return .none })
/// (1...5).publisher.subscribe(subscriber)  // 1 2
/// ```
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
  @usableFromInline let box: AnySubscriberBox<Input, Failure>

  /// Hides the type of a subscriber.
  @inlinable public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    if let erased = subscriber as? AnySubscriber<Input, Failure> {
      self = erased
      return
    }
    box = AnySubscriberBox(
      combineIdentifier: subscriber.combineIdentifier, subscriber: { subscriber },
      onSubscription: { subscriber.receive(subscription: $0) }, onValue: { subscriber.receive($0) },
      onRun: subscriber._takesRuns ? { subscriber._receive(run: $0) } : nil,
      onCompletion: { subscriber.receive(completion: $0) })
  }

  /// A subscriber that feeds a subject.
  @inlinable public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
    self.init(SubjectSubscriber(subject))
  }

  /// Makes a subscriber from closures.
  @inlinable public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    box = AnySubscriberBox(
      combineIdentifier: CombineIdentifier(), subscriber: nil,
      onSubscription: receiveSubscription ?? { _ in }, onValue: receiveValue ?? { _ in .none },
      onRun: nil, onCompletion: receiveCompletion ?? { _ in })
  }

  @inlinable public var combineIdentifier: CombineIdentifier { box.combineIdentifier }
  @inlinable public func receive(subscription: any Subscription) { box.onSubscription(subscription) }
  @inlinable public func receive(_ input: Input) -> Subscribers.Demand { box.onValue(input) }
  @inlinable public func receive(completion: Subscribers.Completion<Failure>) { box.onCompletion(completion) }

  /// Whether it gains from runs of values.
  @inlinable public var _takesRuns: Bool { box.onRun != nil }
  /// Receives a run of values.
  @inlinable public func _receive(run: ArraySlice<Input>) -> Operators.Taken {
    box.onRun?(run) ?? _receiveEach(of: run) { true }
  }
}

/// The descriptions are those of the hidden subscriber.
extension AnySubscriber: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  public var description: String {
    guard let subscriber = box.subscriber?() else { return "Anonymous AnySubscriber" }
    return (subscriber as? any CustomStringConvertible)?.description ?? String(describing: type(of: subscriber))
  }

  public var customMirror: Mirror {
    guard let subscriber = box.subscriber?() else { return Mirror(reflecting: description) }
    return (subscriber as? any CustomReflectable)?.customMirror ?? Mirror(subscriber, children: EmptyCollection())
  }

  public var playgroundDescription: Any {
    (box.subscriber?() as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
  }
}

/// Closures made where the types are known, in one box. Passing three closures costs three retains, one box costs one.
@usableFromInline
final class AnySubscriberBox<Input, Failure: Error> {
  @usableFromInline let combineIdentifier: CombineIdentifier
  @usableFromInline let subscriber: (() -> Any)?
  @usableFromInline let onSubscription: (any Subscription) -> Void
  @usableFromInline let onValue: (Input) -> Subscribers.Demand
  @usableFromInline let onRun: ((ArraySlice<Input>) -> Operators.Taken)?
  @usableFromInline let onCompletion: (Subscribers.Completion<Failure>) -> Void

  @inlinable init(
    combineIdentifier: CombineIdentifier, subscriber: (() -> Any)?,
    onSubscription: @escaping (any Subscription) -> Void, onValue: @escaping (Input) -> Subscribers.Demand,
    onRun: ((ArraySlice<Input>) -> Operators.Taken)?,
    onCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.combineIdentifier = combineIdentifier
    self.subscriber = subscriber
    self.onSubscription = onSubscription
    self.onValue = onValue
    self.onRun = onRun
    self.onCompletion = onCompletion
  }
}
