public import DequeModule

extension Publisher {
  /// Buffers values until downstream requests them.
  ///
  /// ```swift
  /// readings.buffer(size: 1_000, prefetch: .byRequest, whenFull: .dropOldest)
  /// ```
  ///
  /// ```text
  /// upstream                                  -1234---|
  /// demand                                    ------1----1
  /// buffer(size: 2, .byRequest, .dropNewest)  ------1----(2|)
  /// buffer(size: 2, .byRequest, .dropOldest)  ------3----(4|)
  /// ```
  ///
  /// Use it if values come faster than downstream can handle for a while. With `.byRequest` it may overflow, and
  /// `whenFull` decides what is lost. With `.keepFull` it requests only as many values as fit. A finish waits until the
  /// buffer is empty. A full buffer never drops values for which downstream has a limited demand.
  ///
  /// - Demand: `.byRequest` asks for everything at once. `.keepFull` asks for `size` values, and for one more for each
  ///   delivered value.
  /// - Thread: The thread of the upstream already delivering, or of a request: see <doc:Threads>.
  /// - Memory: Keeps up to `size` values, and values of a limited demand that come while downstream is busy.
  /// - Failure: Upstream's failure overtakes queued values. That of `.customError` cancels upstream, and comes after
  ///   them.
  @inlinable public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }

  /// Buffers values until downstream requests them, and reports dropped values.
  ///
  /// ```swift
  /// readings.buffer(size: 1_000, prefetch: .byRequest, whenFull: .dropOldest) { _ in lost += 1 }
  /// ```
  ///
  /// - Parameter dropped: Called with each value that did not fit, on the thread of the value that caused the drop.
  @inlinable public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>,
    dropped: @escaping (Output) -> Void
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull, dropped: dropped)
  }
}

extension Publishers {
  /// The way in which a buffer requests values from upstream.
  public enum PrefetchStrategy: Hashable, Sendable {
    /// Asks for as many values as fit, and for one more for each delivered value.
    case keepFull
    /// Asks for everything at once.
    case byRequest
  }

  /// What a full buffer does with another value.
  public enum BufferingStrategy<Failure: Error> {
    /// Drops the value that has just come.
    case dropNewest
    /// Drops the value that has waited longest.
    case dropOldest
    /// Ends the stream with this error.
    case customError(() -> Failure)
  }

  /// Buffers values until downstream requests them.
  public struct Buffer<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The largest number of values in the buffer.
    public let size: Int
    /// The way in which values are requested from upstream.
    public let prefetch: PrefetchStrategy
    /// What a full buffer does with another value.
    public let whenFull: BufferingStrategy<Failure>
    @usableFromInline let dropped: ((Output) -> Void)?

    @inlinable public init(
      upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Failure>
    ) {
      self.init(upstream: upstream, size: size, prefetch: prefetch, whenFull: whenFull, dropped: nil)
    }

    @inlinable init(
      upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Failure>,
      dropped: ((Output) -> Void)?
    ) {
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
      self.dropped = dropped
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = BufferCore<Output, Failure>(size: size, prefetch: prefetch, whenFull: whenFull)
      // The error is made outside the lock, because the closure is foreign code.
      let makeError: (() -> Failure)? = if case .customError(let makeError) = whenFull { makeError } else { nil }
      let conduit = Operators.Conduit("Buffer", core, subscriber) { (_: BufferOverflow, conduit) in
        guard let error = makeError?() else { return }
        conduit.amend { $0.fail(error) }
      }
      upstream._attach(Operators.Inlet(conduit, BufferPort<Output, Failure>(dropped: dropped)))
    }
  }
}

@usableFromInline
struct BufferPort<Element, Failure: Error>: Operators.Port {
  @usableFromInline typealias Core = BufferCore<Element, Failure>
  @usableFromInline let dropped: ((Element) -> Void)?

  @inlinable init(dropped: ((Element) -> Void)?) { self.dropped = dropped }

  @inlinable var inlet: Int { 0 }
  @inlinable func pass(_ input: Element, _ core: inout Core) -> Element? { core.pass(input) }
  @inlinable func receive(_ input: Element, _ core: inout Core) -> Element? { core.receive(input) }
  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    core.receive(completion: completion)
  }
  @inlinable static var takesRuns: Bool { true }
  @inlinable func pass(run: inout ArraySlice<Element>, _ core: inout Core) -> ArraySlice<Element> {
    core.pass(run: &run)
  }
  @inlinable func receive(run: inout ArraySlice<Element>, _ core: inout Core, _ leftovers: inout [Element?]) {
    core.receive(run: &run, &leftovers)
  }
  @inlinable func settle(_ leftover: Element?) {
    if let leftover { dropped?(leftover) }
  }
}

