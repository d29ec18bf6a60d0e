import SluiceSystem

extension Publisher {
  /// Stops in the debugger when a closure returns true for an event.
  ///
  /// ```swift
  /// (1...3).publisher.breakpoint(receiveOutput: { $0 < 0 }).sink { print($0) }  // 1 2 3
  /// ```
  ///
  /// It raises SIGTRAP, which ends a program that runs without a debugger.
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil, receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops in the debugger when upstream fails.
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's, after the stop.
  @inlinable public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: {
      if case .failure = $0 { true } else { false }
    })
  }
}

extension Publishers {
  /// Stops in the debugger when a closure returns true for an event.
  public struct Breakpoint<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// Returns whether to stop at the subscription.
    public let receiveSubscription: ((any Subscription) -> Bool)?
    /// Returns whether to stop at a value.
    public let receiveOutput: ((Upstream.Output) -> Bool)?
    /// Returns whether to stop at the completion.
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

/// Holds the closures, but not their publisher, like the subscriber of `handleEvents`.
@usableFromInline
struct BreakpointSubscriber<Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let receiveSubscription: ((any Subscription) -> Bool)?
  @usableFromInline let receiveOutput: ((Input) -> Bool)?
  @usableFromInline let receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)?

  @inlinable init<Upstream: Publisher>(downstream: Downstream, breakpoint: Publishers.Breakpoint<Upstream>)
  where Upstream.Output == Input, Upstream.Failure == Failure {
    self.downstream = downstream
    receiveSubscription = breakpoint.receiveSubscription
    receiveOutput = breakpoint.receiveOutput
    receiveCompletion = breakpoint.receiveCompletion
  }

  @usableFromInline var name: StaticString { "Breakpoint" }
  @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
  @inlinable func receive(subscription: any Subscription) {
    if receiveSubscription?(subscription) == true { stop() }
    downstream.receive(subscription: subscription)
  }
  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    if receiveOutput?(input) == true { stop() }
    return downstream.receive(input)
  }
  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    if receiveCompletion?(completion) == true { stop() }
    downstream.receive(completion: completion)
  }

  @usableFromInline func stop() { raise(SIGTRAP) }
}
