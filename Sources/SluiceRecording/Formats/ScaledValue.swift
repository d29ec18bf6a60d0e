public import SluiceReadings

/// Prints the values of one channel: unchanged, as `(raw + offset) * scale` exactly, or rounded.
package struct ScaledValue {
  /// Whether the value is printed unchanged: without scale and offset, and with all digits.
  let isPlain: Bool
  private let isScaled: Bool
  /// The number of decimals; nil prints all.
  package let decimals: Int?
  private let scale: ExactDecimal
  private let offset: ExactDecimal

  package init(_ channel: StreamDescription.Channel, of stream: StreamDescription, _ streams: EncoderStreams) {
    isScaled = !(streams.raw || stream.isScaled || (channel.scale == .one && channel.offset.significand == 0))
    // A level has no decimals.
    decimals = channel.format == StreamDescription.Channel.level && !isScaled ? nil : streams.style.decimals
    isPlain = !isScaled && decimals == nil
    (scale, offset) = (channel.scale, channel.offset)
  }

  /// The value to print if it is not plain; nil for a value of more than 38 digits, which cannot be printed.
  package func scaled(_ value: ExactDecimal) -> WideDecimal? {
    let scaled =
      isScaled
      ? value.scaled(by: scale, offset: offset)
      : WideDecimal(significand: Int128(value.significand), exponent: Int(value.exponent))
    guard let decimals else { return scaled }
    return scaled?.rounded(toDecimals: decimals)
  }

  /// Prints a value.
  /// - Returns: Whether it was printed. A missing value, or a value of more than 38 digits, is not printed.
  package func append(_ value: ExactDecimal, to cursor: inout TextCursor) -> Bool {
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

extension EncoderStreams {
  /// The text of a value as these rows have it: scaled unless they are raw, and rounded if they have decimals.
  /// - Parameters:
  ///   - channel: The number of the channel in its stream.
  ///   - stream: The index of the stream in ``streams``.
  /// - Returns: Nil for a missing value, for one of more than 38 digits, and for a channel that the stream does not have.
  public func text(of value: ExactDecimal, channel: Int, stream: Int) -> String? {
    guard streams.indices.contains(stream), streams[stream].channels.indices.contains(channel) else { return nil }
    let scaled = ScaledValue(streams[stream].channels[channel], of: streams[stream], self)
    let text = TextBuffer()
    var isThere = false
    text.append(atMost: TextCursor.longestNumber) { isThere = scaled.append(value, to: &$0) }
    return isThere ? text.withBytes { String(decoding: $0, as: UTF8.self) } : nil
  }
}
