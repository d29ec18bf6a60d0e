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

  /// The line to the subscriber. Constants, for a variable would be checked for exclusive access, and its closure counted,
  /// at every value. What it holds holds it, until the subscriber lets go of it at the end: it is not held weakly, for then
  /// every counting of references to it would go the long way.
  final class Line: Subscription {
    let send: (Int) -> Void
    private let end: () -> Void
    private var cancelled = false

    init<S: Subscriber>(_ subscriber: S) where S.Input == Int, S.Failure == Never {
      send = { _ = subscriber.receive($0) }
      end = { subscriber.receive(completion: .finished) }
    }

    func request(_ demand: Subscribers.Demand) {}
    func cancel() { cancelled = true }
    func finish() { if !cancelled { end() } }
  }

  private var connected: Line?

  /// There once somebody has subscribed.
  var line: Line {
    guard let connected else { preconditionFailure("nobody has subscribed") }
    return connected
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let line = Line(subscriber)
    connected = line
    subscriber.receive(subscription: line)
  }
}
