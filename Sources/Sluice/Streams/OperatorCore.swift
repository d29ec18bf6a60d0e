// Tier 2: operators that queue, wait, or have several inputs, and hot sources.

extension Operators {
  /// The next step for the conduit.
  ///
  /// Steps that have a payload are made by the ``Outbox`` alone, which takes the payload.
  @frozen public struct Action: Equatable, Sendable {
    @frozen @usableFromInline package enum Kind: Equatable, Sendable {
      case deliver
      case deliverRun
      case complete
      case request(Subscribers.Demand, inlet: Int)
      case perform
    }

    @usableFromInline package let kind: Kind
    @inlinable package init(_ kind: Kind) { self.kind = kind }

    /// Delivers what ``Core/takeRun()`` gives, in one call.
    @inlinable public static var deliverRun: Action { Action(.deliverRun) }
    /// Asks the upstream of an inlet for values.
    @inlinable public static func request(_ demand: Subscribers.Demand, inlet: Int) -> Action {
      Action(.request(demand, inlet: inlet))
    }
  }

  /// Where a core puts what it gives out.
  ///
  /// Apart from the ``Action``, for a generic enum with all of it in its cases is copied by way of its metadata: half the
  /// time of a conduit went there.
  @frozen public struct Outbox<Core: Operators.Core> {
    @usableFromInline var output: Core.Output?
    @usableFromInline var completion: Subscribers.Completion<Core.Failure>?
    @usableFromInline var effect: Core.Effect?

    @inlinable public init() {}

    @inlinable public mutating func deliver(_ output: Core.Output) -> Operators.Action {
      self.output = output
      return Action(.deliver)
    }

    /// Throws a value away, to be let go of outside the lock.
    @inlinable public mutating func discard(_ output: Core.Output) { self.output = output }

    @inlinable public mutating func complete(_ completion: Subscribers.Completion<Core.Failure>) -> Operators.Action {
      self.completion = completion
      return Action(.complete)
    }

    @inlinable public mutating func perform(_ effect: Core.Effect) -> Operators.Action {
      self.effect = effect
      return Action(.perform)
    }
  }

  /// A whole operator as a value: no lock, no callback, no reference; nothing but bookkeeping.
  ///
  /// Inputs are `mutating` methods; ``next(_:)`` answers what to do. A ``Conduit`` calls both under its lock, so neither may
  /// call out. Tests drive a core directly, without threads.
  public protocol Core<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
    /// What only this operator needs done outside the lock, such as setting a timer or subscribing to another publisher.
    associatedtype Effect = Never

    /// What downstream still wants, to be shown.
    var demand: Subscribers.Demand { get }
    /// How many upstreams it has.
    var inlets: Int { get }
    /// Whether the operator may have many upstreams. Then a request is not made while another one runs (``Asking``). It is
    /// static, so that operators with one upstream pay nothing.
    static var hasManyInlets: Bool { get }
    /// The inlet whose upstream alone gives downstream its subscription; nil if all have to be there.
    var opener: Int? { get }
    /// Asked of an upstream as soon as it is there, by operators that take their input regardless of demand.
    func prefetch(_ inlet: Int) -> Subscribers.Demand

    /// The upstream of this inlet is there and can be asked for values.
    mutating func connected(_ inlet: Int)
    mutating func request(_ demand: Subscribers.Demand)

    /// Downstream takes runs: from now on ``next(_:)`` may answer `.deliverRun`.
    mutating func giveRuns()
    /// Takes out the values that are to be delivered in one call: asked for after each `.deliverRun`.
    mutating func takeRun() -> [Output]

    /// The next thing to do; nil when there is nothing. The conduit asks until nil.
    mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action?
  }
}

extension Operators.Core {
  @inlinable public var demand: Subscribers.Demand { .none }
  @inlinable public var inlets: Int { 1 }
  @inlinable public static var hasManyInlets: Bool { false }
  @inlinable public var opener: Int? { nil }
  @inlinable public func prefetch(_ inlet: Int) -> Subscribers.Demand { .none }
  @inlinable public mutating func connected(_ inlet: Int) {}
  @inlinable public mutating func giveRuns() {}
  @inlinable public mutating func takeRun() -> [Output] { [] }

  /// Reaches a core inside an optional in place, where taking it out would copy its queue.
  @inlinable mutating func apply<R>(_ event: (inout Self) -> R) -> R { event(&self) }
}

extension Operators {
  /// The core of an operator with one upstream.
  public protocol SingleInputCore<Input, Output, Failure>: Operators.Core {
    associatedtype Input
    associatedtype Leftover = Void

    /// What to deliver at once for this input, if nothing stands before it: the short way, without a queue. Asked only
    /// while nobody drains.
    mutating func pass(_ input: Input) -> Output?
    /// Answers with what is thrown away, for the ``Conduit`` to let go of outside the lock, since a deinit is foreign code.
    mutating func receive(_ input: Input) -> Leftover
    mutating func receive(completion: Subscribers.Completion<Failure>)

    /// Runs of values, as in ``Port``.
    static var takesRuns: Bool { get }
    mutating func pass(run: inout ArraySlice<Input>) -> ArraySlice<Output>
    mutating func receive(run: inout ArraySlice<Input>, _ leftovers: inout [Leftover])
  }
}

extension Operators.SingleInputCore {
  @inlinable public mutating func pass(_ input: Input) -> Output? { nil }

  @inlinable public static var takesRuns: Bool { false }
  @inlinable public mutating func pass(run: inout ArraySlice<Input>) -> ArraySlice<Output> { [] }
  @inlinable public mutating func receive(run: inout ArraySlice<Input>, _ leftovers: inout [Leftover]) {
    while let input = run.popFirst() { leftovers.append(receive(input)) }
  }
}
