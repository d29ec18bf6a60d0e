public import Sluice

extension Publisher {
  /// Subscribes to this publisher, and records its events.
  ///
  /// ```swift
  /// let recorder = [1, 2, 3].publisher.record()
  /// try recorder.next()      // 1
  /// try recorder.next(2)     // [2, 3]
  /// try recorder.finished()
  /// ```
  ///
  /// It records until the stream ends or ``TestSubscriber/cancel()`` is called, on any thread.
  ///
  /// - Parameter initial: The demand with the subscription; ``TestSubscriber/request(_:)`` requests more.
  public func record(initial: Subscribers.Demand = .unlimited) -> TestSubscriber<Output, Failure> {
    let recorder = TestSubscriber<Output, Failure>(initial: initial)
    subscribe(recorder)
    return recorder
  }
}
