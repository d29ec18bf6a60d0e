import SluiceExtras
public import SluiceReadings

/// Lets through the readings for which a condition holds.
///
/// Use it to keep what is of interest: a shock, a voltage that is too low. For the conditions see ``Expression``.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let adc = StreamDescription(name: "adc", channels: [.init(name: "voltage0", unit: "mV")])
/// let high = try Where(Expression("voltage0 > 1500"), inputs: InputStreams([adc]))
/// ```
///
/// It acts on the streams that have all channels of the condition; readings of others pass.
public struct Where: ReadingProcessor {
  /// A name of the condition in a stream.
  fileprivate struct Place {
    let channel: Int
    let scale: ExactDecimal
    let offset: ExactDecimal
  }

  private let condition: Expression
  /// By stream, where the names of the condition are; nil for one that passes.
  private var places: [[Place]?]
  private var numbers: [Double]

  /// What its readings mean, which is what they mean already.
  public let streams: [StreamDescription]

  /// - Parameter inputs: The streams whose readings it receives.
  /// - Throws: A ``SluiceError`` if no stream has all channels of the condition.
  public init(_ condition: Expression, inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("find the channels of")
    self.condition = condition
    numbers = Array(repeating: .nan, count: condition.names.count + condition.depth)
    streams = inputs.known
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
      remedy: "give a condition on the channels of one stream")
  }

  /// Always false: what passes is what came.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds it if the condition holds.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    let index = Int(reading.stream.index)
    guard index < places.count, let own = places[index] else { return outputs.append(reading) }
    let isTrue = numbers.withUnsafeMutableBufferPointer { numbers in
      for (name, place) in own.enumerated() {
        numbers[name] = place.channel < reading.values.count ? place.number(reading.values[place.channel]) : .nan
      }
      return condition.isTrue(numbers)
    }
    if isTrue { outputs.append(reading) }
  }
}

extension Where.Place {
  /// The value in its unit, as the number that is nearest to it.
  fileprivate func number(_ value: ExactDecimal) -> Double {
    if value.isMissing { return .nan }
    // Most values have few digits, and need no wide numbers.
    if offset.significand == 0 {
      let (product, overflow) = value.significand.multipliedReportingOverflow(by: scale.significand)
      let exponent = Int(value.exponent) + Int(scale.exponent)
      if !overflow, product.magnitude < 1 << 53, exponent <= 0, exponent >= -22 {
        // Both numbers have an exact form, and so the quotient is rounded once: it equals the one that is written so.
        return Double(product) / powers[-exponent]
      }
    }
    return value.scaled(by: scale, offset: offset)?.approximation ?? .nan
  }
}

/// Powers of ten that a `Double` holds exactly.
private let powers: [Double] = (0...22).map { Double("1e\($0)") ?? .nan }
