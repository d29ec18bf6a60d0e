public import Sluice

// The operators of a library that was written for Combine.

extension Publisher {
  public func nwise(_ size: Int) -> Own { Own() }
  public func pair() -> Own { Own() }
  public func toggle() -> Own where Output == Bool { Own() }
  public func unwrap<T>() -> Own where Output == T? { Own() }
  public func process(by processor: Int) -> Own { Own() }
  public func joined(ahead: Int = 1) -> Own where Output: Swift.Sequence { Own() }
  public func shareReplay(capacity: Int) -> Own { Own() }
  public func partition(into count: Int, by part: @escaping (Output) -> Int) -> [Own] { [Own()] }

  public func withLatestFrom<P: Publisher>(_ other: P) -> Own { Own() }
  public func withLatestFrom<P: Publisher, T>(
    _ other: P, resultSelector: @escaping (Output, P.Output) -> T
  ) -> Own { Own() }
  public func withLatestFrom<P: Publisher, Q: Publisher>(_ other: P, _ other1: Q) -> Own { Own() }
  public func withLatestFrom<P: Publisher, Q: Publisher, T>(
    _ other: P, _ other1: Q, resultSelector: @escaping (Output, (P.Output, Q.Output)) -> T
  ) -> Own { Own() }
  public func withLatestFrom<P: Publisher, Q: Publisher, R: Publisher>(
    _ other: P, _ other1: Q, _ other2: R
  ) -> Own { Own() }
  public func withLatestFrom<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ other: P, _ other1: Q, _ other2: R, resultSelector: @escaping (Output, (P.Output, Q.Output, R.Output)) -> T
  ) -> Own { Own() }

  public func pausableSink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void, receiveValue: @escaping (Output) -> Bool
  ) -> Own { Own() }
  public func sink(
    on queue: Int, receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> Own { Own() }
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    onMainActor: @escaping @MainActor (Output) -> Void
  ) -> Own { Own() }
  public func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, onMainActor object: Root
  ) -> Own { Own() }
  public func values(
    buffering size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Own { Own() }

  public func buffer<Key: Hashable>(
    size: Int, key: @escaping (Output) -> Key, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>, onDrop: ((Output) -> Void)? = nil,
    afterDrop: ((Output) -> Output)? = nil
  ) -> Own { Own() }
  public func buffer<Keys: ElementKeys>(
    size: Int, by keys: Keys, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>,
    onDrop: ((Output) -> Void)? = nil, afterDrop: ((Output) -> Output)? = nil
  ) -> Own { Own() }
  public func collect<Time: Strideable, Key: Hashable>(
    for interval: Time.Stride, count: Int? = nil, time: @escaping (Output) -> Time, key: @escaping (Output) -> Key?
  ) -> Own { Own() }
  public func collect<Stamps: ElementStamps>(for interval: Int, count: Int? = nil, by stamps: Stamps) -> Own { Own() }
  public func throttle<Time: Strideable, Key: Hashable>(
    for interval: Time.Stride, latest: Bool, time: @escaping (Output) -> Time, key: @escaping (Output) -> Key?,
    onDiscard: ((Output) -> Void)? = nil
  ) -> Own { Own() }
  public func throttle<Stamps: ElementStamps>(
    for interval: Int, latest: Bool, by stamps: Stamps, onDiscard: ((Output) -> Void)? = nil
  ) -> Own { Own() }
}

extension Collection where Element: Publisher {
  public func combineLatestAll() -> Own { Own() }
  public func mergeAll() -> Own { Own() }
  public func zipAll() -> Own { Own() }
}

extension AsyncSequence {
  public var publisher: Own { Own() }
}
