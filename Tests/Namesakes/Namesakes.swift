public import Sluice

// A library that was written for Combine, with every name that SluiceExtras and the kit for authors of operators have:
// CombineExt has some of them, a project's own code the others.

/// What the operators of this library return.
public struct Own { init() {} }

public protocol ElementKeys {}
public protocol ElementProcessor {}
public protocol ElementStamps: ElementKeys {}
public struct ClosureKeys: ElementKeys { public init() {} }
public struct ClosureStamps: ElementStamps { public init() {} }

public final class ReplaySubject<Output, Failure: Error> {
  public init(bufferSize: Int) {}
}

public struct HoldValue<Value> {
  public var value: Value
  public init(_ value: Value) { self.value = value }
}

public protocol Pausable {}
public struct TimeLogger { public init() {} }
public struct VirtualTimeScheduler { public init() {} }

extension Publishers {
  public struct AsyncElements { public init() {} }
  public struct CombineLatestAll { public init() {} }
  public struct Joined { public init() {} }
  public struct KeyedBuffer { public init() {} }
  public struct KeyedCollect { public init() {} }
  public struct KeyedThrottle { public init() {} }
  public struct MergeByTime { public init() {} }
  public struct Nwise { public init() {} }
  public struct Process { public init() {} }
  public struct ShareReplay { public init() {} }
  public struct ZipAll { public init() {} }
  public struct DispatchTimer { public init() {} }
  public struct Tick { public init() {} }
  public struct Ticks { public init() {} }
  public struct Part { public init() {} }

  public struct WithLatestFrom<Upstream: Publisher, Other: Publisher> {
    public init(upstream: Upstream, other: Other) {}
  }

  public static func timer(queue: Int? = nil, interval: Double, leeway: Double = 0, times: Int = 1) -> Own { Own() }
}

extension Subscribers {
  public struct PausableSink: Pausable { public init() {} }
}

// What the namespace of the kit for authors of operators has, without that namespace.

public struct Action { public init() {} }
public struct Conduit { public init() {} }
public struct Core { public init() {} }
public struct Delivery { public init() {} }
public struct Description { public init() {} }
public struct DynamicCore { public init() {} }
public struct DynamicInlet { public init() {} }
public struct Fold { public init() {} }
public struct FoldConduit { public init() {} }
public struct Inlet { public init() {} }
public struct LateInput { public init() {} }
public struct OnlyPort { public init() {} }
public struct Outbox { public init() {} }
public struct Port { public init() {} }
public struct Pull { public init() {} }
public struct PullConduit { public init() {} }
public struct RelayCore { public init() {} }
public struct ScheduledCore { public init() {} }
public struct SingleInputCore { public init() {} }
public struct Stage { public init() {} }
public struct StageConduit { public init() {} }
public struct Step { public init() {} }
public struct Taken { public init() {} }
public struct TimedCore { public init() {} }
public struct TimedInlet { public init() {} }
public struct Turn { public init() {} }

// MARK: Operators

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
