package import Sluice
package import SluiceReadings
import Synchronization

/// Admits at most a number of readings from all streams, and calls `reached` with the last one.
package final class Quota: Sendable {
  private let left: Atomic<Int>
  private let reached: @Sendable () -> Void

  package init(_ count: Int, reached: @escaping @Sendable () -> Void) {
    left = Atomic(count)
    self.reached = reached
  }

  package func admit() -> Bool { admit(1) == 1 }

  /// - Returns: The number of admitted readings. They are the first ones of the run.
  package func admit(_ count: Int) -> Int {
    let left = left.subtract(count, ordering: .relaxed).oldValue
    if left > 0, left <= count { reached() }
    return max(0, min(left, count))
  }
}

extension Publisher where Output == Reading, Failure == SluiceError {
  /// Counts the readings received. It reports a failure and ends the stream, so that the readings received are still
  /// written.
  package func intake(
    _ ledgers: [StreamLedger], quota: Quota?, failed: @escaping (SluiceError) -> Void
  ) -> Publishers.Intake<Self> {
    Publishers.Intake(upstream: self, ledgers: ledgers, quota: quota, failed: failed)
  }
}

extension Publishers {
  package struct Intake<Upstream: Publisher>: _DirectPublisher
  where Upstream.Output == Reading, Upstream.Failure == SluiceError {
    package typealias Output = Reading
    package typealias Failure = Never

    package let upstream: Upstream
    package let ledgers: [StreamLedger]
    package let quota: Quota?
    package let failed: (SluiceError) -> Void

    package func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
      upstream._attach(IntakeSubscriber(downstream: subscriber, ledgers: ledgers, quota: quota, failed: failed))
    }
  }
}

private struct IntakeSubscriber<Downstream: Subscriber>: Subscriber
where Downstream.Input == Reading, Downstream.Failure == Never {
  let downstream: Downstream
  let ledgers: [StreamLedger]
  let quota: Quota?
  let failed: (SluiceError) -> Void

  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  func receive(_ reading: Reading) -> Subscribers.Demand {
    let isKnown = Int(reading.stream.index) < ledgers.count
    guard isKnown, quota?.admit() ?? true else { return .max(1) }
    withUnsafePointer(to: reading) { count(UnsafeBufferPointer(start: $0, count: 1)) }
    return downstream.receive(reading)
  }

  var _takesRuns: Bool { downstream._takesRuns }

  func _receive(run: ArraySlice<Reading>) -> Operators.Taken {
    // A trace may have more streams than allowed. Readings of these streams have no ledger.
    guard run.allSatisfy({ Int($0.stream.index) < ledgers.count }) else { return _receiveEach(of: run) { true } }
    let admitted = run.prefix(quota?.admit(run.count) ?? run.count)
    admitted.withUnsafeBufferPointer(count)
    guard !admitted.isEmpty else {
      return Operators.Taken(count: run.count, demand: .max(run.count), isOver: false)
    }
    var taken = downstream._receive(run: admitted)
    // Readings beyond the quota are not admitted, and no replacements are requested.
    if taken.count == admitted.count { taken.count = run.count }
    return taken
  }

  private func count(_ readings: UnsafeBufferPointer<Reading>) {
    readings.forEachStream { stream, readings in
      let ledger = ledgers[Int(stream.index)]
      if let last = readings.last { ledger.lastTime.store(last.time, ordering: .relaxed) }
      // Who sees the number sees the time, too.
      ledger.received.add(readings.count, ordering: .releasing)
      for index in readings.indices where !readings[index].flags.isEmpty { ledger.add(flagged: readings[index]) }
    }
  }

  func receive(completion: Subscribers.Completion<SluiceError>) {
    if case .failure(let error) = completion { failed(error) }
    downstream.receive(completion: .finished)
  }
}
