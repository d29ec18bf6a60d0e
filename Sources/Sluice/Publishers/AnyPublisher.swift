/// A publisher with a type that shows only its values and its failure.
///
/// ```swift
/// let evens: AnyPublisher<Int, Never> = (1...10).publisher.filter { $0 % 2 == 0 }.eraseToAnyPublisher()
/// ```
///
/// It costs one call of a closure per value.
public struct AnyPublisher<Output, Failure: Error>: _DirectPublisher, CustomStringConvertible,
  CustomPlaygroundDisplayConvertible
{
  // The closures are made where the types are known. Below them, no code is generic over a publisher or a subscriber.
  @usableFromInline let attach: (AnySubscriber<Output, Failure>) -> Void

  /// Hides the type of a publisher.
  @inlinable public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    if let erased = publisher as? AnyPublisher<Output, Failure> {
      self = erased
    } else {
      attach = { publisher._attach($0) }
    }
  }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    attach(AnySubscriber(subscriber))
  }

  public var description: String { "AnyPublisher" }
  public var playgroundDescription: Any { description }
}

extension Publisher {
  /// Hides the type of this publisher.
  @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}
