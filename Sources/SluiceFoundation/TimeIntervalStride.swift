public import Foundation
public import Sluice

/// An interval of time in seconds: the common part of the intervals of Foundation's schedulers.
///
/// Do not conform to it. Each scheduler has its own type, as in Combine, and this protocol saves repeating the
/// arithmetic.
public protocol _TimeIntervalStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
  ExpressibleByFloatLiteral, Codable, Sendable
where Magnitude == TimeInterval, IntegerLiteralType == TimeInterval, FloatLiteralType == TimeInterval {
  /// The length in seconds. As with any `Double`, no length is too large, and a nanosecond is not exact.
  var magnitude: TimeInterval { get set }
  /// Makes an interval of seconds.
  init(_ timeInterval: TimeInterval)
}

extension _TimeIntervalStride {
  /// The length in seconds.
  public var timeInterval: TimeInterval { magnitude }

  /// A number of seconds.
  public init(integerLiteral value: TimeInterval) { self.init(value) }
  /// A number of seconds.
  public init(floatLiteral value: TimeInterval) { self.init(value) }

  /// A number of seconds, if a `Double` has it exactly.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let value = TimeInterval(exactly: source) else { return nil }
    self.init(value)
  }

  /// An interval of seconds.
  public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }
  /// An interval of seconds.
  public static func seconds(_ s: Double) -> Self { Self(s) }
  /// An interval of milliseconds.
  public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1e3) }
  /// An interval of microseconds.
  public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1e6) }
  /// An interval of nanoseconds.
  public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1e9) }

  public static func < (a: Self, b: Self) -> Bool { a.magnitude < b.magnitude }
  /// The sum.
  public static func + (a: Self, b: Self) -> Self { Self(a.magnitude + b.magnitude) }
  /// The difference.
  public static func - (a: Self, b: Self) -> Self { Self(a.magnitude - b.magnitude) }
  /// The product.
  public static func * (a: Self, b: Self) -> Self { Self(a.magnitude * b.magnitude) }
  /// Multiplies the first by the second.
  public static func *= (a: inout Self, b: Self) { a = a * b }
}
