extension Operators {
  /// One input of a core. Each input has a type, so that the calls specialise.
  public protocol Port<Core> {
    /// The type of the core.
    associatedtype Core: Operators.Core
    /// The type of upstream's values.
    associatedtype Input
    /// The type of upstream's failure.
    associatedtype Failure: Error
    /// The type of the values that the core discards for an input.
    associatedtype Leftover

    /// The number of upstream's inlet.
    var inlet: Int { get }
    /// Whether the inlet still belongs to this upstream, if another one may take it over.
    func isCurrent(_ core: Core) -> Bool
    /// The value to deliver at once for this input, if nothing waits before it: the fast path, without a queue.
    func pass(_ input: Input, _ core: inout Core) -> Core.Output?
    /// Gives the core an input, and returns discarded values.
    func receive(_ input: Input, _ core: inout Core) -> Leftover
    /// Notes upstream's end.
    func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core)

    /// Whether it takes runs of values, by ``pass(run:_:)`` and ``receive(run:_:_:)``.
    static var takesRuns: Bool { get }
    /// The values to deliver at once for a run, if nothing waits before them: one output for each input that it removes
    /// from the front of the run. It is called only while nothing is being delivered, and only if downstream takes
    /// runs.
    func pass(run: inout ArraySlice<Input>, _ core: inout Core) -> ArraySlice<Core.Output>
    /// Takes at least one value from the front of the run.
    func receive(run: inout ArraySlice<Input>, _ core: inout Core, _ leftovers: inout [Leftover])

    /// Called outside the lock with the discarded values.
    func settle(_ leftover: Leftover)
  }
}

extension Operators.Port {
  /// By default an inlet keeps its upstream.
  @inlinable public func isCurrent(_ core: Core) -> Bool { true }
  /// By default no input is delivered at once.
  @inlinable public func pass(_ input: Input, _ core: inout Core) -> Core.Output? { nil }
  /// By default discarded values are only released.
  @inlinable public func settle(_ leftover: Leftover) {}

  /// By default single values are taken.
  @inlinable public static var takesRuns: Bool { false }
  /// By default no run is delivered at once.
  @inlinable public func pass(run: inout ArraySlice<Input>, _ core: inout Core) -> ArraySlice<Core.Output> { [] }
  /// By default the inputs are received one by one.
  @inlinable public func receive(run: inout ArraySlice<Input>, _ core: inout Core, _ leftovers: inout [Leftover]) {
    while let input = run.popFirst() { leftovers.append(receive(input, &core)) }
  }
}

extension Operators {
  /// The only input of an operator with one upstream.
  @frozen public struct OnlyPort<Core: Operators.SingleInputCore>: Operators.Port {
    /// Makes the port.
    @inlinable public init() {}
    /// The only inlet.
    @inlinable public var inlet: Int { 0 }

    /// The value that the core delivers at once.
    @inlinable public func pass(_ input: Core.Input, _ core: inout Core) -> Core.Output? { core.pass(input) }

    /// Gives the core an input.
    @inlinable public func receive(_ input: Core.Input, _ core: inout Core) -> Core.Leftover { core.receive(input) }

    /// Notes upstream's end in the core.
    @inlinable public func receive(completion: Subscribers.Completion<Core.Failure>, _ core: inout Core) {
      core.receive(completion: completion)
    }

    /// Whether the core takes runs.
    @inlinable public static var takesRuns: Bool { Core.takesRuns }

    /// The values that the core delivers at once for a run.
    @inlinable public func pass(run: inout ArraySlice<Core.Input>, _ core: inout Core) -> ArraySlice<Core.Output> {
      core.pass(run: &run)
    }

    /// Gives the core a run.
    @inlinable public func receive(
      run: inout ArraySlice<Core.Input>, _ core: inout Core, _ leftovers: inout [Core.Leftover]
    ) {
      core.receive(run: &run, &leftovers)
    }
  }

  /// The upstream side of a ``Conduit``. It is a struct, so that an operator with one upstream costs one class
  /// instance.
  @frozen public struct Inlet<P: Operators.Port, Downstream: Subscriber>: Subscriber, Operators.Description
  where P.Core.Output == Downstream.Input, P.Core.Failure == Downstream.Failure {
    public typealias Input = P.Input
    public typealias Failure = P.Failure

    @usableFromInline let conduit: Operators.Conduit<P.Core, Downstream>
    @usableFromInline let port: P

    /// Makes the upstream side of a conduit.
    @inlinable public init(_ conduit: Operators.Conduit<P.Core, Downstream>, _ port: P) {
      self.conduit = conduit
      self.port = port
    }

    /// The name in debuggers.
    public var name: StaticString { conduit.name }
    @inlinable public var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

    @inlinable public func receive(subscription: any Subscription) {
      conduit.connect(subscription, port.inlet, if: { port.isCurrent($0) })
    }

    @inlinable public func receive(_ input: P.Input) -> Subscribers.Demand {
      conduit.feed(
        answering: port.inlet, passing: { port.pass(input, &$0) }, settling: { port.settle($0) },
        { port.receive(input, &$0) })
    }

    /// Whether it gains from runs of values.
    @inlinable public var _takesRuns: Bool { P.takesRuns }

    /// Receives a run of values.
    @inlinable public func _receive(run: ArraySlice<P.Input>) -> Operators.Taken { conduit.feed(run: run, port) }

    @inlinable public func receive(completion: Subscribers.Completion<P.Failure>) {
      conduit.disconnect(port.inlet, if: { port.isCurrent($0) })
      conduit.feed { port.receive(completion: completion, &$0) }
      conduit.giveUp(port.inlet)
    }
  }
}
