public import DequeModule
public import Sluice

extension Publisher {
  /// Gathers elements of each key into arrays, by a time that the elements carry, by their number, or both.
  ///
  /// Use it to pass on together what belongs together: the readings of each stream in each second. It looks at no clock,
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
  /// A group begins with its first element. It ends when an element of any key shows a time that is an interval later, or
  /// when it has `count` elements; with neither, it ends with upstream. Groups that have ended are delivered before the
  /// group of the element that ended them, in the order of their ends. An element without a key shows the time and is a
  /// group by itself. An element that is earlier than the latest one, by one interval at most, is late, and goes into the
  /// open group of its key. If it is earlier by more than that, time starts again: all groups end.
  ///
  /// Nothing is dropped because of missing demand. A finish delivers the open groups, in the order of their beginning.
  /// Keys are compared for each element: use numbers or strings.
  ///
  /// - Parameters:
  ///   - interval: In the unit of the elements' times; nil if no group ends by time. If it is zero or less, a group ends
  ///     with the next element whose time is not earlier.
  ///   - count: The number of elements that complete a group; nil for no limit. Less than one counts as one.
  ///   - time: An element's time, in any unit and from any origin.
  ///   - key: The stream that an element belongs to; nil for one that only shows the time.
  ///
  /// - Demand: Asks for `count` elements for each group that downstream wants, 256 at most, and for one more for each
  ///   that completes no group.
  /// - Thread: Where the upstream already delivering does, or where downstream requests: see Threads in `Sluice`.
  /// - Memory: Keeps the open groups, and groups that are complete before downstream wants them; nothing of a key
  ///   without an open group.
  /// - Failure: Passes on upstream's at once; what has been gathered is discarded.
  @inlinable public func collect<Time: Strideable, Key: Hashable>(
    for interval: Time.Stride?, count: Int? = nil, time: @escaping (Output) -> Time, key: @escaping (Output) -> Key?
  ) -> Publishers.KeyedCollect<Self, ClosureStamps<Output, Time, Key>> {
    collect(for: interval, count: count, by: ClosureStamps(time: time, key: key))
  }

  /// The same, with a type that tells each element's time and key.
  @inlinable public func collect<Stamps: ElementStamps<Output>>(
    for interval: Stamps.Time.Stride?, count: Int? = nil, by stamps: Stamps
  ) -> Publishers.KeyedCollect<Self, Stamps> {
    Publishers.KeyedCollect(upstream: self, interval: interval, count: count, stamps: stamps)
  }
}

extension Publishers {
  /// Gathers elements of each key into arrays, by a time that the elements carry, by their number, or both.
  public struct KeyedCollect<Upstream: Publisher, Stamps: ElementStamps>: _DirectPublisher
  where Stamps.Element == Upstream.Output {
    /// Arrays of upstream's values.
    public typealias Output = [Upstream.Output]
    /// The type of upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The publisher that this one gets its values from.
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

    /// Attaches a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(KeyedCollectSubscriber(subscriber, interval: interval, count: count, stamps: stamps))
    }
  }
}

@usableFromInline
final class KeyedCollectSubscriber<Downstream: Subscriber, Stamps: ElementStamps>: Subscriber, Operators.Description,
  @unchecked Sendable
where Downstream.Input == [Stamps.Element] {
  // Only the upstream, whose calls are serial, touches `groups` and `ended`; the conduit protects itself. So the closures,
  // which are the user's, run without a lock.

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
    // Nobody takes what comes after the end.
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
