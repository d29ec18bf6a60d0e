public import Dispatch
public import Sluice

extension DispatchQueue.SchedulerTimeType {
  /// An interval of time in nanoseconds, with the arithmetic that a scheduler needs.
  ///
  /// ```swift
  /// let interval: DispatchQueue.SchedulerTimeType.Stride = .milliseconds(100)
  /// let halfASecond: DispatchQueue.SchedulerTimeType.Stride = 0.5
  /// ```
  ///
  /// A plain number is in seconds. An interval that does not fit into 64 bits becomes the longest possible one, 292
  /// years.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, Hashable, Codable, Sendable {
    @usableFromInline package var nanoseconds: Int64

    /// The key of Combine for the interval of a dispatch queue.
    private enum CodingKeys: String, CodingKey { case nanoseconds = "_nanoseconds" }

    @inlinable package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// An interval of seconds.
    public static func seconds(_ s: Int) -> Self { scaled(s, 1_000_000_000) }
    /// An interval of milliseconds.
    public static func milliseconds(_ ms: Int) -> Self { scaled(ms, 1_000_000) }
    /// An interval of microseconds.
    public static func microseconds(_ us: Int) -> Self { scaled(us, 1_000) }
    /// An interval of nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Self { Self(nanoseconds: Int64(ns)) }

    /// An interval of seconds.
    public static func seconds(_ s: Double) -> Self {
      let nanoseconds = s * 1e9
      if let exact = Int64(exactly: nanoseconds.rounded(.towardZero)) { return Self(nanoseconds: exact) }
      return Self(nanoseconds: nanoseconds < 0 ? .min : .max)
    }

    private static func scaled(_ value: Int, _ factor: Int64) -> Self {
      let (product, overflow) = Int64(value).multipliedReportingOverflow(by: factor)
      guard overflow else { return Self(nanoseconds: product) }
      return Self(nanoseconds: value < 0 ? .min : .max)
    }

    @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
  }
}

extension DispatchQueue.SchedulerTimeType.Stride: SignedNumeric, ExpressibleByFloatLiteral {
  /// A number of seconds.
  public init(integerLiteral value: Int) { self = .seconds(value) }
  /// A number of seconds.
  public init(floatLiteral value: Double) { self = .seconds(value) }

  /// A number of seconds, if it is an `Int`.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = Int(exactly: source) else { return nil }
    self = .seconds(seconds)
  }

  /// The length in nanoseconds.
  public var magnitude: Int {
    get { Int(clamping: nanoseconds) }
    set { nanoseconds = Int64(newValue) }
  }

  /// The sum.
  @inlinable public static func + (a: Self, b: Self) -> Self {
    let (sum, overflow) = a.nanoseconds.addingReportingOverflow(b.nanoseconds)
    return Self(nanoseconds: overflow ? (a.nanoseconds < 0 ? .min : .max) : sum)
  }

  /// The difference.
  @inlinable public static func - (a: Self, b: Self) -> Self {
    let (difference, overflow) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
    return Self(nanoseconds: overflow ? (a.nanoseconds < 0 ? .min : .max) : difference)
  }

  /// Zero, as in Combine: `SignedNumeric` requires the operator, but a product of intervals has no meaning.
  public static func * (a: Self, b: Self) -> Self { .zero }

  /// Multiplies the first by the second.
  public static func *= (a: inout Self, b: Self) { a = a * b }
}

extension DispatchQueue.SchedulerTimeType.Stride {
  /// Makes an interval from the type of Dispatch.
  public init(_ timeInterval: DispatchTimeInterval) {
    switch timeInterval {
    case .seconds(let s): self = .seconds(s)
    case .milliseconds(let ms): self = .milliseconds(ms)
    case .microseconds(let us): self = .microseconds(us)
    case .nanoseconds(let ns): self = .nanoseconds(ns)
    default: self.init(nanoseconds: .max)  // `.never`
    }
  }

  /// The interval in the type of Dispatch.
  public var timeInterval: DispatchTimeInterval { .nanoseconds(Int(clamping: nanoseconds)) }
}
