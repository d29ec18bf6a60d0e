/// The 64 bits that no two 1-Wire devices share: what it is, which one, and a check.
struct OneWireROM: Hashable {
  /// 0x28 for a DS18B20.
  var family: UInt8
  /// 48 bits.
  var serial: Int64

  /// - Parameter bits: In the order of the line, the first one lowest.
  /// - Returns: nil if the check is wrong. That of a line without a device is right, but its family is 0.
  init?(bits: UInt64) {
    guard OneWireCheck.isRight(UInt128(bits), bytes: 8), bits & 0xff != 0 else { return nil }
    family = UInt8(truncatingIfNeeded: bits)
    serial = Int64(bits >> 8 & 0xffff_ffff_ffff)
  }
}

/// The check of 1-Wire: CRC-8 with polynomial 0x31, lowest bit first, from 0 (Maxim's application note 27).
enum OneWireCheck {
  /// Whether the last of some bytes is the check of those before it.
  /// - Parameter bits: In the order of the line, the first one lowest.
  static func isRight(_ bits: UInt128, bytes: Int) -> Bool {
    var check: UInt8 = 0
    for index in 0..<bytes * 8 {
      let bit = UInt8(truncatingIfNeeded: bits >> UInt128(index)) & 1
      check = (check ^ bit) & 1 == 1 ? check >> 1 ^ 0x8c : check >> 1
    }
    return check == 0
  }
}
