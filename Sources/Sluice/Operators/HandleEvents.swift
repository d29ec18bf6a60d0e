extension Publisher {
  /// Calls closures for every event, and changes nothing.
  ///
  /// ```swift
  /// readings.handleEvents(receiveOutput: { print($0) }, receiveCancel: { print("cancelled") })
  /// ```
  ///
  /// - Parameter receiveRequest: Called with every demand: requested, or returned for a value.
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream; requests and cancels come on the thread of downstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }
}

extension Publishers {
  /// Calls closures for every event.
  public struct HandleEvents<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public var receiveSubscription: ((any Subscription) -> Void)?
    public var receiveOutput: ((Upstream.Output) -> Void)?
    public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?
    public var receiveCancel: (() -> Void)?
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    @inlinable public init(
      upstream: Upstream, receiveSubscription: ((any Subscription) -> Void)? = nil,
      receiveOutput: ((Output) -> Void)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
      receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
      self.receiveRequest = receiveRequest
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(HandleEventsSubscriber(downstream: subscriber, events: self))
    }
  }
}

/// Holds the closures, but not their publisher, because the publisher would keep upstream alive. If upstream is a class
/// that keeps its subscribers, neither would ever be released.
@usableFromInline
struct HandleEventsSubscriber<Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let receiveSubscription: ((any Subscription) -> Void)?
  @usableFromInline let receiveOutput: ((Input) -> Void)?
  @usableFromInline let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline let receiveRequest: ((Subscribers.Demand) -> Void)?
  @usableFromInline let link: TapLink

  @inlinable init<Upstream: Publisher>(downstream: Downstream, events: Publishers.HandleEvents<Upstream>)
  where Upstream.Output == Input, Upstream.Failure == Failure {
    self.downstream = downstream
    receiveSubscription = events.receiveSubscription
    receiveOutput = events.receiveOutput
    receiveCompletion = events.receiveCompletion
    receiveRequest = events.receiveRequest
    link = TapLink("HandleEvents", onRequest: events.receiveRequest, onCancel: events.receiveCancel)
  }

  @usableFromInline var name: StaticString { link.name }
  @inlinable var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable func receive(subscription: any Subscription) {
    if !link.hasEnded { receiveSubscription?(subscription) }
    if link.connect(subscription) { downstream.receive(subscription: link) } else { subscription.cancel() }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    if !link.hasEnded { receiveOutput?(input) }
    let more = downstream.receive(input)
    if more != .none, !link.hasEnded { receiveRequest?(more) }
    return more
  }

  // A closure for values sees each value when it is delivered.
  @inlinable var _takesRuns: Bool { downstream._takesRuns && receiveOutput == nil }

  @inlinable func _receive(run: ArraySlice<Input>) -> Operators.Taken {
    let taken = downstream._receive(run: run)
    if taken.demand != .none, !link.hasEnded { receiveRequest?(taken.demand) }
    return taken
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    if !link.hasEnded { receiveCompletion?(completion) }
    link.end()
    downstream.receive(completion: completion)
  }
}
