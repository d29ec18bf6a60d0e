public import Sluice

extension Publisher {
  /// Buffers elements until downstream requests them: one queue in the order of arrival, with a limit for each key.
  ///
  /// Use it if several streams share a subscriber that is slow for a while. Elements of a busy stream never push out
  /// those of a quiet stream, and the order of all elements stays.
  ///
  /// ```swift
  /// import Sluice
  /// import SluiceExtras
  ///
  /// struct Sample { var sensor: Int, followsGap = false }
  /// let samples = [Sample(sensor: 1), Sample(sensor: 2), Sample(sensor: 1)].publisher
  /// let kept = samples.buffer(
  ///   size: 1_000, key: { $0.sensor }, prefetch: .byRequest, whenFull: .dropOldest,
  ///   onDrop: { print("lost", $0.sensor) }, afterDrop: { $0.followsGap = true })
  /// ```
  ///
  /// With `.byRequest`, `whenFull` decides what is lost; with `.keepFull` nothing is lost. An element that downstream
  /// waits for passes with any size. With a size of 0, all other elements are dropped, or with `.keepFull` not
  /// requested. A finish waits until the buffer is empty. Keys are compared under a lock: use numbers or strings.
  ///
  /// - Parameters:
  ///   - size: The number of elements that are kept per key.
  ///   - key: The stream of an element. It may be optional: nil is a key like any other.
  ///   - prefetch: How elements are requested from upstream.
  ///   - whenFull: What is dropped when a key has `size` elements in the queue: the newest or the oldest of them. Or
  ///     the error that ends the stream.
  ///   - onDrop: Called with each dropped element, on the thread of the newest element.
  ///   - afterDrop: Called once per gap, with the first element of the key that is delivered after it. Therefore a key
  ///     with dropped elements is remembered until its next element, and keys that never come again take memory.
  ///
  /// - Demand: `.byRequest` asks for everything. `.keepFull` asks for `size` elements of all keys together, and for one
  ///   more for each delivered element.
  /// - Thread: The thread of the upstream already delivering, or of a request: see Threads in `Sluice`.
  /// - Memory: Keeps `size` elements per key, and as many empty places of dropped elements. For a key without elements
  ///   it keeps only the mark that its next element follows a gap.
  /// - Failure: Upstream's failure overtakes queued elements; `.customError` fails at once.
  @inlinable public func buffer<Key: Hashable>(
    size: Int, key: @escaping (Output) -> Key, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>, onDrop: ((Output) -> Void)? = nil,
    afterDrop: ((inout Output) -> Void)? = nil
  ) -> Publishers.KeyedBuffer<Self, ClosureKeys<Output, Key>> {
    buffer(
      size: size, by: ClosureKeys(key: key), prefetch: prefetch, whenFull: whenFull, onDrop: onDrop,
      afterDrop: afterDrop)
  }

  /// Takes a type that returns the key of each element.
  @inlinable public func buffer<Keys: ElementKeys<Output>>(
    size: Int, by keys: Keys, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>,
    onDrop: ((Output) -> Void)? = nil, afterDrop: ((inout Output) -> Void)? = nil
  ) -> Publishers.KeyedBuffer<Self, Keys> {
    Publishers.KeyedBuffer(
      upstream: self, size: size, keys: keys, prefetch: prefetch, whenFull: whenFull, onDrop: onDrop,
      afterDrop: afterDrop)
  }
}

extension Publishers {
  /// Buffers elements until downstream requests them: one queue in the order of arrival, with a limit for each key.
  public struct KeyedBuffer<Upstream: Publisher, Keys: ElementKeys>: _DirectPublisher
  where Keys.Element == Upstream.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The number of elements that are kept per key.
    public let size: Int
    /// How elements are requested from upstream.
    public let prefetch: PrefetchStrategy
    /// The policy for an element of a key that has `size` elements.
    public let whenFull: BufferingStrategy<Failure>
    @usableFromInline let keys: Keys
    @usableFromInline let onDrop: ((Output) -> Void)?
    @usableFromInline let afterDrop: ((inout Output) -> Void)?

