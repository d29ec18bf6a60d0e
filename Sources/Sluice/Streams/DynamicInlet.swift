extension Operators {
  /// The core of an operator that gets more upstreams while it runs: it makes publishers from upstream's values.
  ///
  /// Inlet 0 belongs to its upstream. ``DynamicInlet`` opens the others, one for each publisher.
  public protocol DynamicCore<Output, Failure>: Core {
    /// The port of one of the publishers.
    associatedtype NewPort: Port where NewPort.Core == Self, NewPort.Failure == Failure

    /// Whether the next value should become a publisher.
    var takesMore: Bool { get }
    /// Chooses the inlet of another publisher: a new one, or one in use, which cancels its publisher.
    mutating func add() -> NewPort
    /// Notes upstream's end.
    mutating func receive(completion: Subscribers.Completion<Failure>)
  }

  /// The upstream side of an operator that subscribes to a publisher for each value.
  @frozen
  public struct DynamicInlet<
    Input, NewPublisher: Publisher, Core: DynamicCore, Downstream: Subscriber
  >: Subscriber, Description
  where
    Core.Output == Downstream.Input, Core.Failure == Downstream.Failure, NewPublisher.Output == Core.NewPort.Input,
    NewPublisher.Failure == Core.Failure
  {
    /// The failure of the operator, which is also upstream's.
    public typealias Failure = Core.Failure

    @usableFromInline let conduit: Conduit<Core, Downstream>
    @usableFromInline let transform: (Input) -> NewPublisher

    /// - Parameter transform: Makes a publisher from a value; called on upstream's thread, without a lock.
    @inlinable public init(_ conduit: Conduit<Core, Downstream>, transform: @escaping (Input) -> NewPublisher) {
      self.conduit = conduit
      self.transform = transform
    }

    /// The name of the operator.
    public var name: StaticString { conduit.name }
    @inlinable public var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

    /// Connects upstream.
    @inlinable public func receive(subscription: any Subscription) { conduit.connect(subscription, 0) }

    /// Makes a publisher from the value, and subscribes to it.
    @inlinable public func receive(_ input: Input) -> Subscribers.Demand {
      guard conduit.state.withLock({ $0.core?.takesMore == true }) else { return .none }
      let publisher = transform(input)
      if let port = conduit.addInlet({ $0.add() }) { publisher._attach(Inlet(conduit, port)) }
      return .none
    }

    /// Tells the core that upstream has ended.
    @inlinable public func receive(completion: Subscribers.Completion<Failure>) {
      conduit.disconnect(0)
      conduit.feed { $0.receive(completion: completion) }
    }
  }
}

extension Operators.DynamicCore {
  /// By default, every value becomes a publisher.
  @inlinable public var takesMore: Bool { true }
}
