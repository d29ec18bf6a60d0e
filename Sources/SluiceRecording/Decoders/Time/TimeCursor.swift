/// Moves through the text of a time.
struct TimeCursor {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }
  var next: UInt8 { index < bytes.count ? bytes[index] : 0 }
  var isAtDigit: Bool { next &- 0x30 < 10 }

  mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// - Returns: Whether there was one.
  @discardableResult
  mutating func takeSpaces() -> Bool {
    let start = index
    while next == 0x20 || next == 0x09 { index += 1 }
    return index > start
  }

  /// Takes a number with this many digits.
  mutating func number(_ digits: ClosedRange<Int>) throws(CivilTime.Fault) -> (value: Int64, digits: Int) {
    var value: Int64 = 0
    var count = 0
    while count < digits.upperBound, isAtDigit {
      value = value * 10 + Int64(next &- 0x30)
      index += 1
      count += 1
    }
    guard digits.contains(count) else { throw .noTime }
    return (value, count)
  }

  /// Takes the digits behind the mark of a fraction of a second.
  mutating func fraction() throws(CivilTime.Fault) -> (nanoseconds: Int64, isRounded: Bool) {
    var (nanoseconds, place, isRounded): (Int64, Int64, Bool) = (0, 100_000_000, false)
    let start = index
    while isAtDigit {
      let digit = Int64(next &- 0x30)
      if index - start == 9, digit >= 5 { nanoseconds += 1 }
      isRounded = isRounded || place == 0 && digit != 0
      nanoseconds += digit * place
      place /= 10
      index += 1
    }
    guard index > start else { throw .noTime }
    return (nanoseconds, isRounded)
  }

  /// Takes the letters of the ASCII alphabet.
  mutating func word() -> String {
    let start = index
    while (next | 0x20) &- 0x61 < 26 { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
  }

  /// Takes AM or PM, also as `a.m.` or `a`.
  /// - Returns: Whether it is the afternoon; nil if there is neither.
  mutating func half() -> Bool? {
    let first = next | 0x20
    guard first == UInt8(ascii: "a") || first == UInt8(ascii: "p") else { return nil }
    index += 1
    if isAtEnd { return first == UInt8(ascii: "p") }
    _ = take(UInt8(ascii: "."))
    guard next | 0x20 == UInt8(ascii: "m") else { return nil }
    index += 1
    _ = take(UInt8(ascii: "."))
    return first == UInt8(ascii: "p")
  }

  /// Takes a zone: `Z`, `UTC`, `+01:00`, `+0100`, `+01`.
  /// - Returns: Its seconds ahead of UTC; nil if there is none.
  mutating func zone() throws(CivilTime.Fault) -> Int64? {
    if take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return 0 }
    if bytes[index...].elementsEqual("UTC".utf8) {
      index = bytes.count
      return 0
    }
    let isBehind = next == UInt8(ascii: "-")
    guard take(UInt8(ascii: "+")) || take(UInt8(ascii: "-")) else { return nil }
    let hours = try number(2...2).value
    let minutes = take(UInt8(ascii: ":")) || isAtDigit ? try number(2...2).value : 0
    guard hours < 24, minutes < 60 else { throw .noTime }
    return (isBehind ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }
}
