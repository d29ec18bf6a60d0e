package import SluiceReadings

/// A signal of a message in a DBC file: its bits, and their meaning.
package struct CANSignal: Equatable, Sendable {
  package enum Form: Hashable, Sendable { case unsigned, signed, float, double }

  /// Whether a frame has the signal: if the value of another signal of the message, the switch, is in one of the ranges.
  package struct Presence: Equatable, Sendable {
    /// The index of the switch in the message.
    package var selector: Int
    package var ranges: [ClosedRange<UInt64>]
  }

  package var name: String
  /// The number of the bit as a DBC file counts: of the lowest bit (little endian), or of the highest (big endian).
  /// Bit 0 is the lowest of byte 0, and bit 8 the lowest of byte 1.
  package var start: Int
  /// The number of bits, 1 to 64.
  package var size: Int
  package var isBigEndian: Bool
  package var form: Form
  package var factor: ExactDecimal
  package var offset: ExactDecimal
  package var unit: String?
  /// Nil if every frame has it.
  package var presence: Presence?

  package init(
    name: String, start: Int, size: Int, isBigEndian: Bool = false, form: Form = .unsigned,
    factor: ExactDecimal = .one, offset: ExactDecimal = .zero, unit: String? = nil, presence: Presence? = nil
  ) {
    self.name = name
    self.start = start
    self.size = size
    self.isBigEndian = isBigEndian
    self.form = form
    self.factor = factor
    self.offset = offset
    self.unit = unit
    self.presence = presence
  }

  /// Where its bits are, and what they are.
  var layout: CANBits { CANBits(start: start, size: size, isBigEndian: isBigEndian, form: form) }

  /// The number of bytes that a frame must have for it.
  package var bytes: Int { layout.bytes }
}

extension CANSignal {
  /// How values are written into readings.
  enum Scaling: Equatable {
    /// As they are in the frame: the channel has the scale, and an offset that a reader adds before scaling.
    case byChannel(offset: ExactDecimal)
    /// With factor and offset, because `offset / factor` is not a decimal number.
    case inReading
  }

  /// A DBC file has `value * factor + offset`, and a channel `(value + offset) * scale`.
  var scaling: Scaling {
    if offset.significand == 0 { return .byChannel(offset: .zero) }
    var dividend = Int128(offset.significand)
    var exponent = Int(offset.exponent) - Int(factor.exponent)
    guard factor.significand != 0 else { return .inReading }
    for _ in 0...18 {
      let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: Int128(factor.significand))
      if rest == 0, let significand = Int64(exactly: quotient), (-100...0).contains(exponent) {
        return .byChannel(offset: ExactDecimal(significand: significand, exponent: Int8(exponent)))
      }
      let (more, overflow) = dividend.multipliedReportingOverflow(by: 10)
      if overflow { break }
      (dividend, exponent) = (more, exponent - 1)
    }
    return .inReading
  }

  /// `value * factor + offset`, exactly if its digits fit.
  func scaled(_ value: ExactDecimal) -> ExactDecimal {
    let product = WideDecimal(
      significand: Int128(value.significand) * Int128(factor.significand),
      exponent: Int(value.exponent) + Int(factor.exponent))
    let exponent = min(product.exponent, Int(offset.exponent))
    guard let a = ExactDecimal.shifted(product.significand, by: product.exponent - exponent),
      let b = ExactDecimal.shifted(Int128(offset.significand), by: Int(offset.exponent) - exponent),
      case let (sum, overflow) = a.addingReportingOverflow(b), !overflow
    else { return .missing }
    if let significand = Int64(exactly: sum), (-100...0).contains(exponent) {
      return ExactDecimal(significand: significand, exponent: Int8(exponent))
    }
    return Self.nearest(WideDecimal(significand: sum, exponent: exponent).description)
  }

  /// The number of a text with the digits that fit.
  static func nearest(_ text: String) -> ExactDecimal {
    var text = text
    return text.withUTF8 { NearestDecimal(utf8: $0)?.value } ?? .missing
  }
}
