import DequeModule
import Dispatch
public import Sluice
public import SluiceReadings

/// The readings of a recording on their way to its outputs, for whoever looks at them while it runs.
///
/// ```swift
/// let watching = recording.readings.holding(100) { print($0, "missed") }
///   .sink { reading in print(reading.time, reading.values[0]) }
/// ```
///
/// Each subscriber has its own demand and its own place for readings that it has not asked for yet: the recording never
/// waits for it. If the place is full, the oldest readings leave it. They are counted, and the next reading of their
/// stream has `Reading.Flags.gapBefore`.
///
/// A subscriber gets the readings since its subscription, after all stages, also those that a pause then discards. It
/// gets them on a queue of its own. The end of the recording finishes it, after the readings that it still has.
public struct RecordingReadings: Publisher {
  public typealias Output = Reading
  /// It does not fail: the errors of sources and outputs are events of the recording.
  public typealias Failure = Never

  private let tap: ReadingTap
  private var limit = 1_024
  private var missed: @Sendable (Int) -> Void = { _ in }
  private var interval: TimeSpan?

  init(_ tap: ReadingTap) { self.tap = tap }

  /// The same readings with another place for those that a subscriber has not asked for.
  /// - Parameters:
  ///   - count: The number of readings that the place holds, 1 or more; 1,024 by default.
  ///   - missed: Called with the number of readings that have left the place since the last call, before the reading
  ///     that follows the gap, on the queue of the subscriber.
  public func holding(_ count: Int, missed: @escaping @Sendable (Int) -> Void = { _ in }) -> RecordingReadings {
    var readings = self
    readings.limit = Swift.max(1, count)
    readings.missed = missed
    return readings
  }

  /// The same readings, delivered once per interval instead of as soon as they come. It is for a viewer that draws now
  /// and then: each delivery wakes a thread, which costs more than the readings themselves.
  ///
  /// They are delivered earlier if half of the place is full, and if the subscriber asks for it: the subscription is a
  /// ``ReadingSubscription``.
  /// - Parameter interval: The time in which readings gather.
  public func gathered(for interval: TimeSpan) -> RecordingReadings {
    var readings = self
    readings.interval = interval
    return readings
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
    let viewer = ReadingViewer(AnySubscriber(subscriber), limit, missed, interval) { [weak tap] in tap?.remove($0) }
    subscriber.receive(subscription: viewer)
    tap.add(viewer)
  }
}

/// A subscription of ``RecordingReadings``.
package protocol ReadingSubscription: Subscription {
  /// Takes only the readings of these streams from now on. Readings of other streams do not come, and do not count as
  /// missed.
  func select(_ streams: Set<StreamID>)
  /// Delivers what has gathered before it returns, on the thread of the caller, which is none of the subscriber's calls.
  func deliverNow()
}

/// A subscription of ``RecordingReadings``: a bounded queue of readings, which its own dispatch queue delivers.
final class ReadingViewer: ReadingSubscription, @unchecked Sendable {
  // The lock protects `state`. The subscriber is called on `queue` only, and everything else does not change.

  private struct State {
    var subscriber: AnySubscriber<Reading, Never>?
    var waiting: Deque<Reading> = []
    /// The streams whose readings it takes; nil for all.
    var streams: Set<StreamID>?
    var demand = Subscribers.Demand.none
    var missed = 0
    /// The streams of missed readings, and no reading delivered since.
    var gaps: Set<StreamID> = []
    /// Whether a delivery runs, or will run.
    var isDelivering = false
    /// Whether it waits for more readings.
    var isGathering = false
    var hasEnded = false
  }

  /// The readings per call, so that a cancel has not to wait for many.
  private static var most: Int { 256 }

  private let state: Locked<State>
  private let limit: Int
  private let missed: @Sendable (Int) -> Void
  private let cancelled: @Sendable (ReadingViewer) -> Void
  /// The time in which readings gather; nil to deliver at once.
  private let interval: TimeSpan?
  private let queue = DispatchQueue(label: "sluice.viewer")

  init(
    _ subscriber: AnySubscriber<Reading, Never>, _ limit: Int, _ missed: @escaping @Sendable (Int) -> Void,
    _ interval: TimeSpan? = nil, cancelled: @escaping @Sendable (ReadingViewer) -> Void
  ) {
    state = Locked(State(subscriber: subscriber))
    (self.limit, self.missed, self.interval, self.cancelled) = (limit, missed, interval, cancelled)
  }

