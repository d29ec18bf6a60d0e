public import Foundation
public import Sluice

/// An interval of time in seconds: what the intervals of Foundation's schedulers have in common.
///
/// Not for conforming to: the schedulers have a type each, as in Combine, and this spares them the arithmetic.
public protocol _TimeIntervalStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
  ExpressibleByFloatLiteral, Codable, Sendable
where Magnitude == TimeInterval, IntegerLiteralType == TimeInterval, FloatLiteralType == TimeInterval {
  /// In seconds; as with any `Double` there is nothing too long for it, and a nanosecond is not exact.
  var magnitude: TimeInterval { get set }
  init(_ timeInterval: TimeInterval)
}

extension _TimeIntervalStride {
  /// In seconds.
  public var timeInterval: TimeInterval { magnitude }

  public init(integerLiteral value: TimeInterval) { self.init(value) }
  public init(floatLiteral value: TimeInterval) { self.init(value) }

  public init?<T: BinaryInteger>(exactly source: T) {
    guard let value = TimeInterval(exactly: source) else { return nil }
    self.init(value)
  }

  public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }
  public static func seconds(_ s: Double) -> Self { Self(s) }
  public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1e3) }
  public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1e6) }
  public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1e9) }

  public static func < (a: Self, b: Self) -> Bool { a.magnitude < b.magnitude }
  public static func + (a: Self, b: Self) -> Self { Self(a.magnitude + b.magnitude) }
  public static func - (a: Self, b: Self) -> Self { Self(a.magnitude - b.magnitude) }
  public static func * (a: Self, b: Self) -> Self { Self(a.magnitude * b.magnitude) }
  public static func *= (a: inout Self, b: Self) { a = a * b }
}
