public import Sluice

extension Publisher where Output: Sendable {
  /// Passes every value to a closure on an actor, one at a time, in order.
  ///
  /// ```swift
  /// actor Log {
  ///   var lines: [String] = []
  ///   func add(_ line: String) { lines.append(line) }
  /// }
  /// let log = Log()
  /// let cancellable = lines.sink(on: log) { log, line in log.add(line) }
  /// ```
  ///
  /// It asks for one value, and for the next when the closure has returned. So a slow actor slows this publisher, and a
  /// `buffer` before it decides which values are kept.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called on the actor, after the last value.
  ///   - receiveValue: Called on the actor. It may wait; the next value comes after it has returned.
  /// - Returns: A cancellable. Keep it, because its release cancels the subscription.
  public func sink<A: Actor>(
    on actor: A,
    receiveCompletion: @escaping @Sendable (isolated A, Subscribers.Completion<Failure>) async -> Void = { _, _ in },
    receiveValue: @escaping @Sendable (isolated A, Output) async -> Void
  ) -> AnyCancellable {
    let subscriber = AsyncSubscriber<Output, Failure>()
    subscribe(subscriber)
    let task = Task {
      do throws(Failure) {
        while let value = try await subscriber.next(isolation: nil).get() {
          if Task.isCancelled { return }
          await receiveValue(actor, value)
        }
        if !Task.isCancelled { await receiveCompletion(actor, .finished) }
      } catch {
        await receiveCompletion(actor, .failure(error))
      }
    }
    return AnyCancellable {
      subscriber.cancel()
      task.cancel()
    }
  }

  /// Passes every value to a closure on the main actor, one at a time, in order.
  ///
  /// ```swift
  /// let cancellable = readings.sink(onMainActor: { label.text = "\($0)" })
  /// ```
  ///
  /// It asks for one value, and for the next when the closure has returned.
  ///
  /// - Returns: A cancellable. Keep it, because its release cancels the subscription.
  public func sink(
    receiveCompletion: @escaping @MainActor (Subscribers.Completion<Failure>) -> Void = { _ in },
    onMainActor receiveValue: @escaping @MainActor (Output) -> Void
  ) -> AnyCancellable {
    sink(
      on: MainActor.shared, receiveCompletion: { _, completion in await receiveCompletion(completion) },
      receiveValue: { _, value in await receiveValue(value) })
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Sets a property of an object of the main actor to every value, in order.
  ///
  /// ```swift
  /// let cancellable = readings.map { "\($0)" }.assign(to: \.text, onMainActor: label)
  /// ```
  ///
  /// It asks for one value, and for the next after the property is set. The properties of other actors have no key
  /// paths: use `sink(on:)` for them.
  ///
  /// - Returns: A cancellable. Keep it, because its release cancels the subscription. It keeps the object.
  @MainActor public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, onMainActor object: Root
  ) -> AnyCancellable {
    sink(onMainActor: { object[keyPath: keyPath] = $0 })
  }
}
