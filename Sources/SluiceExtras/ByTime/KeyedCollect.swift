public import DequeModule
public import Sluice

extension Publisher {
  /// Groups elements of each key into arrays, by the time of the elements, by their number, or both.
  ///
  /// Use it to pass on the readings of each stream per second together. It reads no clock, so the same elements always
  /// give the same groups, at any speed.
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
  /// A group begins with its first element. It ends when an element of any key has a time that is an interval later, or
  /// when it has `count` elements. With neither, it ends with upstream. Groups that have ended are delivered before the
  /// group of the element that ended them, in the order of their ends. An element without a key shows the time, and is
  /// a group by itself. An element that is earlier than the latest one by at most one interval is late, and goes into
  /// the open group of its key. If it is earlier by more than that, time starts again: all groups end.
  ///
  /// Missing demand drops nothing. A finish delivers the open groups, in the order of their starts. Keys are compared
  /// for each element: use numbers or strings.
  ///
  /// - Parameters:
  ///   - interval: The interval in the unit of the elements' times; nil if no group ends by time. If it is zero or
  ///     less, a group ends with the next element that is not earlier.
  ///   - count: The number of elements that complete a group; nil for no limit. Less than one counts as one.
  ///   - time: The time of an element, in any unit and from any origin.
  ///   - key: The stream of an element; nil for an element that only shows the time.
  ///
  /// - Demand: Asks for `count` elements, at most 256, for each requested group, and for one more for each element that
  ///   completes no group.
  /// - Thread: The thread of the upstream already delivering, or of a request: see Threads in `Sluice`.
  /// - Memory: Keeps the open groups, and complete groups without demand. Keeps nothing for a key without an open
  ///   group.
  /// - Failure: Passes on upstream's at once, and discards the open groups.
  @inlinable public func collect<Time: Strideable, Key: Hashable>(
    for interval: Time.Stride?, count: Int? = nil, time: @escaping (Output) -> Time, key: @escaping (Output) -> Key?
  ) -> Publishers.KeyedCollect<Self, ClosureStamps<Output, Time, Key>> {
    collect(for: interval, count: count, by: ClosureStamps(time: time, key: key))
  }

  /// Takes a type that returns the time and the key of each element.
  @inlinable public func collect<Stamps: ElementStamps<Output>>(
    for interval: Stamps.Time.Stride?, count: Int? = nil, by stamps: Stamps
  ) -> Publishers.KeyedCollect<Self, Stamps> {
    Publishers.KeyedCollect(upstream: self, interval: interval, count: count, stamps: stamps)
  }
}

extension Publishers {
  /// Groups elements of each key into arrays, by the time of the elements, by their number, or both.
  public struct KeyedCollect<Upstream: Publisher, Stamps: ElementStamps>: _DirectPublisher
  where Stamps.Element == Upstream.Output {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The length of an interval, in the unit of the elements' times; nil if no group ends by time.
    public let interval: Stamps.Time.Stride?
    /// The number of elements that complete a group; nil for no limit.
    public let count: Int?
    @usableFromInline let stamps: Stamps

    @inlinable init(upstream: Upstream, interval: Stamps.Time.Stride?, count: Int?, stamps: Stamps) {
      self.upstream = upstream
      self.interval = interval
      self.count = count
      self.stamps = stamps
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(KeyedCollectSubscriber(subscriber, interval: interval, count: count, stamps: stamps))
    }
  }
}

@usableFromInline
final class KeyedCollectSubscriber<Downstream: Subscriber, Stamps: ElementStamps>: Subscriber, Operators.Description,
  @unchecked Sendable
where Downstream.Input == [Stamps.Element] {
  // Only the upstream, with serial calls, uses `groups` and `ended`; the conduit protects itself. So the closures,
  // which are foreign code, run without a lock.

  @usableFromInline typealias Element = Stamps.Element
  @usableFromInline typealias Input = Element
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline typealias Queue = OutputQueue<[Element], Failure>

  @usableFromInline let conduit: Operators.Conduit<Queue, Downstream>
  @usableFromInline let stamps: Stamps
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var groups: CollectIntervals<Element, Stamps.Time, Stamps.Key>
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var ended = Deque<[Element]>()

  @inlinable init(_ downstream: Downstream, interval: Stamps.Time.Stride?, count: Int?, stamps: Stamps) {
    groups = CollectIntervals(interval: interval, count: count)
    conduit = Operators.Conduit(
      "KeyedCollect", Queue(ratio: Swift.min(groups.limit, 256), failsAtOnce: true), downstream)
    self.stamps = stamps
  }

  @usableFromInline var name: StaticString { conduit.name }
  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

  @inlinable func receive(subscription: any Subscription) { conduit.connect(subscription, 0) }

  @inlinable func receive(_ input: Element) -> Subscribers.Demand {
    take(input)
    return handOver(inputs: 1)
  }

  @inlinable func take(_ input: Element) {
    let (time, key) = (stamps.time(of: input), stamps.key(of: input))
    if !groups.joins(input, at: time, of: key) { groups.receive(input, at: time, of: key, into: &ended) }
  }

  @inlinable func handOver(inputs count: Int) -> Subscribers.Demand {
    let more = conduit.feed(answering: 0, passing: { _ in nil }, settling: { _ in }) {
      $0.receive(inputs: count, &ended)
    }
    // Outputs after the end are discarded.
    if !ended.isEmpty { ended = [] }
    return more
  }

  @inlinable var _takesRuns: Bool { true }

  @inlinable func _receive(run: ArraySlice<Element>) -> Operators.Taken {
    var taken = Operators.Taken(count: 0, demand: .none, isOver: false)
    var rest = run
    while !rest.isEmpty, !taken.isOver {
      var count = 0
      while ended.isEmpty, !rest.isEmpty {
        let joining = groups.join(rest, by: stamps)
        rest.removeFirst(joining)
        count += joining
        if joining == 0, let input = rest.popFirst() {
          take(input)
          count += 1
        }
      }
      taken.demand += handOver(inputs: count)
      taken.count += count
      taken.isOver = conduit.isOver
    }
    return taken
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    conduit.disconnect(0)
    if case .finished = completion { groups.endAll(into: &ended) }
    let last = ended
    ended = []
    conduit.feed { $0.receive(completion: completion, last) }
  }
}
