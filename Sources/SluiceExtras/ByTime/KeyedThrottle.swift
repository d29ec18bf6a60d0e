public import DequeModule
public import Sluice

extension Publisher {
  /// Passes at most one element of each key per interval, by the time of the elements.
  ///
  /// Use it for recorded elements, and for live readings if a replay must give the same result. It reads no clock, so
  /// the same elements always give the same output, at any speed.
  ///
  /// ```swift
  /// import Sluice
  /// import SluiceExtras
  ///
  /// struct Sample { var time: Int64, sensor: Int?, value: Double }
  /// let samples = [Sample(time: 0, sensor: 1, value: 20.5), Sample(time: 4, sensor: 1, value: 20.6)]
  /// let slow = samples.publisher.throttle(for: 10, latest: true, time: { $0.time }, key: { $0.sensor })
  /// ```
  ///
  /// The first element of a key passes at once and opens an interval. Of the elements within the interval, the last one
  /// is held, or with `latest: false` the first one. It is delivered when the interval has ended, and opens the next
  /// interval. Combine's throttle does the same with the time of a scheduler.
  ///
  /// An interval has ended when an element of any key has a time at or past its end. Held elements are delivered before
  /// that element, in the order in which the intervals end. An element without a key shows the time, and passes. An
  /// element that is earlier than the latest one by at most one interval is late, and belongs to the open interval of
  /// its key. If it is earlier by more than that, time starts again: all intervals end, and held elements are
  /// delivered.
  ///
  /// Missing demand drops nothing. A finish delivers the held elements. Keys are compared for each element: use numbers
  /// or strings.
  ///
  /// - Parameters:
  ///   - interval: The interval in the unit of the elements' times. If it is zero or less, everything passes.
  ///   - latest: Whether the last element of an interval is delivered at its end, not the first.
  ///   - time: The time of an element, in any unit and from any origin.
  ///   - key: The stream of an element; nil for an element that only shows the time.
  ///   - onDiscard: Called with each element that is left out, on the thread of the element that caused this.
  ///
  /// - Demand: Passes through, and asks for one more for each element without output.
  /// - Thread: The thread of the upstream already delivering, or of a request: see Threads in `Sluice`.
  /// - Memory: Keeps one element per key with an open interval, and as many that wait for demand. Keeps nothing for a
  ///   key without an open interval.
  /// - Failure: Passes on upstream's, after the held elements for which there is demand.
  @inlinable public func throttle<Time: Strideable, Key: Hashable>(
    for interval: Time.Stride, latest: Bool, time: @escaping (Output) -> Time, key: @escaping (Output) -> Key?,
    onDiscard: ((Output) -> Void)? = nil
  ) -> Publishers.KeyedThrottle<Self, ClosureStamps<Output, Time, Key>> {
    throttle(for: interval, latest: latest, by: ClosureStamps(time: time, key: key), onDiscard: onDiscard)
  }

  /// Takes a type that returns the time and the key of each element.
  @inlinable public func throttle<Stamps: ElementStamps<Output>>(
    for interval: Stamps.Time.Stride, latest: Bool, by stamps: Stamps, onDiscard: ((Output) -> Void)? = nil
  ) -> Publishers.KeyedThrottle<Self, Stamps> {
    Publishers.KeyedThrottle(
      upstream: self, interval: interval, latest: latest, stamps: stamps, onDiscard: onDiscard)
  }
}

extension Publishers {
  /// Passes at most one element of each key per interval, by the time of the elements.
  public struct KeyedThrottle<Upstream: Publisher, Stamps: ElementStamps>: _DirectPublisher
  where Stamps.Element == Upstream.Output {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The length of an interval, in the unit of the elements' times.
    public let interval: Stamps.Time.Stride
    /// Whether the last element of an interval is delivered, not the first.
    public let latest: Bool
    @usableFromInline let stamps: Stamps
    @usableFromInline let onDiscard: ((Output) -> Void)?

    @inlinable init(
      upstream: Upstream, interval: Stamps.Time.Stride, latest: Bool, stamps: Stamps, onDiscard: ((Output) -> Void)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.latest = latest
      self.stamps = stamps
      self.onDiscard = onDiscard
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(
        KeyedThrottleSubscriber(subscriber, interval: interval, latest: latest, stamps: stamps, onDiscard: onDiscard))
    }
  }
}