    @inlinable init(
      upstream: Upstream, size: Int, keys: Keys, prefetch: PrefetchStrategy,
      whenFull: BufferingStrategy<Failure>, onDrop: ((Output) -> Void)?, afterDrop: ((inout Output) -> Void)?
    ) {
      self.upstream = upstream
      self.size = size
      self.keys = keys
      self.prefetch = prefetch
      self.whenFull = whenFull
      self.onDrop = onDrop
      self.afterDrop = afterDrop
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = KeyedBufferCore<Output, Failure, Keys.Key?>(
        size: size, prefetch: prefetch, whenFull: whenFull, marksGaps: afterDrop != nil)
      // Outside the lock, because the closures are foreign code.
      let afterDrop = afterDrop
      let makeError: (() -> Failure)? = if case .customError(let makeError) = whenFull { makeError } else { nil }
      let conduit = Operators.Conduit("KeyedBuffer", core, subscriber) { effect, conduit in
        switch effect {
        case .fail:
          guard let error = makeError?() else { return }
          conduit.feed { $0.fail(error) }
        case .mark:
          var element: Output?
          conduit.amend { element = $0.marked }
          guard var marked = element else { return }
          afterDrop?(&marked)
          element = marked
          conduit.amend {
            // The old element is released outside the lock, because its deinit is foreign code.
            swap(&$0.marked, &element)
            $0.isMarking = false
          }
        }
      }
      upstream._attach(KeyedBufferInlet(conduit: conduit, keys: keys, onDrop: onDrop))
    }
  }
}

/// The upstream side. It asks for the keys outside the conduit's lock, because that closure is foreign code.
@usableFromInline
struct KeyedBufferInlet<Downstream: Subscriber, Keys: ElementKeys>: Subscriber, Operators.Description
where Keys.Element == Downstream.Input {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline typealias Core = KeyedBufferCore<Input, Failure, Keys.Key?>

  @usableFromInline let conduit: Operators.Conduit<Core, Downstream>
  @usableFromInline let keys: Keys
  @usableFromInline let onDrop: ((Input) -> Void)?

  @inlinable init(conduit: Operators.Conduit<Core, Downstream>, keys: Keys, onDrop: ((Input) -> Void)?) {
    self.conduit = conduit
    self.keys = keys
    self.onDrop = onDrop
  }

  @usableFromInline var name: StaticString { conduit.name }
  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

  @inlinable func receive(subscription: any Subscription) { conduit.connect(subscription, 0) }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    let key = keys.key(of: input)
    return conduit.feed(answering: 0, passing: { $0.pass(input) }, settling: { if let left = $0 { onDrop?(left) } }) {
      $0.receive(input, of: key)
    }
  }

  @inlinable var _takesRuns: Bool { conduit.takesRuns }

  @inlinable func _receive(run: ArraySlice<Input>) -> Operators.Taken {
    let keys = run.withUnsafeBufferPointer { run in run.indices.map { self.keys.key(of: run[$0]) } }
    return conduit.feed(
      run: run, KeyedBufferRunPort<Input, Failure, Keys.Key?>(keys, from: run.startIndex, onDrop: onDrop))
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    conduit.disconnect(0)
    conduit.feed { $0.receive(completion: completion) }
  }
}

/// The input for one run, whose keys are known.
@usableFromInline
struct KeyedBufferRunPort<Element, Failure: Error, Key: Hashable>: Operators.Port {
  @usableFromInline typealias Core = KeyedBufferCore<Element, Failure, Key>

  @usableFromInline let keys: [Key]
  @usableFromInline let start: Int  // the index of the first element in its run
  @usableFromInline let onDrop: ((Element) -> Void)?

  @inlinable init(_ keys: [Key], from start: Int, onDrop: ((Element) -> Void)?) {
    self.keys = keys
    self.start = start
    self.onDrop = onDrop
  }

  @inlinable var inlet: Int { 0 }
  @inlinable static var takesRuns: Bool { true }

  @inlinable func pass(run: inout ArraySlice<Element>, _ core: inout Core) -> ArraySlice<Element> {
    core.pass(run: &run)
  }

  @inlinable func receive(run: inout ArraySlice<Element>, _ core: inout Core, _ leftovers: inout [Element?]) {
    core.receive(run: &run, keys[(run.startIndex - start)...]) { if onDrop != nil { leftovers.append($0) } }
  }

  @inlinable func receive(_ input: Element, _ core: inout Core) -> Element? {
    preconditionFailure("a run is handed down in runs, because downstream takes them")
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    core.receive(completion: completion)
  }

  @inlinable func settle(_ leftover: Element?) {
    if let leftover { onDrop?(leftover) }
  }
}

@usableFromInline
struct KeyedBufferCore<Element, Failure: Error, Key: Hashable>: Operators.Core {
  @usableFromInline typealias Output = Element

  /// Without the element, which would make every delivery larger.
  @usableFromInline enum Effect {
    /// Make the error.
    case fail
    /// Mark the element in ``marked``, which follows a gap.
    case mark
  }

