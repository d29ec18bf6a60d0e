import SluiceExtras
public import SluiceReadings

/// Passes the readings for which a condition is true.
///
/// Use it to keep only some readings: a shock, a voltage that is too low. ``Expression`` describes the conditions.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let adc = StreamDescription(name: "adc", channels: [.init(name: "voltage0", unit: "mV")])
/// let high = try Where(Expression("voltage0 > 1500"), inputs: InputStreams([adc]))
/// ```
///
/// It acts on the streams that have all channels of the condition. Readings of other streams pass.
public struct Where: ReadingProcessor {
  /// The channel of a stream to which a name of the condition belongs.
  fileprivate struct Place {
    let channel: Int
    let scale: ExactDecimal
    let offset: ExactDecimal
  }

  private let condition: Expression
  /// The places of the names in each stream; nil if the readings of the stream pass.
  private var places: [[Place]?]
  private var numbers: [Double]

  /// The gaps before the next reading of each stream, because readings that follow a gap were left out.
  private var left: [Reading.Flags]
  /// The descriptions of its outputs, which are those of its inputs.
  public let streams: [StreamDescription]

  /// - Parameter inputs: The input streams.
  /// - Throws: A `SluiceError` if no stream has all channels of the condition.
  public init(_ condition: Expression, inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("find the channels of")
    self.condition = condition
    numbers = Array(repeating: .nan, count: condition.names.count + condition.depth)
    streams = inputs.known
    left = inputs.known.map { _ in [] }
    let found = condition.names.map { inputs.channels($0) }
    for (name, found) in zip(condition.names, found) where found.isEmpty {
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
      .usage, "find", condition.names.joined(separator: " and "), because: "they are in different streams",
      remedy: "use channels of one stream in the condition")
  }

  /// Always false, because readings pass or are left out.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds it if the condition is true.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    let index = Int(reading.stream.index)
    guard index < places.count, let own = places[index] else { return outputs.append(reading) }
    let isTrue = numbers.withUnsafeMutableBufferPointer { numbers in
      for (name, place) in own.enumerated() {
        numbers[name] = place.channel < reading.values.count ? place.number(reading.values[place.channel]) : .nan
      }
      return condition.isTrue(numbers)
    }
    guard isTrue else {
      let flags = reading.flags.intersection([.gapBefore, .restart])
      if !flags.isEmpty { left[index].formUnion(flags) }
      return
    }
    outputs.append(reading)
    if !left[index].isEmpty {
      outputs[outputs.count - 1].flags.formUnion(left[index])
      left[index] = []
    }
  }
}

extension Where.Place {
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