@usableFromInline
final class KeyedThrottleSubscriber<Downstream: Subscriber, Stamps: ElementStamps>: Subscriber, Operators.Description,
  @unchecked Sendable
where Stamps.Element == Downstream.Input {
  // Only the upstream, with serial calls, uses `intervals` and `outputs`; the conduit protects itself. So the closures,
  // which are foreign code, run without a lock.

  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline typealias Queue = OutputQueue<Input, Failure>

  @usableFromInline let conduit: Operators.Conduit<Queue, Downstream>
  @usableFromInline let stamps: Stamps
  @usableFromInline let onDiscard: ((Input) -> Void)?
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var intervals: ThrottleIntervals<Input, Stamps.Time, Stamps.Key>
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var outputs = Deque<Input>()

  @inlinable init(
    _ downstream: Downstream, interval: Stamps.Time.Stride, latest: Bool, stamps: Stamps,
    onDiscard: ((Input) -> Void)?
  ) {
    conduit = Operators.Conduit("KeyedThrottle", Queue(ratio: 1, failsAtOnce: false), downstream)
    self.stamps = stamps
    self.onDiscard = onDiscard
    intervals = ThrottleIntervals(interval: interval, latest: latest)
  }

  @usableFromInline var name: StaticString { conduit.name }
  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(conduit) }

  @inlinable func receive(subscription: any Subscription) { conduit.connect(subscription, 0) }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    take(input) ? Operators.Inlet(conduit, PassingPort()).receive(input) : handOver(inputs: 1)
  }

  @inlinable func handOver(inputs count: Int) -> Subscribers.Demand {
    let more = conduit.feed(answering: 0, passing: { _ in nil }, settling: { _ in }) {
      $0.receive(inputs: count, &outputs)
    }
    // Outputs after the end are discarded.
    if !outputs.isEmpty { outputs = [] }
    return more
  }

  /// - Returns: Whether the element alone is delivered, unchanged. If not, the elements to deliver are in `outputs`.
  @inlinable func take(_ input: Input) -> Bool {
    let (time, key) = (stamps.time(of: input), stamps.key(of: input))
    switch intervals.fate(at: time, of: key) {
    case .passes: return true
    case .meets(let slot):
      discard(intervals.meet(input, in: slot))
    case .undecided:
      discard(intervals.receive(input, at: time, of: key, into: &outputs))
    }
    return false
  }

  @inlinable func discard(_ input: Input?) {
    if let input, let onDiscard, !conduit.isOver { onDiscard(input) }
  }

  @inlinable var _takesRuns: Bool { true }

  @inlinable func _receive(run: ArraySlice<Input>) -> Operators.Taken {
    var taken = Operators.Taken(count: 0, demand: .none, isOver: false)
    var rest = run
    while !rest.isEmpty, !taken.isOver {
      let passing = rest.prefix(intervals.passing(rest, by: stamps))
      if !passing.isEmpty {
        let below = conduit.feed(run: passing, PassingPort())
        taken.count += below.count
        taken.demand += below.demand
        taken.isOver = below.isOver
        rest.removeFirst(passing.count)
        continue
      }
      // Elements without output, and one with output.
      var count = 0
      while outputs.isEmpty, let input = rest.popFirst() {
        if take(input) { outputs.append(input) }
        count += 1
      }
      taken.demand += handOver(inputs: count)
      taken.count += count
      taken.isOver = conduit.isOver
    }
    return taken
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    conduit.disconnect(0)
    intervals.endAll(into: &outputs)
    let last = outputs
    outputs = []
    conduit.feed { $0.receive(completion: completion, last) }
  }
}
