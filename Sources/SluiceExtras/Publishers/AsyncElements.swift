public import Sluice

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// The elements of this asynchronous sequence as a publisher.
  ///
  /// ```swift
  /// let lines = handle.bytes.lines.publisher
  /// ```
  ///
  /// Each subscriber has its own iteration, in a task. The task waits for demand before each element. An error of the
  /// sequence is the failure. Cancelling the subscription cancels the task.
  public var publisher: Publishers.AsyncElements<Self> { Publishers.AsyncElements(self) }
}

extension Publishers {
  /// Publishes the elements of an asynchronous sequence.
  public struct AsyncElements<Elements: AsyncSequence & Sendable>: _DirectPublisher
  where Elements.Element: Sendable {
    public typealias Output = Elements.Element
    /// An error of the sequence.
    public typealias Failure = any Error

    /// The sequence whose elements are published.
    public let sequence: Elements

    /// Publishes the elements of a sequence.
    public init(_ sequence: Elements) { self.sequence = sequence }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let line = Operators.Conduit<Operators.RelayCore<Output, Failure>, AnySubscriber<Output, Failure>>(
        "AsyncElements", Operators.RelayCore(forwards: true), AnySubscriber(subscriber))
      line.connect(AsyncElementsSubscription(sequence, line), 0)
    }
  }
}

private final class AsyncElementsSubscription<Elements: AsyncSequence & Sendable>: Subscription, @unchecked Sendable
where Elements.Element: Sendable {
  // The lock protects the state. The line to the subscriber protects its own state.
  typealias Line = Operators.Conduit<
    Operators.RelayCore<Elements.Element, any Error>, AnySubscriber<Elements.Element, any Error>
  >

  struct State {
    var demand = Subscribers.Demand.none
    var task: Task<Void, Never>?
    var waiter: CheckedContinuation<Void, Never>?
    var cancelled = false
  }

  private let sequence: Elements
  private let line: Line
  private let state = Locked(State())

  init(_ sequence: Elements, _ line: Line) {
    self.sequence = sequence
    self.line = line
  }

  func request(_ demand: Subscribers.Demand) {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.cancelled else { return nil }
      state.demand += demand
      if state.task == nil { state.task = Task { await self.run() } }
      return state.waiter.take()
    }
    waiter?.resume()
  }

  func cancel() {
    let (task, waiter) = state.withLock { state in
      state.cancelled = true
      return (state.task.take(), state.waiter.take())
    }
    task?.cancel()
    waiter?.resume()
  }

  private func run() async {
    do {
      var iterator = sequence.makeAsyncIterator()
      while await wanted() {
        guard let element = try await iterator.next() else { return line.send(.finished) }
        line.feed { $0.receive(element) }
      }
    } catch {
      line.send(.failure(error))
    }
  }

  /// Waits for demand, and uses up the demand for one value.
  /// - Returns: Whether there is demand; false after the cancellation.
  private func wanted() async -> Bool {
    await withCheckedContinuation { waiter in
      let goOn = state.withLock { state in
        if state.cancelled || state.demand != .none { return true }
        state.waiter = waiter
        return false
      }
      if goOn { waiter.resume() }
    }
    return state.withLock { state in
      guard !state.cancelled else { return false }
      state.demand.spend()
      return true
    }
  }
}

extension Operators.Conduit where Core: Operators.SingleInputCore {
  /// Ends the stream when the source has ended.
  fileprivate func send(_ completion: Subscribers.Completion<Core.Failure>) {
    disconnect(0)
    feed { $0.receive(completion: completion) }
  }
}
