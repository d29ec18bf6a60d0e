import SluiceReadings

/// The memory of a 1-Wire thermometer, which has what it measured last.
struct Scratchpad {
  /// How the temperature is stored.
  private enum Layout {
    /// DS18B20, DS1822: sixteenths of a degree.
    case sixteenths
    /// DS18S20, DS1820: halves, and a counter with what is left of them.
    case halves
  }

  /// The families that it knows.
  static let families: [UInt8] = [0x10, 0x22, 0x28]

  /// In the order of the line, the first one lowest.
  private let bits: UInt128
  /// How many bytes were read.
  private let size: Int
  private let layout: Layout?

  /// - Parameters:
  ///   - size: How many bytes were read.
  ///   - family: That of the device; nil if it is not known, and the memory itself shows it then, or it is a DS18B20.
  init(_ bits: UInt128, size: Int, family: UInt8?) {
    self.bits = bits
    self.size = size
    // Byte 4 is the resolution, 0RR11111, or 0xff of a DS18S20, which has none.
    let configuration = size > 4 ? UInt8(truncatingIfNeeded: bits >> 32) : nil
    let shown: Layout? =
      switch configuration {
      case nil: family == 0x10 ? .halves : .sixteenths
      case 0xff?: .halves
      case let configuration?: configuration & 0x9f == 0x1f ? .sixteenths : nil
      }
    let expected: Layout? = family.map { $0 == 0x10 ? .halves : .sixteenths } ?? shown
    layout = shown == expected ? shown : nil
  }

  private func byte(_ index: Int) -> Int64 { Int64(UInt8(truncatingIfNeeded: bits >> UInt128(8 * index))) }

  /// In degrees Celsius, exactly; missing if fewer than two bytes were read, or they cannot be those of the device.
  var temperature: ExactDecimal {
    guard size >= 2, let layout else { return .missing }
    let raw = Int64(Int16(truncatingIfNeeded: byte(1) << 8 | byte(0)))
    var sixteenths: Int64
    switch layout {
    case .sixteenths:
      // The bits below the resolution are undefined.
      let resolution = size > 4 ? byte(4) >> 5 & 3 : 3
      sixteenths = raw & ~((1 << (3 - resolution)) - 1)
    case .halves:
      sixteenths = raw << 3
      // The data sheet of the DS18S20: without its half, less a quarter, and the sixteenths that the counter has left.
      if size > 7, byte(7) == 16, byte(6) <= 16 { sixteenths = (raw >> 1) * 16 - 4 + 16 - byte(6) }
    }
    return ExactDecimal(significand: sixteenths * 625, exponent: -4)
  }
}
