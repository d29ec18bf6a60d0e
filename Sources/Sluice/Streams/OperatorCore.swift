// Tier 2: operators that queue, wait, or have several inputs, and hot sources.

extension Operators {
  /// The next step for the conduit.
  ///
  /// Only the ``Outbox`` makes steps with a payload, and takes the payload.
  @frozen public struct Action: Equatable, Sendable {
    @frozen @usableFromInline package enum Kind: Equatable, Sendable {
      case deliver
      case deliverRun
      case complete
      case request(Subscribers.Demand, inlet: Int)
      case cancel(inlet: Int)
      case perform
    }

    @usableFromInline package let kind: Kind
    @inlinable package init(_ kind: Kind) { self.kind = kind }

    /// Delivers the values of ``Core/takeRun()`` in one call.
    @inlinable public static var deliverRun: Action { Action(.deliverRun) }
    /// Asks the upstream of an inlet for values.
    @inlinable public static func request(_ demand: Subscribers.Demand, inlet: Int) -> Action {
      Action(.request(demand, inlet: inlet))
    }
    /// Cancels the upstream of an inlet that is no longer needed. At the end of the stream all upstreams are cancelled.
    @inlinable public static func cancel(inlet: Int) -> Action { Action(.cancel(inlet: inlet)) }
  }

  /// The payloads of the steps of a core.
  ///
  /// Separate from ``Action``, because a generic enum with these payloads would be copied through its metadata. That
  /// took half the time of a conduit.
  @frozen public struct Outbox<Core: Operators.Core> {
    @usableFromInline var heldOutput: Core.Output?
    @usableFromInline var heldCompletion: Subscribers.Completion<Core.Failure>?
    @usableFromInline var heldEffect: Core.Effect?

    /// The value to deliver or to discard.
    @inlinable public var output: Core.Output? { heldOutput }
    /// The end.
    @inlinable public var completion: Subscribers.Completion<Core.Failure>? { heldCompletion }
    /// The effect to carry out.
    @inlinable public var effect: Core.Effect? { heldEffect }

    /// Makes an empty outbox.
    @inlinable public init() {}

    /// Delivers a value. Return the result from `next`.
    @inlinable public mutating func deliver(_ output: Core.Output) -> Operators.Action {
      assert(heldOutput == nil, "a core that discards a value answers nil, an effect or the end with it")
      heldOutput = output
      return Action(.deliver)
    }

    /// Discards a value: it is released outside the lock. The same call of `next` must return nil, an effect or the
    /// end, because there is only one place for a value.
    @inlinable public mutating func discard(_ output: Core.Output) { heldOutput = output }

    /// Ends the stream. Return the result from `next`.
    @inlinable public mutating func complete(_ completion: Subscribers.Completion<Core.Failure>) -> Operators.Action {
      heldCompletion = completion
      return Action(.complete)
    }

    /// Carries out an effect. Return the result from `next`.
    @inlinable public mutating func perform(_ effect: Core.Effect) -> Operators.Action {
      heldEffect = effect
      return Action(.perform)
    }
  }

  /// A whole operator as a value: no lock, no callback, no reference, only bookkeeping.
  ///
  /// Inputs are `mutating` methods; ``next(_:)`` returns what to do. A ``Conduit`` calls both under its lock, so
  /// neither may call foreign code. Tests drive a core directly, without threads.
  public protocol Core<Output, Failure> {
    /// The type of the values that it delivers.
    associatedtype Output
    /// The type of the failure that it ends with.
    associatedtype Failure: Error
    /// The actions of this operator outside the lock, such as setting a timer or subscribing to another publisher.
    associatedtype Effect = Never

    /// The unmet demand, for a mirror.
    var demand: Subscribers.Demand { get }
    /// The number of upstreams.
    var inlets: Int { get }
    /// Whether the operator may have many upstreams. Then a request is not made while another one runs (`Asking`). It is
    /// static, so that operators with one upstream pay nothing.
    static var hasManyInlets: Bool { get }
    /// The inlet with the upstream that is enough to give downstream its subscription; nil if all upstreams are needed.
    var opener: Int? { get }
    /// The demand that an upstream gets at its connection, in operators that take input regardless of demand.
    func prefetch(_ inlet: Int) -> Subscribers.Demand

    /// Notes that the upstream of this inlet is connected and can be asked for values.
    mutating func connected(_ inlet: Int)
    /// Adds downstream's demand.
    mutating func request(_ demand: Subscribers.Demand)

    /// Notes that downstream takes runs: from now on ``next(_:)`` may return `.deliverRun`.
    mutating func giveRuns()
    /// Takes out the values to be delivered in one call; called after each `.deliverRun`.
    mutating func takeRun() -> [Output]

    /// The next step; nil if there is none. The conduit calls it until it returns nil.
    mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action?
  }
}

extension Operators.Core {
  /// By default no demand is shown.
  @inlinable public var demand: Subscribers.Demand { .none }
  /// By default there is one upstream.
  @inlinable public var inlets: Int { 1 }
  /// By default there are not many upstreams.
  @inlinable public static var hasManyInlets: Bool { false }
  /// By default all upstreams are needed.
  @inlinable public var opener: Int? { nil }
  /// By default nothing is requested before downstream requests.
  @inlinable public func prefetch(_ inlet: Int) -> Subscribers.Demand { .none }
  /// By default nothing happens.
  @inlinable public mutating func connected(_ inlet: Int) {}
  /// By default values are delivered one by one.
  @inlinable public mutating func giveRuns() {}
  /// By default there is no run.
  @inlinable public mutating func takeRun() -> [Output] { [] }

  /// Changes a core inside an optional in place; taking it out would copy its queue.
  @inlinable mutating func apply<R>(_ event: (inout Self) -> R) -> R { event(&self) }
}

extension Operators {
  /// The core of an operator with one upstream.
  public protocol SingleInputCore<Input, Output, Failure>: Operators.Core {
    /// The type of upstream's values.
    associatedtype Input
    /// The type of the values that it discards for an input.
    associatedtype Leftover = Void

    /// The value to deliver at once for this input, if nothing waits before it: the fast path, without a queue. It is
    /// called only while nothing is being delivered.
    mutating func pass(_ input: Input) -> Output?
    /// Takes an input, and returns discarded values. The ``Conduit`` releases them outside the lock, because a deinit
    /// is foreign code.
    mutating func receive(_ input: Input) -> Leftover
    /// Notes upstream's end.
    mutating func receive(completion: Subscribers.Completion<Failure>)

    /// Whether it takes runs of values, as in ``Port``.
    static var takesRuns: Bool { get }
    /// The values to deliver at once for a run, as in ``Port``.
    mutating func pass(run: inout ArraySlice<Input>) -> ArraySlice<Output>
    /// Takes at least one value from the front of the run.
    mutating func receive(run: inout ArraySlice<Input>, _ leftovers: inout [Leftover])
  }
}

extension Operators.SingleInputCore {
  /// By default no input is delivered at once.
  @inlinable public mutating func pass(_ input: Input) -> Output? { nil }

  /// By default single values are taken.
  @inlinable public static var takesRuns: Bool { false }
  /// By default no run is delivered at once.
  @inlinable public mutating func pass(run: inout ArraySlice<Input>) -> ArraySlice<Output> { [] }
  /// By default the inputs are received one by one.
  @inlinable public mutating func receive(run: inout ArraySlice<Input>, _ leftovers: inout [Leftover]) {
    while let input = run.popFirst() { leftovers.append(receive(input)) }
  }
}
