public import Sluice

/// The methods of ``TestSubscriber`` for `async` tests.
extension TestSubscriber {
  /// Waits for the next value: the first one that `next` has not returned yet.
  ///
  /// ```swift
  /// let first = try await recorder.next()
  /// ```
  ///
  /// - Parameter limit: The longest wait; `.zero` if the value should have come already.
  /// - Throws: ``RecordingError`` if it does not come in time, or if the stream ends before.
  public func next(
    within limit: Duration = .seconds(1), isolation: isolated (any Actor)? = #isolation
  ) async throws(RecordingError) -> Input {
    try await wait(.values(1), limit, isolation) { $0.take(1)[0] }
  }

  /// Waits for a number of values, from the first one that `next` has not returned yet.
  ///
  /// - Parameters:
  ///   - count: The number of values, at least 0.
  ///   - limit: The longest wait for all of them.
  /// - Throws: ``RecordingError`` if fewer come in time, or if the stream ends before. The next call gets the values
  ///   that came.
  public func next(
    _ count: Int, within limit: Duration = .seconds(1), isolation: isolated (any Actor)? = #isolation
  ) async throws(RecordingError) -> [Input] {
    try await wait(.values(count), limit, isolation) { $0.take(count) }
  }

  /// Waits until the stream has finished, and returns all values, including those that `next` has returned.
  ///
  /// - Throws: ``RecordingError`` if the stream does not end in time, or fails.
  public func elements(
    within limit: Duration = .seconds(1), isolation: isolated (any Actor)? = #isolation
  ) async throws(RecordingError) -> [Input] {
    try await wait(.finish, limit, isolation) { $0.values }
  }

  /// Waits until the stream has finished.
  ///
  /// - Throws: ``RecordingError`` if the stream does not end in time, or fails.
  public func finished(
    within limit: Duration = .seconds(1), isolation: isolated (any Actor)? = #isolation
  ) async throws(RecordingError) {
    try await wait(.finish, limit, isolation) { _ in }
  }

  /// Waits for the end, and returns it.
  ///
  /// - Throws: ``RecordingError`` if the stream does not end in time.
  public func completion(
    within limit: Duration = .seconds(1), isolation: isolated (any Actor)? = #isolation
  ) async throws(RecordingError) -> Subscribers.Completion<Failure> {
    try await wait(.end, limit, isolation) { $0.completion ?? .finished }
  }

  private func wait<R>(
    _ awaited: Awaited, _ limit: Duration, _ isolation: isolated (any Actor)?, _ take: (inout State) -> R
  ) async throws(RecordingError) -> R {
    let deadline = ContinuousClock.now + limit
    let waiter = Waiter(awaited)
    defer { remove(waiter) }
    while true {
      switch look(waiter, until: deadline, take) {
      case .there(let result): return result
      case .over(let state): throw state.error(awaited, limit)
      case .open: await waiter.wait(deadline - .now, isolation: isolation)
      }
    }
  }
}
