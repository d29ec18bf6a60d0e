extension Subscribers {
  /// Asks for everything, and writes each value into a property of an object.
  public final class Assign<Root, Input>: Subscriber, Cancellable, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible, @unchecked Sendable
  {
    // The lock protects the state; the key path never changes.
    public typealias Failure = Never

    @usableFromInline struct State {
      @usableFromInline var object: Root?
      @usableFromInline var upstream = UpstreamSlot.awaited

      @inlinable init(object: Root? = nil) { self.object = object }
    }

    /// The property.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>
    @usableFromInline let state: Locked<State>

    /// Makes a subscriber that sets a property of an object to each value.
    @inlinable public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      self.keyPath = keyPath
      state = Locked(State(object: object))
    }

    /// The object; nil after the end.
    public var object: Root? { state.withLock { $0.object } }
    public var description: String { "Assign \(Root.self)." }
    public var playgroundDescription: Any { description }
    public var customMirror: Mirror {
      let state = state.withLock { $0 }
      return Mirror(
        self,
        children: [
          ("object", state.object as Any), ("keyPath", keyPath), ("status", state.upstream.subscription as Any),
        ])
    }

    @inlinable public func receive(subscription: any Subscription) {
      if state.withLock({ $0.upstream.accept(subscription) }) {
        subscription.request(.unlimited)
      } else {
        subscription.cancel()
      }
    }

    /// Sets the property.
    @inlinable public func receive(_ value: Input) -> Demand {
      let object = state.withLock { $0.upstream.isConnected ? $0.object : nil }
      if let object { object[keyPath: keyPath] = value }
      return .none
    }

    @inlinable public func receive(completion: Completion<Never>) { if isSubscribed { _ = end() } }

    /// Cancels upstream and releases everything.
    @inlinable public func cancel() { end().upstream.subscription?.cancel() }

    @inlinable var isSubscribed: Bool { state.withLock { $0.upstream.isConnected } }

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

extension Publisher where Failure == Never {
  /// Writes each value into a property of an object.
  ///
  /// ```swift
  /// let cancellable = temperature.assign(to: \.celsius, on: display)
  /// ```
  ///
  /// The object is kept alive until the end or the cancellation.
  @inlinable public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> AnyCancellable {
    let subscriber = Subscribers.Assign(object: object, keyPath: keyPath)
    _attach(subscriber)
    return AnyCancellable(subscriber)
  }
}
