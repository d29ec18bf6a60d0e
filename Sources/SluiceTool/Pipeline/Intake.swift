import Sluice
import SluiceRecording
import Synchronization

/// Lets at most a number of readings in, over all streams, and says when the last one has come.
final class Quota: Sendable {
  private let left: Atomic<Int>
  private let reached: @Sendable () -> Void

  init(_ count: Int, reached: @escaping @Sendable () -> Void) {
    left = Atomic(count)
    self.reached = reached
  }

  func admit() -> Bool { admit(1) == 1 }

  /// - Returns: How many of so many are let in, the first ones.
  func admit(_ count: Int) -> Int {
    let left = left.subtract(count, ordering: .relaxed).oldValue
    if left > 0, left <= count { reached() }
    return max(0, min(left, count))
  }
}

extension Publisher where Output == Reading, Failure == SluiceError {
  /// Counts readings in; a failure is reported and becomes an end, so that what was received is still written.
  func intake(
    _ ledgers: [StreamLedger], quota: Quota?, failed: @escaping (SluiceError) -> Void
  ) -> Publishers.Intake<Self> {
    Publishers.Intake(upstream: self, failed: failed) { reading in
      let index = Int(reading.stream.index)
      guard index < ledgers.count, quota?.admit() ?? true else { return false }
      ledgers[index].received.add(1, ordering: .relaxed)
      if !reading.flags.isEmpty { ledgers[index].add(flagged: reading) }
      return true
    }
  }
}

extension Publisher where Output == ArraySlice<Reading>, Failure == SluiceError {
  /// The same for blocks; of the one that makes up the number, its beginning is let in.
  func intake(
    _ ledgers: [StreamLedger], quota: Quota?, failed: @escaping (SluiceError) -> Void
  ) -> Publishers.Intake<AnyPublisher<Output, SluiceError>> {
    let blocks =
      quota.map { quota in
        compactMap { block -> Output? in
          let admitted = block.prefix(quota.admit(block.count))
          return admitted.isEmpty ? nil : admitted
        }.eraseToAnyPublisher()
      } ?? eraseToAnyPublisher()
    return Publishers.Intake(upstream: blocks, failed: failed) { block in
      block.withUnsafeBufferPointer { readings in
        var rest = readings[...]
        // Runs of one stream, each of which ends before the next flagged reading.
        while let first = rest.first {
          let end = rest.dropFirst().firstIndex { $0.stream != first.stream || !$0.flags.isEmpty } ?? rest.endIndex
          let index = Int(first.stream.index)
          if index < ledgers.count {
            ledgers[index].received.add(end - rest.startIndex, ordering: .relaxed)
            if !first.flags.isEmpty { ledgers[index].add(flagged: first) }
          }
          rest = rest[end...]
        }
      }
      return true
    }
  }
}

extension Publishers {
  struct Intake<Upstream: Publisher>: _DirectPublisher where Upstream.Failure == SluiceError {
    typealias Output = Upstream.Output
    typealias Failure = Never

    let upstream: Upstream
    let failed: (SluiceError) -> Void
    /// Counts a value; answers whether it is let in.
    let admit: (Output) -> Bool

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      upstream._attach(IntakeSubscriber(downstream: subscriber, failed: failed, admit: admit))
    }
  }
}

private struct IntakeSubscriber<Downstream: Subscriber>: Subscriber where Downstream.Failure == Never {
  let downstream: Downstream
  let failed: (SluiceError) -> Void
  let admit: (Downstream.Input) -> Bool

  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    admit(input) ? downstream.receive(input) : .max(1)
  }

  func receive(completion: Subscribers.Completion<SluiceError>) {
    if case .failure(let error) = completion { failed(error) }
    downstream.receive(completion: .finished)
  }
}
