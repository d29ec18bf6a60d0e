import DequeModule
import Sluice

extension Publisher {
  /// Lets through at most one element of each key in each interval, by a time that the elements carry.
  ///
  /// Use it for what was recorded, and for live readings whose recording is to replay alike: it looks at no clock, so
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
  /// The first element of a key passes at once and opens an interval. Of those that come within it the
  /// last one, or with `latest: false` the first one, is held and delivered when the interval has ended, which opens the
  /// next: what Combine's throttle does with a scheduler's time.
  ///
  /// An interval has ended when an element of whichever key shows a time at or past its end. What was held is delivered
  /// before that element, in the order in which the intervals end. An element without a key shows the time and passes.
  /// One that is earlier than the latest by one interval at most is late, and belongs to its key's open interval. One
  /// that is earlier by more begins time anew: all intervals end, and what was held is delivered.
  ///
  /// Asks upstream for as many elements as downstream wants, and for another in place of each that gives no output.
  /// Nothing is dropped because nobody wants it. A finish delivers what is held. A failure does too, as far as it has
  /// been asked for. Delivers on whichever upstream's thread is delivering already.
  ///
  /// Memory: at most one element held for each key with an open interval, and as many that wait to be asked for. Nothing
  /// is kept of a key whose interval has ended. Keys are compared under a lock: take numbers or strings.
  ///
  /// - Parameters:
  ///   - interval: In the unit of the elements' times. With zero or less everything passes.
  ///   - latest: Whether the last element of an interval is delivered at its end, or the first.
  ///   - time: An element's time, in any unit and from any origin.
  ///   - key: The stream that an element belongs to; nil for one that only shows the time.
  ///   - onDiscard: Gets each element that is left out, on the thread that brought the one which decided it.
  @inlinable public func throttle<Time: Strideable, Key: Hashable>(
    for interval: Time.Stride, latest: Bool, time: @escaping (Output) -> Time, key: @escaping (Output) -> Key?,
    onDiscard: ((Output) -> Void)? = nil
  ) -> Publishers.KeyedThrottle<Self, Time, Key> {
    Publishers.KeyedThrottle(
      upstream: self, interval: interval, latest: latest, time: time, key: key, onDiscard: onDiscard)
  }
}

extension Publishers {
  /// Lets through at most one element of each key in each interval, by a time that the elements carry.
  public struct KeyedThrottle<Upstream: Publisher, Time: Strideable, Key: Hashable>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let interval: Time.Stride
    public let latest: Bool
    @usableFromInline let time: (Output) -> Time
    @usableFromInline let key: (Output) -> Key?
    @usableFromInline let onDiscard: ((Output) -> Void)?

    @inlinable init(
      upstream: Upstream, interval: Time.Stride, latest: Bool, time: @escaping (Output) -> Time,
      key: @escaping (Output) -> Key?, onDiscard: ((Output) -> Void)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.latest = latest
      self.time = time
      self.key = key
      self.onDiscard = onDiscard
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = KeyedThrottleCore<Output, Failure, Time, Key>(interval: interval, latest: latest)
      let conduit = Conduit("KeyedThrottle", core, subscriber)
      let port = KeyedThrottlePort<Output, Failure, Time, Key>(onDiscard: onDiscard)
      let (time, key) = (time, key)
      upstream._attach(StampedInlet(conduit, port) { TimeAndKey(time($0), key($0)) })
    }
  }
}

@usableFromInline
struct KeyedThrottlePort<Element, Failure: Error, Time: Strideable, Key: Hashable>: StampedPort {
  @usableFromInline typealias Core = KeyedThrottleCore<Element, Failure, Time, Key>
  @usableFromInline typealias Stamp = TimeAndKey<Time, Key>
  @usableFromInline let onDiscard: ((Element) -> Void)?

  @inlinable init(onDiscard: ((Element) -> Void)?) { self.onDiscard = onDiscard }

  @inlinable func pass(_ element: Element, _ stamp: Stamp, _ core: inout Core) -> Element? {
    core.pass(element, stamp)
  }
  @inlinable func receive(_ element: Element, _ stamp: Stamp, _ core: inout Core) -> Element? {
    core.receive(element, stamp)
  }
  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    core.receive(completion: completion)
  }
  @inlinable func pass(
    run: inout ArraySlice<Element>, _ stamps: ArraySlice<Stamp>, _ core: inout Core
  ) -> ArraySlice<Element> {
    core.pass(run: &run, stamps)
  }
  @inlinable func receive(
    run: inout ArraySlice<Element>, _ stamps: ArraySlice<Stamp>, _ core: inout Core, _ leftovers: inout [Element?]
  ) {
    core.receive(run: &run, stamps) { if onDiscard != nil { leftovers.append($0) } }
  }
  @inlinable func settle(_ leftover: Element?) {
    if let leftover { onDiscard?(leftover) }
  }
}

