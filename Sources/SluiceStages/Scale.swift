import SluiceExtras
public import SluiceReadings

/// Converts the values of a channel into another quantity: `value * gain + offset`, in another unit.
///
/// Use it for a sensor that gives a voltage: a current clamp, a pressure transmitter, a voltage divider.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let adc = StreamDescription(name: "adc", channels: [.init(name: "voltage0", unit: "mV")])
/// let pressure = Scale(
///   channel: "voltage0", gain: ExactDecimal(significand: 25, exponent: -3), offset: .zero, unit: "bar")
/// var scaled = try pressure.processor(inputs: InputStreams([adc]))
/// var readings: [Reading] = []
/// scaled.receive(Reading(time: 0, stream: StreamID(0), values: [1_000]), into: &readings)
/// print(readings[0].values[0])  // 25.000
/// ```
///
/// The value is in the unit of the channel, after the scale and offset of the device. The result is exact if its digits
/// fit in 64 bits. Otherwise it is rounded to 64 bits.
public struct Scale: Hashable, Sendable {
  /// The channel: `STREAM.channel`, or `channel` in each stream that has it.
  public var channel: String
  /// The factor.
  public var gain: ExactDecimal
  /// The number that is added after the multiplication.
  public var offset: ExactDecimal
  /// The unit of the result; nil for the unit of the channel.
  public var unit: String?

  /// Makes a description of the conversion.
  public init(channel: String, gain: ExactDecimal, offset: ExactDecimal = .zero, unit: String? = nil) {
    self.channel = channel
    self.gain = gain
    self.offset = offset
    self.unit = unit
  }

  /// Makes the processor.
  /// - Throws: A `SluiceError` if there is no such channel.
  public func processor(inputs: InputStreams) throws(SluiceError) -> ScaleProcessor {
    try ScaleProcessor(self, inputs: inputs)
  }
}

/// Applies a ``Scale`` to readings.
public struct ScaleProcessor: ReadingProcessor {
  private let scale: Scale
  /// A channel of a stream, with the scale and the offset of the device, which are applied first.
  private struct Place {
    let channel: Int
    let scale: ExactDecimal
    let offset: ExactDecimal
  }

  /// The places of each stream.
  private var places: [[Place]]
  /// The descriptions of its outputs.
  public private(set) var streams: [StreamDescription]

  init(_ scale: Scale, inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("scale a channel of")
    self.scale = scale
    streams = inputs.known
    places = Array(repeating: [], count: inputs.known.count)
    let found = inputs.channels(scale.channel)
    guard !found.isEmpty else {
      throw SluiceError(
        .notFound, "scale", scale.channel, because: "there is no channel of this name",
        remedy: inputs.remedy(unknown: scale.channel))
    }
    for (stream, channel) in found {
      let was = streams[stream].channels[channel]
      let isScaled = streams[stream].isScaled
      places[stream].append(
        Place(channel: channel, scale: isScaled ? .one : was.scale, offset: isScaled ? .zero : was.offset))
      streams[stream].channels[channel] = StreamDescription.Channel(name: was.name, unit: scale.unit ?? was.unit)
    }
  }

  /// Always false, because each reading passes.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds it.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    outputs.append(reading)
    let index = Int(reading.stream.index)
    guard index < places.count else { return }
    for place in places[index] where place.channel < reading.values.count {
      let value = reading.values[place.channel]
      if !value.isMissing { outputs[outputs.count - 1].values[place.channel] = result(value, place) }
    }
  }

  private func result(_ value: ExactDecimal, _ place: Place) -> ExactDecimal {
    // Most values have few digits, and do not need wide numbers.
    if place.offset.significand == 0, scale.offset.significand == 0 {
      let (measured, isWide) = value.significand.multipliedReportingOverflow(by: place.scale.significand)
      let (product, isWider) = measured.multipliedReportingOverflow(by: scale.gain.significand)
      let exponent = Int(value.exponent) + Int(place.scale.exponent) + Int(scale.gain.exponent)
      if !isWide, !isWider, exponent >= -100, exponent <= 100 {
        return ExactDecimal(significand: product, exponent: Int8(exponent))
      }
    }
    // No measurement is so precise that it needs digits beyond 64 bits.
    guard let wide = value.scaled(by: place.scale, offset: place.offset) else { return .missing }
    let measured = ExactDecimal(nearest: wide.significand, exponent: wide.exponent)
    guard let product = measured.scaled(by: scale.gain, offset: .zero) else { return .missing }
    let exponent = min(product.exponent, Int(scale.offset.exponent))
    // A term that has no form with the exponent of the other one is so much larger that it is the sum.
    guard let a = ExactDecimal.shifted(product.significand, by: product.exponent - exponent) else {
      return ExactDecimal(nearest: product.significand, exponent: product.exponent)
    }
    guard let b = ExactDecimal.shifted(Int128(scale.offset.significand), by: Int(scale.offset.exponent) - exponent)
    else { return scale.offset }
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .missing : ExactDecimal(nearest: sum, exponent: exponent)
  }
}
