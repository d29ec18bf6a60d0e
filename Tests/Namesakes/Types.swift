public import Sluice

// The types of a library that was written for Combine: CombineExt has some of them, a project's own code the others.

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
