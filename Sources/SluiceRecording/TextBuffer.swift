#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes of text under construction: numbers are formatted straight into it.
final class TextBuffer {
  // Only its owner writes, one call at a time: checking that on every byte took a tenth of a replay.
  @exclusivity(unchecked) private var base: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var capacity: Int
  @exclusivity(unchecked) private(set) var count = 0

  init(capacity: Int = 256) {
    self.capacity = capacity
    base = .allocate(capacity: capacity)
  }

  deinit { base.deallocate() }

  func removeAll() { count = 0 }

  /// Cuts it back to what it held before.
  func truncate(to count: Int) { if count < self.count { self.count = count } }

  func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try body(UnsafeBufferPointer(start: base, count: count))
  }

  private func reserve(_ more: Int) {
    guard capacity - count < more else { return }
    capacity = Swift.max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }

  // MARK: Appending

  func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count += 1
  }

  func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    memcpy(base + count, start, bytes.count)
    count += bytes.count
  }

  func append(_ text: String) { append(Array(text.utf8)) }

  func append(_ value: Int64) {
    reserve(20)
    if value < 0 {
      base[count] = UInt8(ascii: "-")
      count += 1
    }
    count += Self.write(value.magnitude, to: base + count)
  }

  /// Nothing for a missing value.
  func append(_ value: ExactDecimal) {
    if value.exponent == 0 { return append(value.significand) }
    if value.isMissing { return }
    reserve(20)
    let digits = Self.write(value.significand.magnitude, to: base + count)
    place(digits, negative: value.significand < 0, exponent: Int(value.exponent))
  }

  func append(_ value: WideDecimal) {
    reserve(40)
    let digits: Int
    if let small = UInt64(exactly: value.significand.magnitude) {
      digits = Self.write(small, to: base + count)
    } else {
      let (high, low) = value.significand.magnitude.quotientAndRemainder(dividingBy: 10_000_000_000_000_000_000)
      // Of at most 39 digits the upper 20 fit into 64 bits.
      let upper = Self.write(UInt64(truncatingIfNeeded: high), to: base + count)
      Self.write(UInt64(truncatingIfNeeded: low), digits: 19, to: base + count + upper)
      digits = upper + 19
    }
    place(digits, negative: value.significand < 0, exponent: value.exponent)
  }

  /// Makes the digits that stand behind `count` a number with sign, point and zeros.
  private func place(_ digits: Int, negative: Bool, exponent: Int) {
    let sign = negative ? 1 : 0
    let decimals = Swift.max(0, -exponent)
    let zerosBehind = digits == 1 && base[count] == 0x30 ? 0 : Swift.max(0, exponent)
    let zerosBefore = Swift.max(0, decimals + 1 - digits)  // one digit stands before the point
    reserve(digits + sign + 1 + zerosBefore + zerosBehind)
    let start = base + count
    memmove(start + sign + zerosBefore, start, digits)
    if negative { start[0] = UInt8(ascii: "-") }
    memset(start + sign, 0x30, zerosBefore)
    memset(start + sign + zerosBefore + digits, 0x30, zerosBehind)
    var length = sign + zerosBefore + digits + zerosBehind
    if decimals > 0 {
      memmove(start + length - decimals + 1, start + length - decimals, decimals)
      start[length - decimals] = UInt8(ascii: ".")
      length += 1
    }
    count += length
  }

  // MARK: Digits

  /// - Returns: How many digits there are.
  private static func write(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
    var digits = 1
    var limit: UInt64 = 10
    while digits < 20, value >= limit {
      digits += 1
      let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
      if overflow { break }
      limit = next
    }
    write(value, digits: digits, to: target)
    return digits
  }

  /// Two digits at a time: half the divisions.
  private static func write(_ value: UInt64, digits: Int, to target: UnsafeMutablePointer<UInt8>) {
    var value = value
    var index = digits
    while index >= 2 {
      let (rest, pair) = value.quotientAndRemainder(dividingBy: 100)
      index -= 2
      target[index] = UInt8(truncatingIfNeeded: 0x30 + pair / 10)
      target[index + 1] = UInt8(truncatingIfNeeded: 0x30 + pair % 10)
      value = rest
    }
    if index == 1 { target[0] = UInt8(truncatingIfNeeded: 0x30 + value % 10) }
  }
}
