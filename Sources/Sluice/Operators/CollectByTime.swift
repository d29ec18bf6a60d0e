public import DequeModule

extension Publisher {
  /// Groups values into one array per interval of time, or until there are enough of them.
  ///
  /// ```swift
  /// readings.collect(.byTimeOrCount(queue, .seconds(1), 500))
  /// ```
  ///
  /// ```text
  /// upstream                           -1-2----3----45-6--|
  /// collect(.byTime(50 ms))            -----[12]-[3]--[45]([6]|)
  /// collect(.byTimeOrCount(50 ms, 2))  ---[12]---[3]-[45]-([6]|)
  /// ```
  ///
  /// The first interval begins with the subscription, and intervals follow each other. An interval without values makes
  /// no array. A finish delivers the values so far.
  ///
  /// - Demand: `.byTime` asks for everything; `.byTimeOrCount` for `count` values for each array.
  /// - Thread: The scheduler at the end of an interval; otherwise the thread of upstream or of a request.
  /// - Memory: With `.byTime` unbounded: an array without demand keeps growing. Otherwise up to the requested values.
  /// - Failure: Passes on upstream's at once, and discards the values of the incomplete array.
  @inlinable public func collect<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, S> {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}

extension Publishers {
  /// The condition that completes a group of values.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// At the end of each interval.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// At the end of each interval, and whenever there are `Int` values.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }

  /// Groups values into one array per interval of time.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: _DirectPublisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The condition that completes an array.
    public let strategy: TimeGroupingStrategy<Context>
    public let options: Context.SchedulerOptions?

    @inlinable public init(
      upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let (scheduler, interval, count) =
        switch strategy {
        case .byTime(let scheduler, let interval): (scheduler, interval, Int?.none)
        case .byTimeOrCount(let scheduler, let interval, let count): (scheduler, interval, count)
        }
      let core = CollectByTimeCore<Upstream.Output, Failure, Context.SchedulerTimeType>(
        start: scheduler.now, interval: interval, count: count)
      let conduit = Operators.Conduit(
        "CollectByTime", core, subscriber, on: scheduler, every: interval, options: options)
      upstream._attach(Operators.TimedInlet(conduit, scheduler))
    }
  }
}

@usableFromInline
struct CollectByTimeCore<Value, Failure: Error, Instant: Strideable>: Operators.TimedCore {
  @usableFromInline typealias Output = [Value]

  @usableFromInline let interval: Instant.Stride
  @usableFromInline let count: Int?
  @usableFromInline var start: Instant  // of the current interval, or of an earlier one
  @usableFromInline var alarm: Instant?  // the time of the needed turn
  @usableFromInline var lastAlarm: Instant?  // the time of the requested turn
  @usableFromInline var gathered: [Value] = []
  @usableFromInline var full: Deque<[Value]> = []
  @usableFromInline var elapsed = false  // `gathered` is complete
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var owed = Subscribers.Demand.none
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable init(start: Instant, interval: Instant.Stride, count: Int?) {
    self.start = start
    self.interval = interval
    self.count = count
  }

  @inlinable func prefetch(_ inlet: Int) -> Subscribers.Demand { count == nil ? .unlimited : .none }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    demand += more
    if let count { owed += more * count }
  }

  @inlinable mutating func receive(_ input: Value, at now: Instant) {
    guard end == nil else { return }
    if gathered.isEmpty {
      // The alarm is set only for intervals with values, so that silence costs nothing.
      start = Self.beginning(from: start, every: interval, at: now)
      alarm = start.advanced(by: interval)
      elapsed = false
      if let count { gathered.reserveCapacity(Swift.min(count, 1 << 10)) }
    }
    gathered.append(input)
    if let count, gathered.count >= count {
      full.append(gathered)
      gathered = []
      alarm = nil
    }
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>, at now: Instant) {
    guard end == nil else { return }
    end = completion
    elapsed = true
  }

  @inlinable mutating func turn(_ turn: Operators.Turn<Instant>, at now: Instant, drains: Bool) {
    // A turn that was requested before `count` was reached may come during a later interval.
    if now >= start.advanced(by: interval) {
      elapsed = true
    } else if case .after(let due) = turn, due == lastAlarm {
      lastAlarm = nil  // it came too early, because the clock was set back
    }
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if case .failure(let error)? = end { return out.complete(.failure(error)) }
    if let alarm, alarm != lastAlarm {
      lastAlarm = alarm
      return out.perform(.after(alarm))
    }
    if demand != .none {
      if let group = full.popFirst() {
        demand.spend()
        return out.deliver(group)
      }
      if elapsed, !gathered.isEmpty {
        demand.spend()
        defer { gathered = [] }
        return out.deliver(gathered)
      }
    }
    if owed != .none { return .request(owed.take(), inlet: 0) }
    return end != nil && full.isEmpty && gathered.isEmpty ? out.complete(.finished) : nil
  }

  /// The start of the interval that contains `now`. It needs few steps even if `start` is long ago.
  @inlinable static func beginning(from start: Instant, every interval: Instant.Stride, at now: Instant) -> Instant {
    var strides = [interval]
    // On an immediate scheduler, time never passes. No clock needs more than 62 doublings.
    while strides.count < 62, let widest = strides.last, start.advanced(by: widest) <= now {
      let next = widest + widest
      guard next > widest else { break }
      strides.append(next)
    }
    var start = start
    for stride in strides.reversed() {
      let next = start.advanced(by: stride)
      if next <= now { start = next }
    }
    return start
  }
}
