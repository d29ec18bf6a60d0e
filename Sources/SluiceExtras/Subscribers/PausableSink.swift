public import Sluice

/// Something that can be paused from within, and resumed from outside.
public protocol Pausable {
  /// Whether it is paused.
  var paused: Bool { get }
  /// Goes on after a pause.
  func resume()
}

extension Publisher {
  /// Passes values one at a time to a closure that can ask for a pause.
  ///
  /// ```swift
  /// let sink = (1...6).publisher.pausableSink(
  ///   receiveCompletion: { print($0) },
  ///   receiveValue: { print($0); return $0 % 2 == 0 })  // 1
  /// sink.resume()  // 2 3
  /// ```
  ///
  /// Asks for one value, and for the next one only when the closure has returned true or after `resume()`. Nothing
  /// comes while it is paused; a `buffer` before it keeps what upstream sends meanwhile.
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
  /// Asks for one value at a time, as long as its closure returns true.
  public final class PausableSink<Input, Failure: Error>: Subscriber, Pausable, Cancellable, @unchecked Sendable {
    // The lock protects the state; the closures never change.
    @usableFromInline enum Phase { case running, handling, resumedWhileHandling, paused, ended }

    @usableFromInline struct State {
      @usableFromInline var upstream = UpstreamSlot.awaited
      @usableFromInline var phase = Phase.running

      @inlinable init() {}
    }

    @usableFromInline let receiveValue: (Input) -> Bool
    @usableFromInline let receiveCompletion: (Completion<Failure>) -> Void
    @usableFromInline let state = Locked(State())

    /// Makes a sink that takes values as long as a closure returns true.
    @inlinable public init(
      receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Bool
    ) {
      self.receiveCompletion = receiveCompletion
      self.receiveValue = receiveValue
    }

    /// Whether it takes no values at present.
    public var paused: Bool { state.withLock { $0.phase == .paused } }

    /// Takes values again.
    @inlinable public func resume() {
      let subscription = state.withLock { state -> (any Subscription)? in
        switch state.phase {
        case .paused:
          state.phase = .running
          return state.upstream.subscription
        case .handling:
          // The pause that its closure is about to ask for.
          state.phase = .resumedWhileHandling
        case .running, .resumedWhileHandling, .ended:
          break
        }
        return nil
      }
      subscription?.request(.max(1))
    }

    /// Takes upstream's subscription.
    @inlinable public func receive(subscription: any Subscription) {
      if state.withLock({ $0.upstream.accept(subscription) }) {
        subscription.request(.max(1))
      } else {
        subscription.cancel()
      }
    }

    /// Takes a value.
    @inlinable public func receive(_ input: Input) -> Demand {
      let isEnded = state.withLock { state in
        if state.phase != .ended { state.phase = .handling }
        return state.phase == .ended
      }
      guard !isEnded else { return .none }
      let goOn = receiveValue(input)
      return state.withLock { state in
        guard state.phase != .ended else { return .none }
        if goOn || state.phase == .resumedWhileHandling {
          state.phase = .running
          return .max(1)
        }
        state.phase = .paused
        return .none
      }
    }

    /// Takes the end.
    @inlinable public func receive(completion: Completion<Failure>) {
      if end().wasRunning { receiveCompletion(completion) }
    }

    /// Stops the values and releases what is kept.
    @inlinable public func cancel() { end().upstream?.cancel() }

    @inlinable func end() -> (upstream: (any Subscription)?, wasRunning: Bool) {
      state.withLock { state in
        defer { state.phase = .ended }
        return (state.upstream.end(), state.phase != .ended)
      }
    }
  }
}
