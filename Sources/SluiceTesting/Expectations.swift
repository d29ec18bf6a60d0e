public import Sluice

/// Waits for events from another thread, or on the main queue.
///
/// A wait on the main thread runs the main run loop, and with it `DispatchQueue.main`. On other threads, the thread
/// sleeps. A job of the main queue must not wait for events on the main queue, because they cannot come. In an `async`
/// test these methods suspend the test instead, and need `await`. A wait returns as soon as it is over. With a
/// scheduler in virtual time, all events have come when the clock has been moved, and nothing waits. All of these
/// methods throw a ``RecordingError``: a sentence with the awaited event and the events so far.
extension TestSubscriber {
  /// Waits for the next value: the first one that `next` has not returned yet.
  ///
  /// ```swift
  /// XCTAssertEqual(try recorder.next(), 1)
  /// ```
  ///
  /// - Parameter limit: The longest wait; `.zero` if the value should have come already.
  /// - Throws: ``RecordingError`` if it does not come in time, or if the stream ends before.
  public func next(within limit: Duration = .seconds(1)) throws(RecordingError) -> Input {
    try wait(.values(1), limit) { $0.take(1)[0] }
  }

  /// Waits for a number of values, from the first one that `next` has not returned yet.
  ///
  /// ```swift
  /// XCTAssertEqual(try recorder.next(2), [2, 3])
  /// ```
  ///
  /// - Parameters:
  ///   - count: The number of values, at least 0.
  ///   - limit: The longest wait for all of them.
  /// - Throws: ``RecordingError`` if fewer come in time, or if the stream ends before. The next call gets the values
  ///   that came.
  public func next(_ count: Int, within limit: Duration = .seconds(1)) throws(RecordingError) -> [Input] {
    try wait(.values(count), limit) { $0.take(count) }
  }

  /// Waits until the stream has finished, and returns all values, including those that `next` has returned.
  ///
  /// ```swift
  /// XCTAssertEqual(try recorder.elements(), [1, 2, 3])
  /// ```
  ///
  /// ``values`` has the values so far without waiting.
  ///
  /// - Throws: ``RecordingError`` if the stream does not end in time, or fails.
  public func elements(within limit: Duration = .seconds(1)) throws(RecordingError) -> [Input] {
    try wait(.finish, limit) { $0.values }
  }

  /// Waits until the stream has finished.
  ///
  /// ```swift
  /// try recorder.finished()
  /// ```
  ///
  /// - Throws: ``RecordingError`` if the stream does not end in time, or fails.
  public func finished(within limit: Duration = .seconds(1)) throws(RecordingError) {
    try wait(.finish, limit) { _ in }
  }

  /// Waits for the end, and returns it.
  ///
  /// ```swift
  /// XCTAssertEqual(try recorder.completion(within: .seconds(5)), .failure(.noSignal))
  /// ```
  ///
  /// - Throws: ``RecordingError`` if the stream does not end in time.
  public func completion(
    within limit: Duration = .seconds(1)
  ) throws(RecordingError) -> Subscribers.Completion<Failure> {
    try wait(.end, limit) { $0.completion ?? .finished }
  }

  private func wait<R>(
    _ awaited: Awaited, _ limit: Duration, _ take: (inout State) -> R
  ) throws(RecordingError) -> R {
    let deadline = ContinuousClock.now + limit
    let waiter = Waiter(awaited)
    defer { remove(waiter) }
    while true {
      switch look(waiter, until: deadline, take) {
      case .there(let result): return result
      case .over(let state): throw state.error(awaited, limit)
      case .open: waiter.wait(deadline - .now)
      }
    }
  }
}