/// The steps of the failure of a full buffer.
@frozen @usableFromInline
enum BufferOverflow {
  case none  // it has not overflowed
  case due  // the error must be made
  case failing  // the error is being made
  case failed  // upstream must be cancelled
  case over  // the failure comes after queued values
}

@usableFromInline
struct BufferCore<Element, Failure: Error>: Operators.Core {
  @usableFromInline typealias Output = Element
  @usableFromInline typealias Effect = BufferOverflow

  @usableFromInline let size: Int
  @usableFromInline let strategy: Publishers.PrefetchStrategy
  @usableFromInline let dropsOldest: Bool
  @usableFromInline let fails: Bool  // whether a full buffer fails
  @usableFromInline var queue: Deque<Element> = []
  @usableFromInline var demand = Subscribers.Demand.none  // the unmet demand of downstream
  @usableFromInline var owed = Subscribers.Demand.none  // the demand to request from upstream
  @usableFromInline var end: Subscribers.Completion<Failure>?
  @usableFromInline var overflow = BufferOverflow.none
  @usableFromInline var hasFailed = false  // because of upstream's failure or an overflow

  @inlinable init(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) {
    self.size = size
    self.strategy = prefetch
    dropsOldest = if case .dropOldest = whenFull { true } else { false }
    fails = if case .customError = whenFull { true } else { false }
  }

  @inlinable func prefetch(_ inlet: Int) -> Subscribers.Demand { strategy == .keepFull ? .max(size) : .unlimited }

  @inlinable mutating func request(_ more: Subscribers.Demand) { demand += more }

  @inlinable mutating func pass(_ input: Element) -> Element? {
    guard queue.isEmpty, demand != .none, end == nil, overflow == .none else { return nil }
    demand.spend()
    if strategy == .keepFull { owed += .max(1) }
    return input
  }

  @inlinable mutating func pass(run: inout ArraySlice<Element>) -> ArraySlice<Element> {
    guard queue.isEmpty, demand != .none, end == nil, overflow == .none else { return [] }
    let passed = run.prefix(demand.max ?? .max)
    run.removeFirst(passed.count)
    demand -= passed.count
    if strategy == .keepFull { owed += passed.count }
    return passed
  }

  /// No value can pass now, so the rest of the run is treated like single values.
  @inlinable mutating func receive(run: inout ArraySlice<Element>, _ dropped: inout [Element?]) {
    if end == nil, overflow == .none {
      let fitting = run.prefix(limit - queue.count)
      queue.append(contentsOf: fitting)
      run.removeFirst(fitting.count)
    }
    while let input = run.popFirst() {
      dropped.append(receive(input))
      // The error ends the stream, so upstream keeps the following values.
      if overflow == .due { return }
    }
  }

  /// A value of a limited demand uses no space, because it is delivered at once. A value of an unlimited demand does,
  /// because one thread may deliver slowly while another sends values without end.
  @inlinable var limit: Int { (demand + size).max ?? size }

  /// - Returns: The value that did not fit.
  @inlinable mutating func receive(_ input: Element) -> Element? {
    guard end == nil, overflow == .none else { return input }
    if queue.count < limit {
      queue.append(input)
      return nil
    }
    if dropsOldest {
      queue.append(input)
      return demand == .none ? queue.popFirst() : queue.remove(at: demand.max ?? 0)
    }
    if fails {
      overflow = .due
      hasFailed = true
    }
    return input
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) {
    guard end == nil, overflow == .none else { return }
    end = completion
    if case .failure = completion { hasFailed = true }
  }

  @inlinable mutating func fail(_ error: Failure) {
    end = .failure(error)
    overflow = .failed
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if hasFailed, let action = fail(&out) { return action }
    if demand != .none, let value = queue.popFirst() {
      demand.spend()
      if strategy == .keepFull { owed += .max(1) }
      return out.deliver(value)
    }
    if owed != .none { return .request(owed.take(), inlet: 0) }
    return end != nil && queue.isEmpty ? out.complete(.finished) : nil
  }

  /// Separate from ``next(_:)``, so that `next` is small enough to be inlined.
  @inlinable @inline(never) mutating func fail(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    switch overflow {
    case .none: break
    case .due:
      overflow = .failing
      return out.perform(overflow)
    case .failing: return nil
    case .failed:
      overflow = .over
      return .cancel(inlet: 0)
    case .over: if !queue.isEmpty { return nil }
    }
    // Upstream's failure overtakes queued values. The failure of an overflow does not.
    return end.map { out.complete($0) }
  }
}
