public import Synchronization

// Tier 1: operators that make one value from a whole stream.

extension Operators {
  /// An operator that takes all values and makes one result.
  public protocol Fold<Input, Output, Failure> {
    /// The type of its inputs.
    associatedtype Input
    /// The type of the result.
    associatedtype Output
    /// The type of the error that ends it.
    associatedtype Failure: Error

    /// - Returns: Whether it needs more values for its result.
    mutating func receive(_ input: Input) throws(Failure) -> Bool
    /// The result so far; nil if there is none.
    var result: Output? { get }
  }

  /// The one class behind all folds: asks upstream for everything, and keeps the result until downstream asks for it.
  public final class FoldConduit<F: Operators.Fold, Failure: Error, Downstream: Subscriber>: Subscriber, Operators
      .Description,
    @unchecked Sendable
  where F.Output == Downstream.Input, F.Failure == Downstream.Failure {
    // `state` has its lock. `live` is set under the lock and read without it, which saves the lock for every value.
    // Only the upstream, with serial calls, uses `fold`.

    public typealias Input = F.Input

    @usableFromInline struct State {
      @usableFromInline var downstream: Downstream?  // nil after the end
      @usableFromInline var upstream = UpstreamSlot.awaited
      @usableFromInline weak var link: FoldLink?  // of downstream
      @usableFromInline var requested = false
      @usableFromInline var result: F.Output??  // set when upstream has ended and there is no demand yet
      @inlinable init(_ downstream: Downstream) { self.downstream = downstream }
    }

    /// The name in debuggers.
    public let name: StaticString
    @usableFromInline let initial: F.Output?
    #if !DEBUG
      @exclusivity(unchecked)
    #endif
    @usableFromInline var fold: F
    @usableFromInline let state: Locked<State>
    @usableFromInline let live = Atomic(false)

    @usableFromInline let failure: (Failure) -> F.Failure

    /// - Parameter failure: Converts upstream's failure into downstream's.
    @inlinable public init(
      _ name: StaticString, _ fold: F, _ downstream: Downstream, failure: @escaping (Failure) -> F.Failure
    ) {
      self.name = name
      self.failure = failure
      self.fold = fold
      initial = fold.result
      state = Locked(State(downstream))
    }

    public var customMirror: Mirror {
      let state = state.withLock { $0 }
      let children: [Mirror.Child] = [
        ("downstream", state.downstream as Any), ("result", state.result as Any), ("initial", initial as Any),
        ("status", state.upstream),
      ]
      return Mirror(self, children: children)
    }

    @inlinable public func receive(subscription: any Subscription) {
      let downstream = state.withLock { state -> Downstream? in
        guard state.upstream.accept(subscription) else { return nil }
        live.store(true, ordering: .relaxed)
        return state.downstream
      }
      guard let downstream else { return subscription.cancel() }
      let link = FoldLink(name, request: request, cancel: cancel)
      state.withLock { $0.link = link }
      downstream.receive(subscription: link)
      subscription.request(.unlimited)
    }

    @inlinable public func receive(_ input: F.Input) -> Subscribers.Demand {
      guard live.load(ordering: .relaxed) else { return .none }
      do throws(F.Failure) {
        if try !fold.receive(input), let upstream = disconnect() {
          upstream.cancel()
          finish()
        }
      } catch {
        if let upstream = disconnect() {
          upstream.cancel()
          end()?.receive(completion: .failure(error))
        }
      }
      return .none
    }

    @inlinable public func receive(completion: Subscribers.Completion<Failure>) {
      guard disconnect() != nil else { return }
      switch completion {
      case .finished: finish()
      case .failure(let error): end()?.receive(completion: .failure(failure(error)))
      }
    }

    /// Delivers the result, now or when there is demand.
    @inlinable func finish() {
      let result = fold.result
      let downstream = state.withLock { state -> Downstream? in
        guard state.requested else {
          if state.downstream != nil { state.result = .some(result) }
          return nil
        }
        return state.downstream.take()
      }
      deliver(result, downstream)
    }

    @inlinable func deliver(_ result: F.Output?, _ downstream: Downstream?) {
      guard let downstream else { return }
      let link = state.withLock { $0.link }
      if let result { _ = downstream.receive(result) }
      // A thread that cancels has taken the closures out.
      if link?.clear() != false { downstream.receive(completion: .finished) }
    }

    @inlinable func request(_ demand: Subscribers.Demand) {
      precondition(demand > .none, "demand must be greater than zero")
      let (downstream, result) = state.withLock { state -> (Downstream?, F.Output?) in
        state.requested = true
        guard let result = state.result else { return (nil, nil) }
        state.result = nil
        return (state.downstream.take(), result)
      }
      deliver(result, downstream)
    }

    @inlinable func cancel() {
      let upstream = disconnect()
      let (downstream, result) = state.withLock { ($0.downstream.take(), $0.result.take()) }
      upstream?.cancel()
      withExtendedLifetime((downstream, result)) {}
    }

    /// - Returns: The upstream, if it was connected.
    @inlinable func disconnect() -> (any Subscription)? {
      state.withLock { state in
        guard state.upstream.isConnected else { return nil }
        live.store(false, ordering: .relaxed)
        return state.upstream.end()
      }
    }

    @inlinable func end() -> Downstream? {
      let (downstream, link) = state.withLock { ($0.downstream.take(), $0.link) }
      link?.clear()
      return downstream
    }
  }
}

/// The subscription of a fold. After the end, a subscriber that keeps it keeps nothing of the fold.
@usableFromInline
final class FoldLink: Subscription, Operators.Description, @unchecked Sendable {
  // The lock protects the way back.
  @usableFromInline struct Way {
    @usableFromInline let request: (Subscribers.Demand) -> Void
    @usableFromInline let cancel: () -> Void
  }

  @usableFromInline let name: StaticString
  private let fold: Locked<Way?>

  @usableFromInline init(
    _ name: StaticString, request: @escaping (Subscribers.Demand) -> Void, cancel: @escaping () -> Void
  ) {
    self.name = name
    fold = Locked(Way(request: request, cancel: cancel))
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) { fold.withLock { $0 }?.request(demand) }
  @usableFromInline func cancel() { take()?.cancel() }
  /// - Returns: Whether it had been neither cleared nor cancelled before.
  @discardableResult @usableFromInline func clear() -> Bool { take() != nil }

  private func take() -> Way? { fold.withLock { $0.take() } }
}

extension Operators.FoldConduit where Failure == F.Failure {
  /// Makes a conduit that passes on upstream's failure.
  @inlinable public convenience init(_ name: StaticString, _ fold: F, _ downstream: Downstream) {
    self.init(name, fold, downstream, failure: { $0 })
  }
}

extension Operators.FoldConduit where F.Failure == any Error {
  /// Makes a conduit that passes on upstream's failure as any error.
  @inlinable public convenience init(_ name: StaticString, _ fold: F, _ downstream: Downstream) {
    self.init(name, fold, downstream, failure: { $0 })
  }
}
