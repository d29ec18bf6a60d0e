import Foundation
import SluiceExtras
import Synchronization
import XCTest

@testable import Sluice

struct Boom: Error, Equatable {}

/// Counts how many of its kind are alive.
final class Token: CustomStringConvertible {
  private static let count = Atomic(0)
  static var alive: Int { count.load(ordering: .sequentiallyConsistent) }
  let number: Int
  init(_ number: Int = 0) {
    self.number = number
    Token.count.add(1, ordering: .sequentiallyConsistent)
  }
  deinit { Token.count.subtract(1, ordering: .sequentiallyConsistent) }
  var description: String { "\(number)" }
}

func at(_ seconds: Int) -> VirtualTimeScheduler.SchedulerTimeType {
  VirtualTimeScheduler.SchedulerTimeType(nanoseconds: Int64(seconds) * 1_000_000_000)
}

/// What a core says is next, with what goes with it.
enum CoreStep<Core: Operators.Core> {
  case deliver(Core.Output)
  case complete(Subscribers.Completion<Core.Failure>)
  case request(Subscribers.Demand, inlet: Int)
  case perform(Core.Effect)
}

extension Operators.Core {
  mutating func step() -> CoreStep<Self>? {
    var out = Operators.Outbox<Self>()
    switch next(&out)?.kind {
    case nil: return nil
    case .deliver: return out.output.map { .deliver($0) }
    case .deliverRun: return nil  // not unless it was told to give runs
    case .complete: return out.completion.map { .complete($0) }
    case .request(let demand, let inlet): return .request(demand, inlet: inlet)
    case .perform: return out.effect.map { .perform($0) }
    }
  }
}

/// Runs a body on a stack of 512 KiB, as the threads of dispatch queues have, and waits for its end. What needs more ends
/// the process.
func onSmallStack(_ body: @escaping () -> Void) {
  let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) let body = body  // nobody else runs it, and it is waited for
  let thread = Thread {
    defer { done.signal() }
    body()
  }
  thread.stackSize = 512 * 1_024
  thread.start()
  XCTAssertEqual(done.wait(timeout: .now() + 1_200), .success, "it does not come to an end")
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
