/// Runs everything at once, on the calling thread. It has no time, so later actions also run now.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// The scheduler has no options.
  public typealias SchedulerOptions = Never

  /// The only time of the scheduler.
  public struct SchedulerTimeType: Strideable, Sendable {
    fileprivate init() {}
    /// Zero, because no time passes.
    public func distance(to other: SchedulerTimeType) -> Stride { 0 }
    /// Always the same time.
    public func advanced(by n: Stride) -> SchedulerTimeType { self }
  }

  /// The scheduler; there is only one.
  public static let shared = ImmediateScheduler()

  /// Always the same time.
  public var now: SchedulerTimeType { SchedulerTimeType() }
  /// Zero, because nothing is late.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action at once.
  public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  /// Runs an action at once, for any time.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    action()
  }

  /// Runs an action at once, and does not repeat it.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}

extension ImmediateScheduler.SchedulerTimeType {
  /// A number without a meaning as an interval: seconds and all other units are 0. Arithmetic wraps around.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, Codable, Sendable {
    /// The number that it was made from.
    public var magnitude: Int

    /// Makes an interval from a number, without a unit.
    @inlinable public init(_ value: Int) { magnitude = value }

    /// Zero, because no time passes.
    public static func seconds(_ s: Int) -> Self { 0 }
    /// Zero, because no time passes.
    public static func seconds(_ s: Double) -> Self { 0 }
    /// Zero, because no time passes.
    public static func milliseconds(_ ms: Int) -> Self { 0 }
    /// Zero, because no time passes.
    public static func microseconds(_ us: Int) -> Self { 0 }
    /// Zero, because no time passes.
    public static func nanoseconds(_ ns: Int) -> Self { 0 }

    public static func < (a: Self, b: Self) -> Bool { a.magnitude < b.magnitude }
  }
}

extension ImmediateScheduler.SchedulerTimeType.Stride: SignedNumeric, ExpressibleByFloatLiteral {
  /// Makes an interval from a number, without a unit.
  public init(integerLiteral value: Int) { self.init(value) }
  /// Makes an interval from a number, cut to an integer.
  public init(floatLiteral value: Double) { self.init(Int(value)) }

  /// Makes an interval from a number, if it is an `Int`.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let value = Int(exactly: source) else { return nil }
    self.init(value)
  }

  /// The sum.
  public static func + (a: Self, b: Self) -> Self { Self(a.magnitude &+ b.magnitude) }
  /// The difference.
  public static func - (a: Self, b: Self) -> Self { Self(a.magnitude &- b.magnitude) }
  /// The product.
  public static func * (a: Self, b: Self) -> Self { Self(a.magnitude &* b.magnitude) }
  /// Adds the second to the first.
  public static func += (a: inout Self, b: Self) { a = a + b }
  /// Subtracts the second from the first.
  public static func -= (a: inout Self, b: Self) { a = a - b }
  /// Multiplies the first by the second.
  public static func *= (a: inout Self, b: Self) { a = a * b }
}
