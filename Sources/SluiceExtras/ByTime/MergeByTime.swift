public import DequeModule
public import HeapModule
public import Sluice

extension Publishers {
  /// Merges several publishers in the order of the elements' times.
  ///
  /// Use it for live streams that are written to one file. Each stream is in order, but some are read later than
  /// others.
  ///
  /// ```swift
  /// import Sluice
  /// import SluiceExtras
  ///
  /// struct Sample { var time: Int64, sensor: Int? }
  ///
  /// struct SampleStamps: ElementStamps {
  ///   func key(of sample: Sample) -> Int? { sample.sensor }
  ///   func time(of sample: Sample) -> Int64 { sample.time }
  /// }
  ///
  /// let (left, right) = (PassthroughSubject<Sample, Never>(), PassthroughSubject<Sample, Never>())
  /// let inOrder = Publishers.MergeByTime(
  ///   [left, right], marks: PassthroughSubject<Sample, Never>(), by: SampleStamps(), onLate: { _ in })
  /// ```
  ///
  /// An element is delivered when every source has shown its time or a later one, or has ended. Elements with equal
  /// times are in the order of arrival. A mark promises that no source will send an earlier time; a clock can promise
  /// this for silent sources. The last mark is passed on. A mark is ignored while a source has already sent everything
  /// requested from it. An element that is earlier than a delivered element, or than the last mark, is late. It is
  /// delivered at once.
  ///
  /// It finishes when all sources have finished.
  ///
  /// If too many elements wait, the earliest is delivered without waiting. So a silent source, or a source with a clock
  /// that is ahead, cannot fill the memory. Earlier elements that come after that are late.
  ///
  /// - Demand: Asks each source for 256 elements ahead, or for everything if downstream wants everything. Asks for all
  ///   marks.
  /// - Thread: The thread of the upstream already delivering, or of a request: see Threads in `Sluice`.
  /// - Memory: Keeps elements that are newer than the slowest source or the last mark, up to 65,536.
  /// - Failure: Passes on the failure of any source or of the marks at once, and cancels the others.
  public struct MergeByTime<Upstream: Publisher, Marks: Publisher, Stamps: ElementStamps>: _DirectPublisher
  where
    Stamps.Element == Upstream.Output, Marks.Output == Upstream.Output, Marks.Failure == Upstream.Failure
  {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let sources: [Upstream]
    /// The publisher of marks. A mark promises that no source sends an earlier time.
    public let marks: Marks
    @usableFromInline let stamps: Stamps
    @usableFromInline let onLate: (inout Output) -> Void

    /// - Parameters:
    ///   - marks: Elements that promise that no source sends an earlier time.
    ///   - onLate: Called with each late element, before it is delivered.
    @inlinable public init(
      _ sources: [Upstream], marks: Marks, by stamps: Stamps, onLate: @escaping (inout Output) -> Void
    ) {
      self.sources = sources
      self.marks = marks
      self.stamps = stamps
      self.onLate = onLate
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      // Outside the lock, because the closure is foreign code.
      let onLate = onLate
      let core = MergeByTimeCore<Output, Failure, Stamps.Time>(sources: sources.count)
      let conduit = Operators.Conduit("MergeByTime", core, subscriber) { late, conduit in
        var late = late
        onLate(&late)
        conduit.amend { $0.marked = late }
      }
      conduit.open()
      for (inlet, source) in sources.enumerated() {
        source._attach(MergeByTimeInlet(conduit, inlet, stamps))
      }
      marks._attach(MergeByTimeInlet(conduit, sources.count, stamps))
    }
  }
}

/// The upstream side. It asks for the times outside the conduit's lock.
@usableFromInline
struct MergeByTimeInlet<Downstream: Subscriber, Stamps: ElementStamps>: Subscriber, Operators.Description
where Stamps.Element == Downstream.Input {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline typealias Core = MergeByTimeCore<Input, Failure, Stamps.Time>

  @usableFromInline let conduit: Operators.Conduit<Core, Downstream>
  @usableFromInline let inlet: Int
  @usableFromInline let stamps: Stamps

  @inlinable init(_ conduit: Operators.Conduit<Core, Downstream>, _ inlet: Int, _ stamps: Stamps) {
    self.conduit = conduit
    self.inlet = inlet
    self.stamps = stamps
  }

  @usableFromInline var name: StaticString { conduit.name }
  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

  @inlinable func receive(subscription: any Subscription) { conduit.connect(subscription, inlet) }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    let time = stamps.time(of: input)
    return conduit.feed(answering: inlet, passing: { _ in nil }, settling: { _ in }) {
      $0.receive(input, at: time, from: inlet)
    }
  }

  @inlinable var _takesRuns: Bool { conduit.takesRuns }

  @inlinable func _receive(run: ArraySlice<Input>) -> Operators.Taken {
    let times = run.withUnsafeBufferPointer { run in run.indices.map { stamps.time(of: run[$0]) } }
    return conduit.feed(run: run, MergeByTimeRunPort<Input, Failure, Stamps.Time>(times, from: run.startIndex, inlet))
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    conduit.disconnect(inlet)
    conduit.feed { $0.receive(completion: completion, from: inlet) }
  }
}

