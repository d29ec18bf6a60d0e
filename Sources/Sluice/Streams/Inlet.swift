extension Operators {
  /// Where an upstream enters a core: a type of its own, so that the call specialises.
  public protocol Port<Core> {
    associatedtype Core: Operators.Core
    associatedtype Input
    associatedtype Failure: Error
    associatedtype Leftover

    var inlet: Int { get }
    /// Whether the inlet still belongs to this upstream, where another one may take it over.
    func isCurrent(_ core: Core) -> Bool
    /// What to deliver at once for this input, if nothing stands before it: the short way, without a queue.
    func pass(_ input: Input, _ core: inout Core) -> Core.Output?
    func receive(_ input: Input, _ core: inout Core) -> Leftover
    func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core)

    /// Whether it takes runs of values, by ``pass(run:_:)`` and ``receive(run:_:_:)``.
    static var takesRuns: Bool { get }
    /// What to deliver at once for a run, if nothing stands before it: one output for each input that it removes from the
    /// front of the run. Asked only while nobody drains, and if downstream takes runs.
    func pass(run: inout ArraySlice<Input>, _ core: inout Core) -> ArraySlice<Core.Output>
    /// Takes at least one value from the front of the run.
    func receive(run: inout ArraySlice<Input>, _ core: inout Core, _ leftovers: inout [Leftover])

    /// Called outside the lock with what the core threw away.
    func settle(_ leftover: Leftover)
  }
}

extension Operators.Port {
  @inlinable public func isCurrent(_ core: Core) -> Bool { true }
  @inlinable public func pass(_ input: Input, _ core: inout Core) -> Core.Output? { nil }
  @inlinable public func settle(_ leftover: Leftover) {}

  @inlinable public static var takesRuns: Bool { false }
  @inlinable public func pass(run: inout ArraySlice<Input>, _ core: inout Core) -> ArraySlice<Core.Output> { [] }
  @inlinable public func receive(run: inout ArraySlice<Input>, _ core: inout Core, _ leftovers: inout [Leftover]) {
    while let input = run.popFirst() { leftovers.append(receive(input, &core)) }
  }
}

extension Operators {
  /// The one entrance of an operator with one upstream.
  @frozen public struct OnlyPort<Core: Operators.SingleInputCore>: Operators.Port {
    @inlinable public init() {}
    @inlinable public var inlet: Int { 0 }

    @inlinable public func pass(_ input: Core.Input, _ core: inout Core) -> Core.Output? { core.pass(input) }

    @inlinable public func receive(_ input: Core.Input, _ core: inout Core) -> Core.Leftover { core.receive(input) }

    @inlinable public func receive(completion: Subscribers.Completion<Core.Failure>, _ core: inout Core) {
      core.receive(completion: completion)
    }

    @inlinable public static var takesRuns: Bool { Core.takesRuns }

    @inlinable public func pass(run: inout ArraySlice<Core.Input>, _ core: inout Core) -> ArraySlice<Core.Output> {
      core.pass(run: &run)
    }

    @inlinable public func receive(
      run: inout ArraySlice<Core.Input>, _ core: inout Core, _ leftovers: inout [Core.Leftover]
    ) {
      core.receive(run: &run, &leftovers)
    }
  }

  /// The upstream side of a ``Conduit``: a struct, so that an operator with one upstream costs one class instance.
  @frozen public struct Inlet<P: Operators.Port, Downstream: Subscriber>: Subscriber, Operators.Description
  where P.Core.Output == Downstream.Input, P.Core.Failure == Downstream.Failure {
    public typealias Input = P.Input
    public typealias Failure = P.Failure

    @usableFromInline let conduit: Operators.Conduit<P.Core, Downstream>
    @usableFromInline let port: P

    @inlinable public init(_ conduit: Operators.Conduit<P.Core, Downstream>, _ port: P) {
      self.conduit = conduit
      self.port = port
    }

    public var name: StaticString { conduit.name }
    @inlinable public var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

    @inlinable public func receive(subscription: any Subscription) {
      conduit.connect(subscription, port.inlet, if: port.isCurrent)
    }

    @inlinable public func receive(_ input: P.Input) -> Subscribers.Demand {
      conduit.feed(answering: port.inlet, passing: { port.pass(input, &$0) }, settling: port.settle) {
        port.receive(input, &$0)
      }
    }

    @inlinable public var _takesRuns: Bool { P.takesRuns }

    @inlinable public func _receive(run: ArraySlice<P.Input>) -> Operators.Taken { conduit.feed(run: run, port) }

    @inlinable public func receive(completion: Subscribers.Completion<P.Failure>) {
      conduit.disconnect(port.inlet, if: port.isCurrent)
      conduit.feed { port.receive(completion: completion, &$0) }
      conduit.giveUp(port.inlet)
    }
  }
}
