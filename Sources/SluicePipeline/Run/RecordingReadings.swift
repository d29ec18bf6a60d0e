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
@_spi(Preview) public struct RecordingReadings: Publisher {
  public typealias Output = Reading
  /// It does not fail: the errors of sources and outputs are events of the recording.
  public typealias Failure = Never

  private let tap: ReadingTap
  private var limit = 1_024
  private var missed: @Sendable (Int) -> Void = { _ in }
  private var gathering: DispatchTimeInterval?

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

  /// The same readings some time later, many at once: so a thread wakes up a few times per second, and not for each read
  /// of a device. The place has to hold what comes in this time.
  package func gathered(milliseconds: Int) -> RecordingReadings {
    var readings = self
    readings.gathering = .milliseconds(milliseconds)
    return readings
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
    let viewer = ReadingViewer(AnySubscriber(subscriber), limit, gathering, missed) { [weak tap] in tap?.remove($0) }
    subscriber.receive(subscription: viewer)
    tap.add(viewer)
  }
}

/// A subscription of ``RecordingReadings``: a bounded queue of readings, which its own dispatch queue delivers.
final class ReadingViewer: Subscription, @unchecked Sendable {
  // The lock protects `state`. The subscriber is called on `queue` only, and everything else does not change.

  private struct State {
    var subscriber: AnySubscriber<Reading, Never>?
    var waiting: Deque<Reading> = []
    var demand = Subscribers.Demand.none
    var missed = 0
    /// The streams of missed readings, and no reading delivered since.
    var gaps: Set<StreamID> = []
    var isDelivering = false
    var hasEnded = false
  }

  /// The readings per call, so that a cancel has not to wait for many.
  private static var most: Int { 256 }

  private let state: Locked<State>
  private let limit: Int
  private let gathering: DispatchTimeInterval?
  private let missed: @Sendable (Int) -> Void
  private let cancelled: @Sendable (ReadingViewer) -> Void
  private let queue = DispatchQueue(label: "sluice.viewer")

  init(
    _ subscriber: AnySubscriber<Reading, Never>, _ limit: Int, _ gathering: DispatchTimeInterval?,
    _ missed: @escaping @Sendable (Int) -> Void,
    cancelled: @escaping @Sendable (ReadingViewer) -> Void
  ) {
    state = Locked(State(subscriber: subscriber))
    (self.limit, self.gathering, self.missed, self.cancelled) = (limit, gathering, missed, cancelled)
  }

  // MARK: The recording

  func take(_ readings: ArraySlice<Reading>) {
    deliverIfNeeded { state in
      for reading in readings {
        if state.waiting.count == limit, let oldest = state.waiting.popFirst() {
          state.missed += 1
          state.gaps.insert(oldest.stream)
        }
        state.waiting.append(reading)
      }
    }
  }

  func end() { deliverIfNeeded { $0.hasEnded = true } }

  /// Changes the state, and lets the queue deliver if there is something to deliver.
  private func deliverIfNeeded(_ change: (inout State) -> Void) {
    let begins = state.withLock { state in
      guard state.subscriber != nil else { return false }
      change(&state)
      guard !state.isDelivering, Self.hasWork(state) else { return false }
      state.isDelivering = true
      return true
    }
    guard begins else { return }
    if let gathering {
      queue.asyncAfter(deadline: .now() + gathering) { self.deliver() }
    } else {
      queue.async { self.deliver() }
    }
  }

  private static func hasWork(_ state: State) -> Bool {
    state.waiting.isEmpty ? state.hasEnded : state.demand > .none
  }

  // MARK: Subscription

  func request(_ demand: Subscribers.Demand) {
    precondition(demand > .none, "demand must be greater than zero")
    deliverIfNeeded { $0.demand += demand }
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

  private func deliver() {
    while let step = state.withLock({ next(&$0) }) {
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
  private func next(_ state: inout State) -> Step? {
    guard let subscriber = state.subscriber, Self.hasWork(state) else {
      state.isDelivering = false
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
