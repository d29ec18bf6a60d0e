import SluiceReadings

/// The bits of a signal in a payload. It has no name and no unit, so that a frame is decoded without counting references.
struct CANBits: Sendable {
  /// The first bit. For little endian, it is the number in the file. For big endian, bits are counted in the order of
  /// the bus, where the highest bit of byte 0 is the first.
  private let first: Int
  private let size: Int
  private let isBigEndian: Bool
  private let form: CANSignal.Form

  /// - Parameter start: The number of the bit as a DBC file counts.
  init(start: Int, size: Int, isBigEndian: Bool, form: CANSignal.Form) {
    first = isBigEndian ? start & ~7 | (7 - start & 7) : start
    self.size = size
    self.isBigEndian = isBigEndian
    self.form = form
  }

  /// The number of bytes that a frame must have for it.
  var bytes: Int { (first + size + 7) / 8 }

  /// The bits as an unsigned number.
  /// - Precondition: ``bytes`` is at most 64.
  func bits(of payload: CANPayload) -> UInt64 {
    let (byte, shift) = (first >> 3, first & 7)
    // A signal of 64 bits may touch nine bytes.
    let (word, next) = payload.withBytes {
      ($0.loadUnaligned(fromByteOffset: byte, as: UInt64.self), UInt64($0[byte + 8]))
    }
    if isBigEndian {
      let bits = shift == 0 ? word.bigEndian : word.bigEndian << UInt64(shift) | next >> UInt64(8 - shift)
      return bits >> UInt64(64 - size)
    }
    let bits = shift == 0 ? word.littleEndian : word.littleEndian >> UInt64(shift) | next << UInt64(64 - shift)
    return size == 64 ? bits : bits & (1 << UInt64(size) - 1)
  }

  /// The value of the bits before factor and offset; missing for a number that a reading cannot hold, such as NaN.
  func value(_ bits: UInt64) -> ExactDecimal {
    switch form {
    case .unsigned:
      // From 2^63 on, a reading can hold only the nearest number with 19 digits.
      Int64(exactly: bits).map { ExactDecimal(significand: $0) } ?? CANSignal.nearest("\(bits)")
    case .signed: ExactDecimal(significand: Int64(bitPattern: bits << UInt64(64 - size)) >> Int64(64 - size))
    case .float: CANSignal.nearest(Float(bitPattern: UInt32(truncatingIfNeeded: bits)).description)
    case .double: CANSignal.nearest(Double(bitPattern: bits).description)
    }
  }
}
