public import Sluice

/// A subscriber that can pause itself, and that other code can resume.
public protocol Pausable {
  /// Whether it is paused.
  var paused: Bool { get }
  /// Resumes after a pause.
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
  /// It asks for one value, and for the next when the closure has returned true, or after `resume()`. During a pause no
  /// values come; a `buffer` before it keeps the values of upstream. Any thread may call `resume()` and `cancel()`:
  ///
  /// ```swift
  /// DispatchQueue.global().asyncAfter(deadline: .now() + 1) { sink.resume() }
  /// ```
  @inlinable public func pausableSink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Bool
  ) -> any Pausable & Cancellable & Sendable {
    let sink = Subscribers.PausableSink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    _attach(sink)
    return sink
  }
}

extension Subscribers {
  /// Asks for one value at a time while its closure returns true.
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

    /// Makes a sink that pauses when a closure returns false.
    @inlinable public init(
      receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Bool
    ) {
      self.receiveCompletion = receiveCompletion
      self.receiveValue = receiveValue
    }

    /// Whether it takes no values at the moment.
    public var paused: Bool { state.withLock { $0.phase == .paused } }

    /// Resumes after a pause.
    @inlinable public func resume() {
      let subscription = state.withLock { state -> (any Subscription)? in
        switch state.phase {
        case .paused:
          state.phase = .running
          return state.upstream.subscription
        case .handling:
          // If the closure asks for a pause now, this call has already ended it.
          state.phase = .resumedWhileHandling
        case .running, .resumedWhileHandling, .ended:
          break
        }
        return nil
      }
      subscription?.request(.max(1))
    }

    @inlinable public func receive(subscription: any Subscription) {
      if state.withLock({ $0.upstream.accept(subscription) }) {
        subscription.request(.max(1))
      } else {
        subscription.cancel()
      }
    }

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

    @inlinable public func receive(completion: Completion<Failure>) {
      if end().wasRunning { receiveCompletion(completion) }
    }

    /// Cancels upstream and releases everything.
    @inlinable public func cancel() { end().upstream?.cancel() }

    @inlinable func end() -> (upstream: (any Subscription)?, wasRunning: Bool) {
      state.withLock { state in
        defer { state.phase = .ended }
        return (state.upstream.end(), state.phase != .ended)
      }
    }
  }
}
