import SluiceReadings

/// The memory of a 1-Wire thermometer with its last temperature.
struct Scratchpad {
  /// The format of the temperature.
  private enum Layout {
    /// DS18B20, DS1822: sixteenths of a degree.
    case sixteenths
    /// DS18S20, DS1820: halves of a degree, and a counter for the remainder.
    case halves
  }

  /// The supported families.
  static let families: [UInt8] = [0x10, 0x22, 0x28]

  /// The bits in the order of the line; the first bit is the lowest.
  private let bits: UInt128
  /// The number of bytes that were read.
  private let size: Int
  private let layout: Layout?

  /// - Parameters:
  ///   - size: The number of bytes that were read.
  ///   - family: The family of the device. If it is nil, the contents of the memory decide, or else it is a DS18B20.
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

  /// The exact temperature in degrees Celsius; missing if fewer than two bytes were read, or if they do not fit the
  /// device.
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
      // The data sheet of the DS18S20: the whole degrees, minus a quarter, plus the sixteenths of the counter.
      if size > 7, byte(7) == 16, byte(6) <= 16 { sixteenths = (raw >> 1) * 16 - 4 + 16 - byte(6) }
    }
    return ExactDecimal(significand: sixteenths * 625, exponent: -4)
  }
}
