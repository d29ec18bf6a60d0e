extension Subscribers {
  /// The number of values that a subscriber wants, or no limit.
  ///
  /// Demand only adds up. A sum above `Int.max` is unlimited; unlimited minus any demand stays unlimited.
  ///
  /// ```swift
  /// Subscribers.Demand.max(2) + .max(3)  // max(5)
  /// Subscribers.Demand.unlimited - 1     // unlimited
  /// ```
  @frozen public struct Demand: Hashable, Sendable {
    /// 0 ... Int.max, or Int.max + 1 for unlimited. Unlimited is greater than every number, so comparing needs no
    /// cases.
    @usableFromInline let rawValue: UInt

    @inlinable init(rawValue: UInt) { self.rawValue = rawValue }

    /// No limit.
    @inlinable public static var unlimited: Demand { Demand(rawValue: UInt(Int.max) + 1) }

    /// No values, or no further values.
    @inlinable public static var none: Demand { Demand(rawValue: 0) }

    /// At most `value` values. It must not be negative.
    @inlinable public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "demand cannot be negative")
      return Demand(rawValue: UInt(bitPattern: value))
    }

    /// The number; nil for unlimited.
    @inlinable public var max: Int? { Int(exactly: rawValue) }
  }
}

extension Subscribers.Demand: CustomStringConvertible {
  public var description: String { max.map { "max(\($0))" } ?? "unlimited" }
}

// MARK: Arithmetic

extension Subscribers.Demand {
  /// The sum; unlimited if it is too large for an `Int`.
  @inlinable public static func + (a: Self, b: Self) -> Self {
    // Two values of at most 2^63 add up to at most 2^64. Only unlimited + unlimited overflows.
    let (sum, overflow) = a.rawValue.addingReportingOverflow(b.rawValue)
    return overflow ? .unlimited : Self(rawValue: Swift.min(sum, unlimited.rawValue))
  }

  /// The sum; unlimited if it is too large for an `Int`.
  @inlinable public static func + (a: Self, b: Int) -> Self {
    guard let number = a.max else { return .unlimited }
    let (sum, overflow) = number.addingReportingOverflow(b)
    return overflow ? .unlimited : .max(sum)
  }

  /// The product; unlimited if it is too large for an `Int`.
  @inlinable public static func * (a: Self, b: Int) -> Self {
    guard let number = a.max else { return .unlimited }
    let (product, overflow) = number.multipliedReportingOverflow(by: b)
    return overflow ? .unlimited : .max(product)
  }

  /// The rest of `a` after `b`. It traps if `b` is greater than `a`; a number minus unlimited is none.
  @inlinable public static func - (a: Self, b: Self) -> Self {
    guard let number = a.max else { return .unlimited }
    guard let less = b.max else { return .none }
    return .max(number - less)
  }

  /// The rest of `a` after `b`; unlimited stays unlimited.
  @inlinable public static func - (a: Self, b: Int) -> Self {
    guard let number = a.max else { return .unlimited }
    let (difference, overflow) = number.subtractingReportingOverflow(b)
    return overflow ? .none : .max(difference)
  }

  /// Adds the second to the first.
  @inlinable public static func += (a: inout Self, b: Self) { a = a + b }
  /// Adds the second to the first.
  @inlinable public static func += (a: inout Self, b: Int) { a = a + b }
  /// Multiplies the first by the second.
  @inlinable public static func *= (a: inout Self, b: Int) { a = a * b }
  /// Subtracts the second from the first.
  @inlinable public static func -= (a: inout Self, b: Self) { a = a - b }
  /// Subtracts the second from the first.
  @inlinable public static func -= (a: inout Self, b: Int) { a = a - b }

  /// Sets it to none and returns the value before.
  @inlinable package mutating func take() -> Self {
    defer { self = .none }
    return self
  }

  /// Uses up the demand for one value. Unlimited stays unlimited.
  @inlinable package mutating func spend() {
    precondition(self != .none, "a value was delivered that nobody asked for")
    if self != .unlimited { self = Self(rawValue: rawValue &- 1) }
  }
}

// MARK: Comparison

extension Subscribers.Demand: Comparable {
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension Subscribers.Demand {
  @inlinable public static func == (a: Self, b: Int) -> Bool { a.max == b }
  @inlinable public static func != (a: Self, b: Int) -> Bool { a.max != b }
  @inlinable public static func < (a: Self, b: Int) -> Bool { a.rawValue < b }
  @inlinable public static func <= (a: Self, b: Int) -> Bool { a.rawValue <= b }
  @inlinable public static func > (a: Self, b: Int) -> Bool { a.rawValue > b }
  @inlinable public static func >= (a: Self, b: Int) -> Bool { a.rawValue >= b }

  @inlinable public static func == (a: Int, b: Self) -> Bool { b.max == a }
  @inlinable public static func != (a: Int, b: Self) -> Bool { b.max != a }
  @inlinable public static func < (a: Int, b: Self) -> Bool { a < b.rawValue }
  @inlinable public static func <= (a: Int, b: Self) -> Bool { a <= b.rawValue }
  @inlinable public static func > (a: Int, b: Self) -> Bool { a > b.rawValue }
  @inlinable public static func >= (a: Int, b: Self) -> Bool { a >= b.rawValue }
}

// MARK: Coding

extension Subscribers.Demand: Codable {
  public init(from decoder: any Decoder) throws {
    let rawValue = try decoder.singleValueContainer().decode(UInt.self)
    self.init(rawValue: Swift.min(rawValue, Self.unlimited.rawValue))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
