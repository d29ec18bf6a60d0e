extension Subscribers {
  /// Asks for everything, and passes it to closures.
  ///
  /// Use it to subscribe by hand. ``Publisher/sink(receiveCompletion:receiveValue:)`` uses a faster private type.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible, @unchecked Sendable
  {
    // The lock protects the state.
    @usableFromInline struct State {
      @usableFromInline var upstream = UpstreamSlot.awaited
      @usableFromInline var receiveValue: ((Input) -> Void)?
      @usableFromInline var receiveCompletion: ((Completion<Failure>) -> Void)?

      @inlinable init() {}
    }

    @usableFromInline let state: Locked<State>

    /// Makes a subscriber that asks for everything.
    @inlinable public init(
      receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
    ) {
      var start = State()
      (start.receiveValue, start.receiveCompletion) = (receiveValue, receiveCompletion)
      state = Locked(start)
    }

    public var description: String { "Sink" }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
    public var playgroundDescription: Any { description }
    /// Called with each value.
    public var receiveValue: (Input) -> Void { state.withLock { $0.receiveValue } ?? { _ in } }
    /// Called with the end.
    public var receiveCompletion: (Completion<Failure>) -> Void { state.withLock { $0.receiveCompletion } ?? { _ in } }

    @inlinable public func receive(subscription: any Subscription) {
      if state.withLock({ $0.upstream.accept(subscription) }) {
        subscription.request(.unlimited)
      } else {
        subscription.cancel()
      }
    }

    @inlinable public func receive(_ input: Input) -> Demand {
      state.withLock { $0.receiveValue }?(input)
      return .none
    }

    @inlinable public func receive(completion: Completion<Failure>) { end().receiveCompletion?(completion) }

    /// Cancels upstream and releases everything.
    @inlinable public func cancel() { end().upstream.subscription?.cancel() }

    /// Releases everything.
    /// - Returns: Its content, to be released outside the lock.
    @inlinable func end() -> State {
      state.withLock { state in
        defer {
          state = State()
          state.upstream = .gone
        }
        return state
      }
    }
  }
}

extension Publisher {
  /// Calls closures with every value and with the end, and asks for everything.
  ///
  /// ```swift
  /// let cancellable = [1, 2, 3].publisher.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// ```
  ///
  /// - Returns: A cancellable. Keep it, because its release cancels the subscription.
  @inlinable public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let link = StageLink("Sink", ratio: 1, surplus: 0, takesNoDemand: true)
    _attach(SinkSubscriber(link, receiveCompletion: receiveCompletion, receiveValue: receiveValue))
    return AnyCancellable(link.cancel)
  }
}

extension Publisher where Failure == Never {
  /// Calls a closure with every value, and asks for everything.
  @inlinable public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

/// Only upstream calls it and owns it, so the closures need no lock, and are released with upstream.
///
/// A class, because a conduit retains its downstream for each value. So one reference is counted instead of three.
@usableFromInline
final class SinkSubscriber<Input, Failure: Error>: Subscriber, Operators.Description {
  @usableFromInline let link: StageLink
  @usableFromInline let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  @usableFromInline let receiveValue: (Input) -> Void

  @inlinable init(
    _ link: StageLink, receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Void
  ) {
    self.link = link
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }

  @usableFromInline var name: StaticString { link.name }
  @inlinable var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable func receive(subscription: any Subscription) {
    if link.connect(subscription) != nil { subscription.request(.unlimited) } else { subscription.cancel() }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    if !link.hasEnded { receiveValue(input) }
    return .none
  }

  @inlinable var _takesRuns: Bool { true }

  @inlinable func _receive(run: ArraySlice<Input>) -> Operators.Taken {
    var count = 0
    for value in run {
      if link.hasEnded { break }
      receiveValue(value)
      count += 1
    }
    return Operators.Taken(count: count, demand: .none, isOver: link.hasEnded)
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    guard !link.hasEnded else { return }
    link.finish()
    receiveCompletion(completion)
  }
}
