import Dispatch
package import Sluice
package import SluiceReadings

/// Holds readings back to the pace of the wall clock. Subscribers on several threads share one.
package final class Pace {
  private let rate: Double
  private let begin = Locked((time: Int64, at: DispatchTime)?.none)
  private let ended = DispatchSemaphore(value: 0)

  package init(rate: Double) { self.rate = rate }

  package func wait(for time: Int64) {
    let now = DispatchTime.now()
    let begin = begin.withLock { begin in
      let first = begin ?? (time, now)
      begin = first
      return first
    }
    let age = max(0, Double(time) - Double(begin.time)) / rate
    let due = begin.at + .nanoseconds(Int(exactly: age.rounded()) ?? .max)
    // A sleep that cannot be too short, but that can be ended, and all others with it.
    if ended.wait(timeout: due) == .success { end() }
  }

  /// From any thread.
  package func end() { ended.signal() }
}

extension Publishers {
  /// Delivers each reading when it is due. It takes no runs: the first of one would wait for the last.
  package struct Paced<Upstream: Publisher>: _DirectPublisher where Upstream.Output == Reading {
    package typealias Output = Reading
    package typealias Failure = Upstream.Failure

    package let upstream: Upstream
    package let pace: Pace

    package func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Failure {
      upstream._attach(PacedSubscriber(downstream: subscriber, pace: pace))
    }
  }
}

private struct PacedSubscriber<Downstream: Subscriber>: Subscriber where Downstream.Input == Reading {
  let downstream: Downstream
  let pace: Pace

  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  func receive(_ reading: Reading) -> Subscribers.Demand {
    pace.wait(for: reading.time)
    return downstream.receive(reading)
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) { downstream.receive(completion: completion) }
}
