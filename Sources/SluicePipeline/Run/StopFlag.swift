package import Sluice
import Synchronization

/// A flag that ends a run.
package final class StopFlag: Sendable {
  private let raised = Atomic(false)

  package init() {}

  package func raise() { raised.store(true, ordering: .relaxed) }
  package var isRaised: Bool { raised.load(ordering: .relaxed) }
}

extension Publisher {
  /// Finishes with the first value after the flag was raised. It is cheaper than `prefix(untilOutputFrom:)`, and fits a
  /// source that waits for demand, because that source always has one more value.
  package func until(_ flag: StopFlag) -> Publishers.Until<Self> { Publishers.Until(upstream: self, flag: flag) }
}

extension Publishers {
  package struct Until<Upstream: Publisher>: _DirectPublisher {
    package typealias Output = Upstream.Output
    package typealias Failure = Upstream.Failure

    package let upstream: Upstream
    package let flag: StopFlag

    package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(Operators.StageConduit("Until", UntilStage<Output, Failure>(flag: flag), subscriber))
    }
  }
}

private struct UntilStage<Value, Failure: Error>: Operators.Stage {
  let flag: StopFlag
  mutating func receive(_ input: Value) -> Operators.Step<Value, Failure> { flag.isRaised ? .finish : .emit(input) }
  mutating func pass(run: ArraySlice<Value>) -> ArraySlice<Value>? { flag.isRaised ? nil : run }
}