@usableFromInline
struct KeyedThrottleCore<Element, Failure: Error, Time: Strideable, Key: Hashable>: OperatorCore {
  @usableFromInline typealias Output = Element
  @usableFromInline typealias Stamp = TimeAndKey<Time, Key>

  @usableFromInline var intervals: ThrottleIntervals<Element, Time, Key>
  @usableFromInline var ready: Deque<Element> = []
  @usableFromInline var wanted = WantedInputs()
  @usableFromInline var end: Subscribers.Completion<Failure>?
  @usableFromInline var met = -1  // the slot that `pass` has found for the element that `receive` gets right after it

  @inlinable init(interval: Time.Stride, latest: Bool) {
    intervals = ThrottleIntervals(interval: interval, latest: latest)
  }

  @inlinable var demand: Subscribers.Demand { wanted.demand }

  @inlinable mutating func request(_ more: Subscribers.Demand) { wanted.demand += more }

  @inlinable var mayPass: Bool { wanted.demand != .none && ready.isEmpty && end == nil }

  @inlinable mutating func pass(_ element: Element, _ stamp: Stamp) -> Element? {
    guard mayPass else { return nil }
    switch intervals.fate(at: stamp.time, of: stamp.key) {
    case .passes:
      wanted.received()
      wanted.demand -= 1
      return element
    case .meets(let slot): met = slot
    case .undecided: break
    }
    return nil
  }

  @inlinable mutating func pass(run: inout ArraySlice<Element>, _ stamps: ArraySlice<Stamp>) -> ArraySlice<Element> {
    guard mayPass else { return [] }
    let wish = run.prefix(wanted.demand.max ?? .max).count
    var count = 0
    passing: for stamp in stamps.prefix(wish) {
      switch intervals.fate(at: stamp.time, of: stamp.key) {
      case .passes: count += 1
      case .meets(let slot):
        // Of no use if others go before it: it is looked for again.
        met = count == 0 ? slot : -1
        break passing
      case .undecided: break passing
      }
    }
    let passed = run.prefix(count)
    run.removeFirst(count)
    wanted.received(count)
    wanted.demand -= count
    return passed
  }

  /// - Returns: What was left out.
  @inlinable mutating func receive(_ element: Element, _ stamp: Stamp) -> Element? {
    guard end == nil else { return nil }
    wanted.received()
    if met >= 0 {
      defer { met = -1 }
      return intervals.meet(element, in: met)
    }
    return intervals.receive(element, at: stamp.time, of: stamp.key, into: &ready)
  }

  /// Takes one element, and those after it that are left out or held.
  @inlinable mutating func receive(
    run: inout ArraySlice<Element>, _ stamps: ArraySlice<Stamp>, _ discard: (Element?) -> Void
  ) {
    var stamps = stamps
    while let element = run.popFirst(), let stamp = stamps.popFirst() {
      discard(receive(element, stamp))
      guard mayPass, let following = stamps.first else { return }
      switch intervals.fate(at: following.time, of: following.key) {
      case .meets(let slot): met = slot
      case .undecided: return
      case .passes:
        // Taken into account by now.
        if let element = run.popFirst() {
          wanted.received()
          ready.append(element)
        }
        return
      }
    }
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) {
    guard end == nil else { return }
    end = completion
    intervals.endAll(into: &ready)
  }

  @inlinable mutating func next(_ out: inout Outbox<Self>) -> Action? {
    if out.takesRuns, wanted.demand != .none, ready.count > 1 {
      let run = Array(ready.prefix(wanted.demand.max ?? .max))
      ready.removeFirst(run.count)
      wanted.demand -= run.count
      return out.deliver(run: run)
    }
    if wanted.demand != .none, let element = ready.popFirst() {
      wanted.demand -= 1
      return out.deliver(element)
    }
    switch end {
    case .failure(let error)?: return out.complete(.failure(error))
    case .finished?: return ready.isEmpty ? out.complete(.finished) : nil
    case nil: return wanted.next(perOutput: 1).map { .request($0, inlet: 0) }
    }
  }
}
