import Sluice
import Synchronization

/// Says that a run is to end.
final class StopFlag: Sendable {
  private let raised = Atomic(false)
  func raise() { raised.store(true, ordering: .relaxed) }
  var isRaised: Bool { raised.load(ordering: .relaxed) }
}

extension Publisher {
  /// Finishes with the first value after the flag was raised: cheaper than `prefix(untilOutputFrom:)`, for a source that
  /// waits to be asked and so has always one more to give.
  func until(_ flag: StopFlag) -> Publishers.Until<Self> { Publishers.Until(upstream: self, flag: flag) }
}

extension Publishers {
  struct Until<Upstream: Publisher>: _DirectPublisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let flag: StopFlag

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(StageConduit("Until", UntilStage<Output, Failure>(flag: flag), subscriber))
    }
  }
}

private struct UntilStage<Value, Failure: Error>: Stage {
  let flag: StopFlag
  mutating func receive(_ input: Value) -> Step<Value, Failure> { flag.isRaised ? .finish : .emit(input) }
  mutating func pass(run: ArraySlice<Value>) -> ArraySlice<Value>? { flag.isRaised ? nil : run }
}
