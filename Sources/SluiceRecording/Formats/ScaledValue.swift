import SluiceReadings

/// How the values of one channel are printed: as they are, or as `(raw + offset) * scale`, exactly.
struct ScaledValue {
  /// Without scale and offset.
  let isPlain: Bool
  private let scale: ExactDecimal
  private let offset: ExactDecimal

  init(_ channel: StreamDescription.Channel, of stream: StreamDescription, raw: Bool) {
    isPlain = raw || stream.isScaled || (channel.scale == .one && channel.offset.significand == 0)
    (scale, offset) = (channel.scale, channel.offset)
  }

  /// The value that is not printed as it is; nil for one of more than 38 digits, which has no place.
  func scaled(_ value: ExactDecimal) -> WideDecimal? { value.scaled(by: scale, offset: offset) }

  /// Prints a value.
  /// - Returns: Whether there was one: a missing value is not printed, nor one of more than 38 digits.
  func append(_ value: ExactDecimal, to cursor: inout TextCursor) -> Bool {
    if value.isMissing { return false }
    if isPlain {
      cursor.append(value)
    } else if let scaled = scaled(value) {
      cursor.append(scaled)
    } else {
      return false
    }
    return true
  }
}
