// Tokens and guests, for every file of these tests.
@_exported import PublisherRules
import SluiceExtras

@testable import Sluice

struct Boom: Error, Equatable {}

func at(_ seconds: Int) -> VirtualTimeScheduler.SchedulerTimeType {
  VirtualTimeScheduler.SchedulerTimeType(nanoseconds: Int64(seconds) * 1_000_000_000)
}

/// Numbers that are the same in every run.
struct Linear {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}

/// Subscribes upstream on a scheduler, and leaves it to the subscriber to refuse what comes after its cancellation.
struct LateSubscription<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure
  let upstream: Upstream
  let scheduler: VirtualTimeScheduler

  init(_ upstream: Upstream, on scheduler: VirtualTimeScheduler) {
    (self.upstream, self.scheduler) = (upstream, scheduler)
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    scheduler.schedule { [upstream] in upstream.subscribe(subscriber) }
  }
}
