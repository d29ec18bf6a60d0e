public import Sluice

extension Publisher {
  /// Subscribes to this publisher, and remembers what comes.
  ///
  /// ```swift
  /// let recorder = [1, 2, 3].publisher.record()
  /// try recorder.next()      // 1
  /// try recorder.next(2)     // [2, 3]
  /// try recorder.finished()
  /// ```
  ///
  /// It records until the stream ends or ``TestSubscriber/cancel()`` is called, wherever the values come.
  ///
  /// - Parameter initial: What is asked for with the subscription; ``TestSubscriber/request(_:)`` asks for more.
  public func record(initial: Subscribers.Demand = .unlimited) -> TestSubscriber<Output, Failure> {
    let recorder = TestSubscriber<Output, Failure>(initial: initial)
    subscribe(recorder)
    return recorder
  }
}