/// Takes one run into the core. The times of its elements were read before, outside the lock.
@usableFromInline
struct MergeByTimeRunPort<Element, Failure: Error, Time: Strideable>: Operators.Port {
  @usableFromInline typealias Core = MergeByTimeCore<Element, Failure, Time>

  @usableFromInline let times: [Time]
  @usableFromInline let start: Int  // the index of the first element in its run
  @usableFromInline let inlet: Int

  @inlinable init(_ times: [Time], from start: Int, _ inlet: Int) {
    self.times = times
    self.start = start
    self.inlet = inlet
  }

  @inlinable static var takesRuns: Bool { true }

  @inlinable func pass(run: inout ArraySlice<Element>, _ core: inout Core) -> ArraySlice<Element> {
    let passed = run.prefix(core.passing(times[(run.startIndex - start)...], from: inlet))
    run.removeFirst(passed.count)
    return passed
  }

  @inlinable func pass(_ input: Element, _ core: inout Core) -> Element? { nil }

  @inlinable func receive(run: inout ArraySlice<Element>, _ core: inout Core, _: inout [Void]) {
    for index in run.indices { core.receive(run[index], at: times[index - start], from: inlet) }
    run = []
  }

  @inlinable func receive(_ input: Element, _ core: inout Core) {
    preconditionFailure("a run is handed down in runs, because downstream takes them")
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    core.receive(completion: completion, from: inlet)
  }
}

@usableFromInline
struct MergeByTimeCore<Element, Failure: Error, Time: Strideable>: Operators.Core {
  @usableFromInline typealias Output = Element
  /// A late element. It comes back as ``marked``.
  @usableFromInline typealias Effect = Element

  @usableFromInline struct Entry: Comparable {
    @usableFromInline let time: Time
    @usableFromInline let number: Int  // counts all arrivals
    @usableFromInline let inlet: Int
    @usableFromInline let element: Element

    @inlinable init(time: Time, number: Int, inlet: Int, element: Element) {
      self.time = time
      self.number = number
      self.inlet = inlet
      self.element = element
    }

    @inlinable static func < (a: Self, b: Self) -> Bool {
      a.time == b.time ? a.number < b.number : a.time < b.time
    }
    @inlinable static func == (a: Self, b: Self) -> Bool { a.number == b.number }
  }

  /// The largest number of elements that wait for a source or a mark.
  @inlinable static var limit: Int { 65_536 }
  /// The number of elements requested from each source ahead.
  @inlinable static var window: Int { 256 }

  @usableFromInline let sources: Int
  @usableFromInline var held = Heap<Entry>()
  @usableFromInline var ready: Deque<(element: Element, inlet: Int, isLate: Bool)> = []
  /// The latest time that each source has shown; nil if it has shown none yet.
  @usableFromInline var shown: [Time?]
  @usableFromInline var hasEnded: [Bool]
  /// The latest time of a delivered element.
  @usableFromInline var released: Time?
  @usableFromInline var arrivals = 0
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var isStarted = false
  @usableFromInline var isConnected: [Bool]
  @usableFromInline var owed: [Subscribers.Demand]  // by inlet
  @usableFromInline var coming: [Subscribers.Demand]  // requested and not yet received, by inlet
  @usableFromInline var failure: Failure?
  @usableFromInline var isMarking = false
  @usableFromInline var givesRuns = false
  @usableFromInline var marked: Element?

  @inlinable init(sources: Int) {
    self.sources = sources
    shown = Array(repeating: nil, count: sources)
    hasEnded = Array(repeating: false, count: sources)
    isConnected = Array(repeating: false, count: sources + 1)
    owed = Array(repeating: .none, count: sources + 1)
    coming = owed
  }

  @inlinable var inlets: Int { sources + 1 }
  @inlinable static var hasManyInlets: Bool { true }

  @inlinable mutating func connected(_ inlet: Int) {
    isConnected[inlet] = true
    if inlet == sources { owed[inlet] = .unlimited } else if isStarted { owed[inlet] = ahead }
  }

