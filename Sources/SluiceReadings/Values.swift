/// The values of one reading: up to 64. The first eight need no separate memory.
///
/// ```swift
/// var values = Values()
/// values.append(ExactDecimal(significand: 42))
/// values[0].significand  // 42
/// ```
public struct Values: Sendable {
  /// The largest number of values. No IIO device in the kernel has more channels in one scan.
  @inlinable public static var capacity: Int { 64 }
  @inlinable package static var inlineCapacity: Int { 8 }

  // Swift 6.0 has no fixed-size array; a tuple of equal elements has the same layout.
  @usableFromInline
  var significands: (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0, 0, 0)
  /// The exponents of the first eight values, one byte each. All are zero for values directly from a device.
  @usableFromInline var exponents: UInt64 = 0
  @usableFromInline var rest: [ExactDecimal]?
  @usableFromInline var size: UInt8 = 0

  /// Makes an empty list of values.
  @inlinable public init() {}

  /// Makes a single value, as for a GPIO edge.
  @inlinable public init(_ significand: Int64) {
    significands.0 = significand
    size = 1
  }

  /// Makes a list of values.
  /// - Precondition: At most ``capacity`` values.
  @inlinable public init(_ values: some Sequence<ExactDecimal>) { for value in values { append(value) } }

  /// - Precondition: At most ``capacity`` values.
  @inlinable public mutating func append(_ value: ExactDecimal) {
    precondition(count < Values.capacity, "a reading holds at most \(Values.capacity) values")
    size += 1
    if count > Values.inlineCapacity {
      if rest == nil { rest = [] }
      rest?.append(value)
    } else {
      self[count - 1] = value
    }
  }

  @inlinable package mutating func removeAll() {
    size = 0
    exponents = 0
    if rest != nil { rest = nil }
  }

  /// Appends a value, without a check for the first eight.
  @inlinable @inline(__always) package mutating func appendFast(_ value: ExactDecimal) {
    let index = Int(size)
    guard index < Values.inlineCapacity else { return append(value) }
    withUnsafeMutableBytes(of: &significands) {
      $0.storeBytes(of: value.significand, toByteOffset: index &* 8, as: Int64.self)
    }
    exponents |= UInt64(UInt8(bitPattern: value.exponent)) &<< UInt64(truncatingIfNeeded: index &* 8)
    size &+= 1
  }

  /// Calls a closure with the first values of a reading, up to eight, without a check of each.
  /// - Parameter count: A number of values that the reading has.
  @inlinable @inline(__always) package static func forEachInline(
    _ reading: UnsafePointer<Reading>, _ count: Int, _ body: (ExactDecimal) -> Void
  ) {
    var exponents = reading.pointee.values.exponents
    withUnsafeBytes(of: reading.pointee.values.significands) { significands in
      for index in 0..<Swift.min(count, inlineCapacity) {
        let significand = significands.loadUnaligned(fromByteOffset: index &* 8, as: Int64.self)
        body(ExactDecimal(significand: significand, exponent: Int8(truncatingIfNeeded: exponents)))
        exponents &>>= 8
      }
    }
  }

  /// Whether other values are as many, and have the same exponents.
  @inlinable @inline(__always) package func hasExponents(of other: Values) -> Bool {
    guard size == other.size, exponents == other.exponents else { return false }
    guard let rest else { return true }
    return rest.elementsEqual(other.rest ?? []) { $0.exponent == $1.exponent }
  }

  /// Appends a value directly from a device: a whole number.
  ///
  /// - Precondition: At most ``capacity`` values.
  @inlinable public mutating func append(_ significand: Int64) {
    let index = Int(size)
    guard index < Values.inlineCapacity else { return append(ExactDecimal(significand: significand)) }
    // Its exponent is already 0.
    withUnsafeMutableBytes(of: &significands) {
      $0.storeBytes(of: significand, toByteOffset: index &* 8, as: Int64.self)
    }
    size &+= 1
  }
}

extension Values: RandomAccessCollection, MutableCollection {
  /// The first index: 0.
  @inlinable public var startIndex: Int { 0 }
  /// The number of values.
  @inlinable public var endIndex: Int { Int(size) }

  /// The value at an index.
  @inlinable public subscript(index: Int) -> ExactDecimal {
    get {
      precondition(index >= 0 && index < count, "no value \(index) in a reading of \(count)")
      guard index < Values.inlineCapacity else { return rest?[index - Values.inlineCapacity] ?? .zero }
      let significand = withUnsafeBytes(of: significands) {
        $0.load(fromByteOffset: index &* 8, as: Int64.self)
      }
      return ExactDecimal(
        significand: significand, exponent: Int8(truncatingIfNeeded: exponents &>> UInt64(index &* 8)))
    }
    set {
      precondition(index >= 0 && index < count, "no value \(index) in a reading of \(count)")
      guard index < Values.inlineCapacity else {
        rest?[index - Values.inlineCapacity] = newValue
        return
      }
      withUnsafeMutableBytes(of: &significands) {
        $0.storeBytes(of: newValue.significand, toByteOffset: index &* 8, as: Int64.self)
      }
      let shift = UInt64(index &* 8)
      exponents = exponents & ~(0xff &<< shift) | UInt64(UInt8(bitPattern: newValue.exponent)) &<< shift
    }
  }
}

extension Values: Hashable {
  public static func == (a: Values, b: Values) -> Bool { a.elementsEqual(b) }
  public func hash(into hasher: inout Hasher) { for value in self { hasher.combine(value) } }
}

extension Values: CustomStringConvertible {
  /// The values as an array prints them: `[256, -0.5]`.
  public var description: String { "[\(map(\.description).joined(separator: ", "))]" }
}

extension Values: ExpressibleByArrayLiteral {
  /// Makes values from integers.
  public init(arrayLiteral elements: Int64...) { for element in elements { append(element) } }
}