  // MARK: The recording

  func take(_ readings: ArraySlice<Reading>) {
    deliverIfNeeded { state in
      for reading in readings { add(reading, to: &state) }
    }
  }

  /// Takes one reading, without what a run needs.
  func take(_ reading: Reading) { deliverIfNeeded { add(reading, to: &$0) } }

  private func add(_ reading: Reading, to state: inout State) {
    // A reading of no stream only tells stages the time.
    guard reading.stream != .none, state.streams?.contains(reading.stream) ?? true else { return }
    if state.waiting.count == limit, let oldest = state.waiting.popFirst() {
      state.missed += 1
      state.gaps.insert(oldest.stream)
    }
    state.waiting.append(reading)
  }

  func end() { deliverIfNeeded { $0.hasEnded = true } }

  private enum Delivery { case none, now, later }

  /// Changes the state, and lets the queue deliver if there is something to deliver.
  private func deliverIfNeeded(_ change: (inout State) -> Void) {
    let delivery = state.withLock { state -> Delivery in
      guard state.subscriber != nil else { return .none }
      change(&state)
      if state.isGathering, state.waiting.count > limit / 2 || state.hasEnded {
        state.isGathering = false
        return .now
      }
      guard !state.isDelivering, Self.hasWork(state) else { return .none }
      // Nothing more is scheduled before it has delivered.
      state.isDelivering = true
      state.isGathering = interval != nil
      return state.isGathering ? .later : .now
    }
    switch delivery {
    case .none: break
    case .now: queue.async { self.deliver() }
    case .later:
      let time = Int(clamping: interval?.nanoseconds ?? 0)
      queue.asyncAfter(deadline: .now() + .nanoseconds(time)) { self.deliver() }
    }
  }

  /// The delivery that is scheduled remains: otherwise the next reading would schedule another.
  func deliverNow() { queue.sync { deliver(isScheduled: false) } }

  private static func hasWork(_ state: State) -> Bool {
    state.waiting.isEmpty ? state.hasEnded : state.demand > .none
  }

  // MARK: Subscription

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "demand must be greater than zero")
    deliverIfNeeded { $0.demand += demand }
  }

  func select(_ streams: Set<StreamID>) {
    // If nothing waits any more, the end may be next.
    deliverIfNeeded { state in
      state.streams = streams
      state.waiting.removeAll { !streams.contains($0.stream) }
    }
  }

  func cancel() {
    // What is let go of may run foreign code, so it is released after the lock.
    let former = state.withLock { state in
      defer { state = State() }
      return state
    }
    if former.subscriber != nil { cancelled(self) }
  }

  // MARK: On the queue

  private enum Step {
    case values([Reading], missed: Int, AnySubscriber<Reading, Never>)
    case end(AnySubscriber<Reading, Never>)
  }

  private func deliver(isScheduled: Bool = true) {
    while let step = state.withLock({ next(&$0, isScheduled) }) {
      switch step {
      case .values(let readings, let missed, let subscriber):
        if missed > 0 { self.missed(missed) }
        let taken = subscriber._receive(run: readings[...]) { state.withLock { $0.subscriber != nil } }
        state.withLock { $0.demand += taken.demand }
      case .end(let subscriber): subscriber.receive(completion: .finished)
      }
    }
  }

  /// - Returns: Nil if there is nothing to deliver; then the next change of the state starts anew.
  private func next(_ state: inout State, _ isScheduled: Bool) -> Step? {
    guard let subscriber = state.subscriber, Self.hasWork(state) else {
      if isScheduled { (state.isDelivering, state.isGathering) = (false, false) }
      return nil
    }
    guard !state.waiting.isEmpty else {
      state = State()
      return .end(subscriber)
    }
    let count = min(state.waiting.count, Self.most, state.demand.max ?? .max)
    var readings = Array(state.waiting.prefix(count))
    state.waiting.removeFirst(count)
    state.demand -= count
    if !state.gaps.isEmpty {
      for index in readings.indices where state.gaps.remove(readings[index].stream) != nil {
        readings[index].flags.insert(.gapBefore)
      }
    }
    defer { state.missed = 0 }
    return .values(readings, missed: state.missed, subscriber)
  }
}
