#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

/// Sends what it is told to, to one subscriber, wanted or not: as little as a hot source can do, so that the operator
/// behind it is measured and not a subject.
final class HotSource: Publisher {
  typealias Output = Int
  typealias Failure = Never

  private final class Line: Subscription {
    private let source: HotSource
    init(_ source: HotSource) { self.source = source }
    func request(_ demand: Subscribers.Demand) {}
    func cancel() { source.forget() }
  }

  private var deliver: (Int) -> Void = { _ in }
  private var end: () -> Void = {}

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    deliver = { _ = subscriber.receive($0) }
    end = { subscriber.receive(completion: .finished) }
    subscriber.receive(subscription: Line(self))
  }

  func send(_ value: Int) { deliver(value) }

  func finish() {
    end()
    forget()
  }

  /// The chain holds this source and this source the chain, until then.
  private func forget() {
    let former = (deliver, end)
    deliver = { _ in }
    end = {}
    withExtendedLifetime(former) {}
  }
}
