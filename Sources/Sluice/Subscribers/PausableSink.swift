/// Something that can be paused from within, and resumed from outside.
public protocol Pausable {
  /// Whether it is paused.
  var paused: Bool { get }
  /// Goes on after a pause.
  func resume()
}

extension Publisher {
  /// Hands values one at a time to a closure that can ask for a pause.
  ///
  /// ```swift
  /// let sink = (1...6).publisher.pausableSink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0); return $0 % 2 == 0 })  // 1
  /// sink.resume()  // 2 3
  /// ```
  ///
  /// Asks for one value, and for the next only when the closure has answered true or after `resume()`: nothing comes
  /// while paused, and what upstream does meanwhile is upstream's matter (`buffer` keeps it).
  @inlinable public func pausableSink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Bool
  ) -> any Pausable & Cancellable {
    let sink = Subscribers.PausableSink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    _attach(sink)
    return sink
  }
}

extension Subscribers {
  /// Asks for one value at a time, as long as its closure answers true.
  public final class PausableSink<Input, Failure: Error>: Subscriber, Pausable, Cancellable, @unchecked Sendable {
    // The lock protects the state; the closures never change.
    @usableFromInline struct State {
      @usableFromInline var subscription: (any Subscription)?
      @usableFromInline var paused = false
      @usableFromInline var ended = false

      @inlinable init() {}
    }

    @usableFromInline let receiveValue: (Input) -> Bool
    @usableFromInline let receiveCompletion: (Completion<Failure>) -> Void
    @usableFromInline let state = Locked(State())

    @inlinable public init(
      receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Bool
    ) {
      self.receiveCompletion = receiveCompletion
      self.receiveValue = receiveValue
    }

    public var paused: Bool { state.withLock { $0.paused } }

    @inlinable public func resume() {
      let subscription = state.withLock { state -> (any Subscription)? in
        guard state.paused else { return nil }
        state.paused = false
        return state.subscription
      }
      subscription?.request(.max(1))
    }

    @inlinable public func receive(subscription: any Subscription) {
      let accepted = state.withLock { state -> Bool in
        guard state.subscription == nil, !state.ended else { return false }
        state.subscription = subscription
        return true
      }
      if accepted { subscription.request(.max(1)) } else { subscription.cancel() }
    }

    @inlinable public func receive(_ input: Input) -> Demand {
      let goOn = receiveValue(input)
      guard !goOn else { return .max(1) }
      state.withLock { $0.paused = true }
      return .none
    }

    @inlinable public func receive(completion: Completion<Failure>) {
      _ = end()
      receiveCompletion(completion)
    }

    @inlinable public func cancel() { end()?.cancel() }

    @inlinable func end() -> (any Subscription)? {
      state.withLock { state in
        defer {
          state.subscription = nil
          state.ended = true
          state.paused = false
        }
        return state.subscription
      }
    }
  }
}
