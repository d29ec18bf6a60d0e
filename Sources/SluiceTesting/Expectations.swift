public import Sluice

/// Waits for what comes from another thread, or on the main queue.
///
/// A wait on the main thread runs the main run loop, and with it `DispatchQueue.main`; elsewhere the thread sleeps. A job
/// of the main queue that waits gets nothing that comes on the main queue. In an `async` test these methods suspend it
/// instead, and are written with `await`. A wait returns as soon as it is over. With a scheduler in virtual time,
/// everything has come when the clock has been moved, and nothing waits. All of them throw ``RecordingError``, which says
/// in a sentence what was awaited and what came until then.
extension TestSubscriber {
  /// Waits for the next value: the first one that `next` has not returned yet.
  ///
  /// ```swift
  /// XCTAssertEqual(try recorder.next(), 1)
  /// ```
  ///
  /// - Parameter limit: How long to wait at most; `.zero` if it should have come already.
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
  ///   - count: How many, at least 0.
  ///   - limit: How long to wait for all of them at most.
  /// - Throws: ``RecordingError`` if fewer come in time, or if the stream ends before. The next call gets those that came.
  public func next(_ count: Int, within limit: Duration = .seconds(1)) throws(RecordingError) -> [Input] {
    try wait(.values(count), limit) { $0.take(count) }
  }

  /// Waits until the stream has finished, and returns all values, also those that `next` has returned.
  ///
  /// ```swift
  /// XCTAssertEqual(try recorder.elements(), [1, 2, 3])
  /// ```
  ///
  /// ``values`` are those that have come so far.
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

  /// Waits for the end, and says which one it is.
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
