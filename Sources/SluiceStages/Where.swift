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
  private struct Place {
    let channel: Int
    let scale: ExactDecimal
    let offset: ExactDecimal
  }

  private let condition: Expression
  /// By stream, where the names of the condition are; nil for one that passes.
  private var places: [[Place]?]
  private var output: Reading?
  private var stack: [Double] = []

  /// What its readings mean, which is what they mean already.
  public let streams: [StreamDescription]

  /// - Parameter inputs: The streams whose readings it receives.
  /// - Throws: A ``SluiceError`` if no stream has all channels of the condition.
  public init(_ condition: Expression, inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("find the channels of")
    self.condition = condition
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

  /// Takes the next reading.
  public mutating func receive(_ reading: Reading) {
    let index = Int(reading.stream.index)
    guard index < places.count, let own = places[index] else { return output = reading }
    let isTrue = condition.isTrue(&stack) { name in
      let place = own[name]
      guard place.channel < reading.values.count else { return .nan }
      let value = reading.values[place.channel]
      return value.isMissing ? .nan : value.scaled(by: place.scale, offset: place.offset)?.nearest ?? .nan
    }
    if isTrue { output = reading }
  }

  /// Nothing is left at the end.
  public mutating func finish() {}

  /// The next reading; nil if it needs another input for it.
  public mutating func next() -> Reading? { output.take() }
}

extension WideDecimal {
  /// The nearest floating-point number, so that it equals the one that is written with the same digits.
  fileprivate var nearest: Double {
    // Both numbers have an exact form, and so the quotient is rounded once.
    guard significand.magnitude < 1 << 53, exponent >= -22, exponent <= 22 else { return approximation }
    let power = Self.powers[abs(exponent)]
    return exponent < 0 ? Double(significand) / power : Double(significand) * power
  }

  private static let powers: [Double] = (0...22).map { Double("1e\($0)") ?? .nan }
}
