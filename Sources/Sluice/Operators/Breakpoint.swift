#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Publisher {
  /// Stops in the debugger when a closure answers true for what passes.
  ///
  /// ```swift
  /// (1...3).publisher.breakpoint(receiveOutput: { $0 < 0 }).sink { print($0) }  // 1 2 3
  /// ```
  ///
  /// It raises SIGTRAP, which ends a program that no debugger watches.
  @inlinable public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil, receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops in the debugger when upstream fails.
  @inlinable public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: {
      if case .failure = $0 { true } else { false }
    })
  }
}

extension Publishers {
  /// Stops in the debugger when a closure answers true for what passes.
  public struct Breakpoint<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let receiveSubscription: ((any Subscription) -> Bool)?
    public let receiveOutput: ((Upstream.Output) -> Bool)?
    public let receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)?

    @inlinable public init(
      upstream: Upstream,
      receiveSubscription: ((any Subscription) -> Bool)? = nil,
      receiveOutput: ((Upstream.Output) -> Bool)? = nil,
      receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(BreakpointSubscriber(downstream: subscriber, breakpoint: self))
    }
  }
}

@usableFromInline
struct BreakpointSubscriber<Upstream: Publisher, Downstream: Subscriber>: Subscriber, OperatorDescription
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
  @usableFromInline let downstream: Downstream
  @usableFromInline let breakpoint: Publishers.Breakpoint<Upstream>

  @inlinable init(downstream: Downstream, breakpoint: Publishers.Breakpoint<Upstream>) {
    self.downstream = downstream
    self.breakpoint = breakpoint
  }

  @usableFromInline var name: StaticString { "Breakpoint" }
  @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
  @inlinable func receive(subscription: any Subscription) {
    if breakpoint.receiveSubscription?(subscription) == true { stop() }
    downstream.receive(subscription: subscription)
  }
  @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    if breakpoint.receiveOutput?(input) == true { stop() }
    return downstream.receive(input)
  }
  @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if breakpoint.receiveCompletion?(completion) == true { stop() }
    downstream.receive(completion: completion)
  }

  @usableFromInline func stop() { raise(SIGTRAP) }
}