  @usableFromInline let strategy: Publishers.PrefetchStrategy
  @usableFromInline let fails: Bool  // whether a full buffer fails
  @usableFromInline let marksGaps: Bool
  @usableFromInline var queue: KeyedQueue<Element, Key>
  @usableFromInline var demand = Subscribers.Demand.none  // the unmet demand of downstream
  @usableFromInline var owed = Subscribers.Demand.none  // the demand to request from upstream
  @usableFromInline var end: Subscribers.Completion<Failure>?
  @usableFromInline var overflows = false  // whether the error must be made
  @usableFromInline var overflowed = false
  @usableFromInline var isMarking = false  // whether the first element is being marked
  @usableFromInline var marked: Element?  // that element
  @usableFromInline var givesRuns = false

  @inlinable init(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>,
    marksGaps: Bool
  ) {
    strategy = prefetch
    self.marksGaps = marksGaps
    switch whenFull {
    case .dropNewest:
      queue = KeyedQueue(size: size, dropsOldest: false, marksGaps: marksGaps)
      fails = false
    case .dropOldest:
      queue = KeyedQueue(size: size, dropsOldest: true, marksGaps: marksGaps)
      fails = false
    case .customError:
      queue = KeyedQueue(size: size, dropsOldest: false, marksGaps: marksGaps)
      fails = true
    }
  }

  @inlinable func prefetch(_ inlet: Int) -> Subscribers.Demand {
    strategy == .keepFull ? .max(queue.size) : .unlimited
  }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    demand += more
    // Without any place, only elements that downstream waits for are requested.
    if strategy == .keepFull, queue.size == 0 { owed += more }
  }

  @inlinable mutating func spend(_ count: Int = 1) {
    demand -= count
    if strategy == .keepFull, queue.size > 0 { owed += count }
  }

  /// Whether an element may pass. If a gap must be marked, the key must be looked up first. An element that has been
  /// marked is delivered first.
  @inlinable var mayPass: Bool {
    queue.count == 0 && queue.gaps == 0 && demand != .none && end == nil && !overflowed && !isMarking
      && marked == nil
  }

  @inlinable mutating func pass(_ input: Element) -> Element? {
    guard mayPass else { return nil }
    spend()
    return input
  }

  @inlinable mutating func pass(run: inout ArraySlice<Element>) -> ArraySlice<Element> {
    guard mayPass else { return [] }
    let passed = run.prefix(demand.max ?? .max)
    run.removeFirst(passed.count)
    spend(passed.count)
    return passed
  }

  /// Takes elements until one of them can be delivered, or until the error ends the stream.
  @inlinable mutating func receive(
    run: inout ArraySlice<Element>, _ keys: ArraySlice<Key>, _ drop: (Element?) -> Void
  ) {
    var keys = keys
    while let element = run.popFirst(), let key = keys.popFirst() {
      drop(receive(element, of: key))
      if overflows || demand != .none { return }
    }
  }

  /// - Returns: The element that was dropped.
  @inlinable mutating func receive(_ input: Element, of key: Key) -> Element? {
    guard end == nil else { return nil }
    if overflowed { return input }
    let dropped = queue.append(input, of: key, isWanted: (demand == .unlimited ? .max(1) : demand) > queue.count)
    if dropped != nil, fails {
      overflowed = true
      overflows = true
    }
    return dropped
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) {
    if end == nil { end = completion }
  }

  @inlinable mutating func fail(_ error: Failure) { end = .failure(error) }

  @inlinable mutating func giveRuns() { givesRuns = true }

  @inlinable mutating func takeRun() -> [Element] {
    var run: [Element] = []
    while demand != .none, queue.firstFollowsGap == false, let (element, _) = queue.popFirst() {
      run.append(element)
      spend()
    }
    return run
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if overflows {
      overflows = false
      return out.perform(.fail)
    }
    if case .failure(let error)? = end { return out.complete(.failure(error)) }
    if isMarking { return nil }
    if let element = marked {
      marked = nil
      return out.deliver(element)
    }
    if givesRuns, demand != .none, queue.count > 1, queue.firstFollowsGap == false { return .deliverRun }
    if demand != .none, let (element, followsGap) = queue.popFirst() {
      spend()
      guard followsGap, marksGaps else { return out.deliver(element) }
      isMarking = true
      marked = element
      return out.perform(.mark)
    }
    if owed != .none {
      defer { owed = .none }
      return .request(owed, inlet: 0)
    }
    return end != nil && queue.count == 0 ? out.complete(.finished) : nil
  }
}
