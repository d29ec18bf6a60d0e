import DequeModule
import Sluice

extension Publisher {
  /// Gathers elements of each key into arrays, by a time that the elements carry, by their number, or both.
  ///
  /// Use it to hand on together what belongs together: the readings of each stream in each second. It looks at no clock,
  /// so the same elements always give the same groups, at any speed.
  ///
  /// ```swift
  /// import Sluice
  /// import SluiceExtras
  ///
  /// struct Sample { var time: Int64, sensor: Int?, value: Double }
  /// let samples = [Sample(time: 0, sensor: 1, value: 20.5), Sample(time: 4, sensor: 1, value: 20.6)]
  /// let groups = samples.publisher.collect(for: 10, count: 500, time: { $0.time }, key: { $0.sensor })
  /// ```
  ///
  /// A group begins with its first element. It ends when an element of whichever key shows a time that is an interval
  /// later, or when it has `count` elements; with neither it ends with upstream. Groups that have ended are delivered
  /// before the group of the element that showed it, in the order of their ends. An element without a key shows the time
  /// and is a group of its own. One that is earlier than the latest by one interval at most is late, and goes into its
  /// key's open group. One that is earlier by more begins time anew: all groups end.
  ///
  /// For each group that downstream wants it asks upstream for `count` elements, 256 at most, and for another in place of
  /// each that completes no group. Nothing is dropped because nobody wants it. A finish delivers the open groups, in the
  /// order of their beginning; a failure discards what has been gathered. Delivers on whichever upstream's thread is
  /// delivering already.
  ///
  /// Memory: the open groups, and those that the elements asked for already complete before anybody wants them. Nothing
  /// is kept of a key without an open group. Keys are compared under a lock: take numbers or strings.
  ///
  /// - Parameters:
  ///   - interval: In the unit of the elements' times; nil if no group ends by time. With zero or less a group ends with
  ///     the next element that has a time no earlier.
  ///   - count: Elements that complete a group; nil for no limit. Less than one counts as one.
  ///   - time: An element's time, in any unit and from any origin.
  ///   - key: The stream that an element belongs to; nil for one that only shows the time.
  @inlinable public func collect<Time: Strideable, Key: Hashable>(
    for interval: Time.Stride?, count: Int? = nil, time: @escaping (Output) -> Time, key: @escaping (Output) -> Key?
  ) -> Publishers.KeyedCollect<Self, Time, Key> {
    Publishers.KeyedCollect(upstream: self, interval: interval, count: count, time: time, key: key)
  }
}

extension Publishers {
  /// Gathers elements of each key into arrays, by a time that the elements carry, by their number, or both.
  public struct KeyedCollect<Upstream: Publisher, Time: Strideable, Key: Hashable>: _DirectPublisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let interval: Time.Stride?
    public let count: Int?
    @usableFromInline let time: (Upstream.Output) -> Time
    @usableFromInline let key: (Upstream.Output) -> Key?

    @inlinable init(
      upstream: Upstream, interval: Time.Stride?, count: Int?, time: @escaping (Upstream.Output) -> Time,
      key: @escaping (Upstream.Output) -> Key?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.count = count
      self.time = time
      self.key = key
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = KeyedCollectCore<Upstream.Output, Failure, Time, Key>(interval: interval, count: count)
      let conduit = Conduit("KeyedCollect", core, subscriber)
      let (time, key) = (time, key)
      upstream._attach(StampedInlet(conduit, KeyedCollectPort()) { TimeAndKey(time($0), key($0)) })
    }
  }
}

@usableFromInline
struct KeyedCollectPort<Element, Failure: Error, Time: Strideable, Key: Hashable>: StampedPort {
  @usableFromInline typealias Core = KeyedCollectCore<Element, Failure, Time, Key>
  @usableFromInline typealias Stamp = TimeAndKey<Time, Key>

  @inlinable init() {}

  @inlinable func receive(_ element: Element, _ stamp: Stamp, _ core: inout Core) { core.receive(element, stamp) }
  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    core.receive(completion: completion)
  }
  @inlinable func receive(
    run: inout ArraySlice<Element>, _ stamps: ArraySlice<Stamp>, _ core: inout Core, _: inout [Void]
  ) {
    core.receive(run: &run, stamps)
  }
}

@usableFromInline
struct KeyedCollectCore<Element, Failure: Error, Time: Strideable, Key: Hashable>: OperatorCore {
  @usableFromInline typealias Output = [Element]
  @usableFromInline typealias Stamp = TimeAndKey<Time, Key>

  /// Inputs that are asked for, for each group that is wanted.
  @usableFromInline let ratio: Int
  @usableFromInline var groups: CollectIntervals<Element, Time, Key>
  @usableFromInline var ready: Deque<[Element]> = []
  @usableFromInline var wanted = WantedInputs()
  @usableFromInline var owed = Subscribers.Demand.none  // to be asked for, beyond what is wanted now
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable init(interval: Time.Stride?, count: Int?) {
    groups = CollectIntervals(interval: interval, count: count)
    ratio = Swift.min(groups.limit, 256)
  }

  @inlinable var demand: Subscribers.Demand { wanted.demand }

  @inlinable mutating func request(_ more: Subscribers.Demand) { wanted.demand += more }

  @inlinable mutating func receive(_ element: Element, _ stamp: Stamp) {
    guard end == nil else { return }
    wanted.received()
    if groups.joins(element, at: stamp.time, of: stamp.key) { return }
    groups.receive(element, at: stamp.time, of: stamp.key, into: &ready)
  }

  /// Takes elements until they complete a group that is wanted: what it is answered with comes before the next.
  @inlinable mutating func receive(run: inout ArraySlice<Element>, _ stamps: ArraySlice<Stamp>) {
    var stamps = stamps
    while let element = run.popFirst(), let stamp = stamps.popFirst() {
      receive(element, stamp)
      if !ready.isEmpty, wanted.demand != .none { return }
      if end == nil, let more = wanted.next(perOutput: ratio) { owed += more }
    }
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) {
    guard end == nil else { return }
    end = completion
    if case .finished = completion { groups.endAll(into: &ready) }
  }

  @inlinable mutating func next(_ out: inout Outbox<Self>) -> Action? {
    if case .failure(let error)? = end { return out.complete(.failure(error)) }
    if wanted.demand != .none, let group = ready.popFirst() {
      wanted.demand -= 1
      return out.deliver(group)
    }
    if end != nil { return ready.isEmpty ? out.complete(.finished) : nil }
    owed += wanted.next(perOutput: ratio) ?? .none
    if owed == .none { return nil }
    defer { owed = .none }
    return .request(owed, inlet: 0)
  }
}
