import SluiceReadings

/// An ``Expression`` whose names are channels of the input streams.
struct Condition {
  /// The channel of a stream to which a name of the condition belongs.
  fileprivate struct Place {
    let channel: Int
    let scale: ExactDecimal
    let offset: ExactDecimal
  }

  private let expression: Expression
  /// The places of the names in each stream; nil if the stream does not have all of them.
  private let places: [[Place]?]
  private var numbers: [Double]

  /// - Throws: A `SluiceError` if no stream has all channels of the condition.
  init(_ expression: Expression, inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("find the channels of")
    self.expression = expression
    numbers = Array(repeating: .nan, count: expression.names.count + expression.depth)
    let found = expression.names.map { inputs.channels($0) }
    for (name, found) in zip(expression.names, found) where found.isEmpty {
      throw SluiceError(
        .notFound, "find", name, because: "there is no channel of this name", remedy: inputs.remedy(unknown: name))
    }
    places = inputs.known.indices.map { stream in
      let own = found.compactMap { places in places.first { $0.stream == stream }?.channel }
      guard own.count == found.count else { return nil }
      return own.map { channel in
        let described = inputs.known[stream].channels[channel]
        let isScaled = inputs.known[stream].isScaled
        return Place(
          channel: channel, scale: isScaled ? .one : described.scale, offset: isScaled ? .zero : described.offset)
      }
    }
    guard !places.contains(where: { $0 != nil }) else { return }
    throw SluiceError(
      .usage, "find", expression.names.joined(separator: " and "), because: "they are in different streams",
      remedy: "use channels of one stream in the condition")
  }

  /// Whether it is true for a reading; nil if the stream does not have all its channels.
  mutating func isTrue(_ reading: Reading) -> Bool? {
    let index = Int(reading.stream.index)
    guard index < places.count, let own = places[index] else { return nil }
    return numbers.withUnsafeMutableBufferPointer { numbers in
      for (name, place) in own.enumerated() {
        numbers[name] = place.channel < reading.values.count ? place.number(reading.values[place.channel]) : .nan
      }
      return expression.isTrue(numbers)
    }
  }
}

extension Condition.Place {
  /// The value in its unit, as the nearest `Double`.
  fileprivate func number(_ value: ExactDecimal) -> Double {
    if value.isMissing { return .nan }
    // Most values have few digits, and do not need wide numbers.
    if offset.significand == 0 {
      let (product, overflow) = value.significand.multipliedReportingOverflow(by: scale.significand)
      let exponent = Int(value.exponent) + Int(scale.exponent)
      if !overflow, product.magnitude < 1 << 53, exponent <= 0, exponent >= -22 {
        // Both numbers are exact, so the quotient is rounded once, and equals the literal with the same digits.
        return Double(product) / powers[-exponent]
      }
    }
    return value.scaled(by: scale, offset: offset)?.approximation ?? .nan
  }
}

/// Powers of ten that a `Double` holds exactly.
private let powers: [Double] = (0...22).map { Double("1e\($0)") ?? .nan }
