import Sluice

/// The upstream side of a conduit whose core takes something made of each element.
///
/// What is the user's, such as the closures that say an element's time and key, runs here, outside the conduit's lock.
@usableFromInline
struct PreparedInlet<P: Port, Downstream: Subscriber, Input>: Subscriber, OperatorDescription
where P.Core.Output == Downstream.Input, P.Core.Failure == Downstream.Failure {
  @usableFromInline typealias Failure = P.Failure

  @usableFromInline let inlet: Inlet<P, Downstream>
  @usableFromInline let prepare: (Input) -> P.Input

  @inlinable init(_ conduit: Conduit<P.Core, Downstream>, _ port: P, prepare: @escaping (Input) -> P.Input) {
    inlet = Inlet(conduit, port)
    self.prepare = prepare
  }

  @usableFromInline var name: StaticString { inlet.name }
  @inlinable var combineIdentifier: CombineIdentifier { inlet.combineIdentifier }

  @inlinable func receive(subscription: any Subscription) { inlet.receive(subscription: subscription) }
  @inlinable func receive(_ input: Input) -> Subscribers.Demand { inlet.receive(prepare(input)) }
  @inlinable func receive(completion: Subscribers.Completion<P.Failure>) { inlet.receive(completion: completion) }
}

/// An element with its time and key.
@usableFromInline
struct StampedElement<Element, Time, Key> {
  @usableFromInline let element: Element
  @usableFromInline let time: Time
  @usableFromInline let key: Key?

  @inlinable init(_ element: Element, _ time: Time, _ key: Key?) {
    self.element = element
    self.time = time
    self.key = key
  }
}
