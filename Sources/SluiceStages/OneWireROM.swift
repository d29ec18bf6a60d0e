/// The ROM code of a 1-Wire device: 64 bits with its family, its serial number and a CRC. No two devices share one.
struct OneWireROM: Equatable {
  /// 0x28 for a DS18B20.
  var family: UInt8
  /// 48 bits.
  var serial: Int64

  /// - Parameter bits: The bits in the order of the line; the first bit is the lowest.
  /// - Returns: nil if the CRC is wrong, or if the family is 0. A line without a device gives a right CRC and family 0.
  init?(bits: UInt64) {
    guard OneWireCheck.isRight(UInt128(bits), bytes: 8), bits & 0xff != 0 else { return nil }
    family = UInt8(truncatingIfNeeded: bits)
    serial = Int64(bits >> 8 & 0xffff_ffff_ffff)
  }
}

/// The CRC of 1-Wire: CRC-8 with polynomial 0x31, lowest bit first, from 0 (Maxim's application note 27).
enum OneWireCheck {
  /// Whether the last byte is the CRC of the bytes before it.
  /// - Parameter bits: The bits in the order of the line; the first bit is the lowest.
  static func isRight(_ bits: UInt128, bytes: Int) -> Bool {
    var check: UInt8 = 0
    for index in 0..<bytes * 8 {
      let bit = UInt8(truncatingIfNeeded: bits >> UInt128(index)) & 1
      check = (check ^ bit) & 1 == 1 ? check >> 1 ^ 0x8c : check >> 1
    }
    return check == 0
  }
}
