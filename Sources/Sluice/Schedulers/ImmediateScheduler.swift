/// Runs everything at once, where it was scheduled; knows no time, so that whatever is due later is due now.
public struct ImmediateScheduler: Scheduler, Sendable {
  public typealias SchedulerOptions = Never

  /// The one moment there is.
  public struct SchedulerTimeType: Strideable, Sendable {
    fileprivate init() {}
    public func distance(to other: SchedulerTimeType) -> Stride { 0 }
    public func advanced(by n: Stride) -> SchedulerTimeType { self }
  }

  public static let shared = ImmediateScheduler()

  public var now: SchedulerTimeType { SchedulerTimeType() }
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    action()
  }

  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}

extension ImmediateScheduler.SchedulerTimeType {
  /// A number that stands for no interval: seconds and all other units are 0. Arithmetic wraps around.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, Codable, Sendable {
    public var magnitude: Int

    @inlinable public init(_ value: Int) { magnitude = value }

    public static func seconds(_ s: Int) -> Self { 0 }
    public static func seconds(_ s: Double) -> Self { 0 }
    public static func milliseconds(_ ms: Int) -> Self { 0 }
    public static func microseconds(_ us: Int) -> Self { 0 }
    public static func nanoseconds(_ ns: Int) -> Self { 0 }

    public static func < (a: Self, b: Self) -> Bool { a.magnitude < b.magnitude }
  }
}

extension ImmediateScheduler.SchedulerTimeType.Stride: SignedNumeric, ExpressibleByFloatLiteral {
  public init(integerLiteral value: Int) { self.init(value) }
  public init(floatLiteral value: Double) { self.init(Int(value)) }

  public init?<T: BinaryInteger>(exactly source: T) {
    guard let value = Int(exactly: source) else { return nil }
    self.init(value)
  }

  public static func + (a: Self, b: Self) -> Self { Self(a.magnitude &+ b.magnitude) }
  public static func - (a: Self, b: Self) -> Self { Self(a.magnitude &- b.magnitude) }
  public static func * (a: Self, b: Self) -> Self { Self(a.magnitude &* b.magnitude) }
  public static func += (a: inout Self, b: Self) { a = a + b }
  public static func -= (a: inout Self, b: Self) { a = a - b }
  public static func *= (a: inout Self, b: Self) { a = a * b }
}
