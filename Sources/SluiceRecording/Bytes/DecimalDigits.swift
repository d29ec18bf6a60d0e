/// Reads and writes decimal digits eight at a time, without a loop or a division per digit.
///
/// The words are read and written little-endian, so that the first digit is in the lowest byte.
enum DecimalDigits {
  /// The number of bytes after the end of a number that the functions here may read or write.
  static let slack = 8

  // MARK: Reading

  /// Reads a run of digits.
  ///
  /// - Parameter magnitude: The number before these digits.
  /// - Returns: The number, and the end of the run. A number of up to 19 digits is exact; the caller checks the count.
  /// - Precondition: ``slack`` bytes after the digits can be read, and the first of them is not a digit.
  @inline(__always)
  static func read(
    _ start: UnsafePointer<UInt8>, behind magnitude: UInt64 = 0
  ) -> (magnitude: UInt64, end: UnsafePointer<UInt8>) {
    let word = load(start)
    let bits = length(word)
    if bits == 64 { return readLong(start + 8, magnitude &* 100_000_000 &+ number(word)) }
    let count = Int(truncatingIfNeeded: bits &>> 3)
    return ((magnitude == 0 ? 0 : magnitude &* powers[count]) &+ number(word, bits), start + count)
  }

  @inline(never)
  private static func readLong(
    _ start: UnsafePointer<UInt8>, _ magnitude: UInt64
  ) -> (magnitude: UInt64, end: UnsafePointer<UInt8>) {
    var (next, magnitude) = (start, magnitude)
    while true {
      let word = load(next)
      let bits = length(word)
      if bits < 64 {
        let count = Int(truncatingIfNeeded: bits &>> 3)
        return (magnitude &* powers[count] &+ number(word, bits), next + count)
      }
      magnitude = magnitude &* 100_000_000 &+ number(word)
      next += 8
    }
  }

  private static let powers: [UInt64] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]

  /// The number of bits before the first byte that is not a digit, eight per digit.
  @inline(__always)
  private static func length(_ word: UInt64) -> UInt64 {
    // A byte above 9 gets its highest bit. The carry into the bytes after it does not matter.
    let others = ((word &+ 0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080
    return UInt64(truncatingIfNeeded: others.trailingZeroBitCount & 0x78)
  }

  private static var zeros: UInt64 { 0x3030_3030_3030_3030 }

  @inline(__always)
  private static func load(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)) ^ zeros
  }

  /// The number of the first digits of a word, fewer than eight.
  @inline(__always)
  private static func number(_ digits: UInt64, _ bits: UInt64) -> UInt64 {
    // Two shifts, because one shift by all 64 bits would have no effect.
    number((digits &<< (56 &- bits)) &<< 8)
  }

  /// The number of eight digits, the first in the lowest byte. Three steps join neighbours.
  @inline(__always)
  private static func number(_ digits: UInt64) -> UInt64 {
    let pairs = digits &* 10 &+ (digits &>> 8)
    let upper = (pairs & 0x0000_00ff_0000_00ff) &* 0x000f_4240_0000_0064  // by 1,000,000 and by 100
    let lower = ((pairs &>> 16) & 0x0000_00ff_0000_00ff) &* 0x0000_2710_0000_0001  // by 10,000 and by 1
    return (upper &+ lower) &>> 32
  }

  // MARK: Writing

  /// Writes a number. It may overwrite up to ``slack`` bytes after the number.
  ///
  /// - Returns: The number of digits.
  @inline(__always)
  static func write(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
    if value < 100_000_000 { return writeLeading(value, to: target) }
    return writeLong(value, to: target)
  }

  /// Writes a number below 10^8 with 1 to 7 decimals.
  ///
  /// - Returns: The number of characters.
  @inline(__always)
  static func write(_ value: UInt64, decimals: Int, to target: UnsafeMutablePointer<UInt8>) -> Int {
    let (word, count) = trimmed(value, minimum: decimals &+ 1)
    let whole = count &- decimals
    store(word, to: target)
    target[whole] = UInt8(ascii: ".")
    store(word &>> UInt64(8 &* whole), to: target + whole + 1)
    return count &+ 1
  }

  /// Writes all sixteen digits of a number below 10^16.
  static func writeSixteen(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) {
    let (upper, lower) = value.quotientAndRemainder(dividingBy: 100_000_000)
    writeEight(upper, to: target)
    writeEight(lower, to: target + 8)
  }

  @inline(never)
  private static func writeLong(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
    let (upper, last) = value.quotientAndRemainder(dividingBy: 100_000_000)
    var count: Int
    if upper < 100_000_000 {
      count = writeLeading(upper, to: target)
    } else {
      let (first, middle) = upper.quotientAndRemainder(dividingBy: 100_000_000)
      count = writeLeading(first, to: target)
      writeEight(middle, to: target + count)
      count += 8
    }
    writeEight(last, to: target + count)
    return count + 8
  }

  /// Writes all eight digits of a number below 10^8.
  @inline(__always)
  static func writeEight(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) {
    store(digits(value) | zeros, to: target)
  }

  @inline(__always)
  private static func writeLeading(_ value: UInt64, to target: UnsafeMutablePointer<UInt8>) -> Int {
    let (word, count) = trimmed(value, minimum: 1)
    store(word, to: target)
    return count
  }

  /// The text of a number below 10^8, with at least `minimum` digits (up to 8) and no other leading zeros.
  @inline(__always)
  private static func trimmed(_ value: UInt64, minimum: Int) -> (word: UInt64, count: Int) {
    let digits = digits(value)
    // A bit in the first required digit stops the count of leading zeros.
    let stop: UInt64 = 1 &<< UInt64(truncatingIfNeeded: 64 &- 8 &* minimum)
    let skipped = (digits | stop).trailingZeroBitCount & 0x38
    return ((digits | zeros) &>> UInt64(truncatingIfNeeded: skipped), 8 &- skipped &>> 3)
  }

  /// Splits a number below 10^8 into eight bytes from 0 to 9. Three steps halve all parts at once.
  @inline(__always)
  private static func digits(_ value: UInt64) -> UInt64 {
    let thousands = value / 10_000
    let fours = thousands | (value &- thousands &* 10_000) &<< 32
    // 10,486 / 2^20 is close enough to 1 / 100 for numbers below 10,000, and 103 / 2^10 to 1 / 10 for numbers below
    // 100.
    let hundreds = ((fours &* 10_486) &>> 20) & 0x0000_007f_0000_007f
    let pairs = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = ((pairs &* 103) &>> 10) & 0x000f_000f_000f_000f
    return tens | (pairs &- tens &* 10) &<< 8
  }

  @inline(__always)
  private static func store(_ word: UInt64, to target: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(target).storeBytes(of: word.littleEndian, as: UInt64.self)
  }
}