  @inlinable var ahead: Subscribers.Demand { demand == .unlimited ? .unlimited : .max(Self.window) }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    let wasUnlimited = demand == .unlimited
    demand += more
    guard !isStarted || demand == .unlimited && !wasUnlimited else { return }
    isStarted = true
    for inlet in 0..<sources where isConnected[inlet] && !hasEnded[inlet] { owed[inlet] = ahead }
  }

  @inlinable mutating func receive(_ element: Element, at time: Time, from inlet: Int) {
    if inlet == sources {
      // The silence of a source shows nothing if nothing was requested from it.
      for source in 0..<sources where !hasEnded[source] && coming[source] == .none { return }
      for source in 0..<sources where shown[source].map({ $0 < time }) ?? true { shown[source] = time }
      release()
      if released.map({ $0 < time }) ?? true { released = time }
      // Of marks without demand, only the last is needed.
      if ready.last?.inlet == sources { ready.removeLast() }
      ready.append((element, inlet, false))
      return
    }
    coming[inlet] -= min(1, coming[inlet].max ?? .max)
    if shown[inlet].map({ $0 < time }) ?? true { shown[inlet] = time }
    if let released, time < released {
      ready.append((element, inlet, true))
    } else {
      arrivals += 1
      held.insert(Entry(time: time, number: arrivals, inlet: inlet, element: element))
    }
    release()
    if held.count > Self.limit { releaseFirst() }
  }

  /// - Returns: The number of elements at the start of a source's run that can be delivered now. They count as
  ///   delivered.
  @inlinable mutating func passing(_ times: ArraySlice<Time>, from inlet: Int) -> Int {
    guard inlet < sources, demand != .none, held.isEmpty, ready.isEmpty, !isMarking, marked == nil, failure == nil
    else { return 0 }
    var limit: Time?
    for other in 0..<sources where other != inlet && !hasEnded[other] {
      guard let shown = shown[other] else { return 0 }
      limit = limit.map { Swift.min($0, shown) } ?? shown
    }
    var count = 0
    for time in times.prefix(demand.max ?? .max) {
      if let released, time < released { break }
      if let limit, limit < time { break }
      released = time
      count += 1
    }
    guard count > 0, let last = released else { return 0 }
    if shown[inlet].map({ $0 < last }) ?? true { shown[inlet] = last }
    coming[inlet] -= min(count, coming[inlet].max ?? .max)
    demand -= count
    settle(inlet, count)
    return count
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>, from inlet: Int) {
    if case .failure(let error) = completion { failure = failure ?? error }
    guard inlet < sources else { return }
    hasEnded[inlet] = true
    release()
  }

  /// Releases the elements that no other element can precede any more.
  @inlinable mutating func release() {
    var limit: Time?
    for source in 0..<sources where !hasEnded[source] {
      guard let shown = shown[source] else { return }
      limit = limit.map { Swift.min($0, shown) } ?? shown
    }
    while let first = held.min, limit.map({ first.time <= $0 }) ?? true { releaseFirst() }
  }

  @inlinable mutating func releaseFirst() {
    guard let entry = held.popMin() else { return }
    released = entry.time
    ready.append((entry.element, entry.inlet, false))
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let failure { return out.complete(.failure(failure)) }
    if let element = marked {
      (marked, isMarking) = (nil, false)
      return out.deliver(element)
    }
    if isMarking { return nil }
    if givesRuns, demand != .none, ready.count > 1, !ready[0].isLate { return .deliverRun }
    if demand != .none, let (element, inlet, isLate) = ready.popFirst() {
      demand -= 1
      settle(inlet)
      if isLate {
        isMarking = true
        return out.perform(element)
      }
      return out.deliver(element)
    }
    if demand != .none, ready.isEmpty {
      // If everything requested from a source waits for another source, the needed element may come after it.
      for source in 0..<sources where isConnected[source] && !hasEnded[source] {
        if coming[source] == .none, owed[source] == .none { owed[source] = ahead }
      }
    }
    if let inlet = owed.firstIndex(where: { $0 != .none }) {
      coming[inlet] += owed[inlet]
      defer { owed[inlet] = .none }
      return .request(owed[inlet], inlet: inlet)
    }
    return ready.isEmpty && held.isEmpty && !hasEnded.contains(false) ? out.complete(.finished) : nil
  }

  @inlinable mutating func giveRuns() { givesRuns = true }

  @inlinable mutating func takeRun() -> [Element] {
    var run: [Element] = []
    while demand != .none, let (element, inlet, isLate) = ready.first, !isLate {
      ready.removeFirst()
      run.append(element)
      demand -= 1
      settle(inlet)
    }
    return run
  }

  /// Lets the source send as many elements as have been delivered.
  @inlinable mutating func settle(_ inlet: Int, _ count: Int = 1) {
    if inlet < sources, !hasEnded[inlet], demand != .unlimited { owed[inlet] += count }
  }
}
