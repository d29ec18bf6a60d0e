import Sluice
import SluiceReadings
import Synchronization

/// Gives the readings that pass on their way to the outputs to viewers too. The recording never waits for a viewer.
///
/// Without a viewer it costs a load per run.
final class ReadingTap: Sendable {
  private struct State {
    var viewers: [ReadingViewer] = []
    var hasEnded = false
  }

  private let state = Locked(State())
  private let hasViewers = Atomic(false)

  /// Adds a viewer, which gets the readings from now on.
  func add(_ viewer: ReadingViewer) {
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.viewers.append(viewer) }
      hasViewers.store(!state.viewers.isEmpty, ordering: .relaxed)
      return state.hasEnded
    }
    if hasEnded { viewer.end() }
  }

  func remove(_ viewer: ReadingViewer) {
    state.withLock { state in
      state.viewers.removeAll { $0 === viewer }
      hasViewers.store(!state.viewers.isEmpty, ordering: .relaxed)
    }
  }

  @inline(__always) func show(_ readings: @autoclosure () -> ArraySlice<Reading>) {
    if hasViewers.load(ordering: .relaxed) { pass(on: readings()) }
  }

  @inline(never) private func pass(on readings: ArraySlice<Reading>) {
    for viewer in state.withLock({ $0.viewers }) { viewer.take(readings) }
  }

  @inline(__always) func show(_ reading: Reading) {
    if hasViewers.load(ordering: .relaxed) { pass(on: reading) }
  }

  @inline(never) private func pass(on reading: Reading) {
    for viewer in state.withLock({ $0.viewers }) { viewer.take(reading) }
  }

  /// Ends the viewers, each after what it still has.
  func end() {
    let viewers = state.withLock { state in
      defer { state = State(viewers: [], hasEnded: true) }
      return state.viewers
    }
    for viewer in viewers { viewer.end() }
  }
}

extension Publisher where Output == Reading, Failure == Never {
  func tapped(by tap: ReadingTap) -> Publishers.Tapped<Self> { Publishers.Tapped(upstream: self, tap: tap) }
}

extension Publishers {
  struct Tapped<Upstream: Publisher>: _DirectPublisher where Upstream.Output == Reading, Upstream.Failure == Never {
    typealias Output = Reading
    typealias Failure = Never

    let upstream: Upstream
    let tap: ReadingTap

    func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
      upstream._attach(TapSubscriber(downstream: subscriber, tap: tap))
    }
  }
}

private struct TapSubscriber<Downstream: Subscriber>: Subscriber
where Downstream.Input == Reading, Downstream.Failure == Never {
  let downstream: Downstream
  let tap: ReadingTap

  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  func receive(_ reading: Reading) -> Subscribers.Demand {
    tap.show(reading)
    return downstream.receive(reading)
  }

  var _takesRuns: Bool { downstream._takesRuns }

  func _receive(run: ArraySlice<Reading>) -> Operators.Taken {
    let taken = downstream._receive(run: run)
    tap.show(run.prefix(taken.count))
    return taken
  }

  func receive(completion: Subscribers.Completion<Never>) {
    tap.end()
    downstream.receive(completion: completion)
  }
}
