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
  private var condition: Condition

  /// The gaps before the next reading of each stream, because readings that follow a gap were left out.
  private var left: [Reading.Flags]
  /// The descriptions of its outputs, which are those of its inputs.
  public let streams: [StreamDescription]

  /// - Parameter inputs: The input streams.
  /// - Throws: A `SluiceError` if no stream has all channels of the condition.
  public init(_ condition: Expression, inputs: InputStreams) throws(SluiceError) {
    self.condition = try Condition(condition, inputs: inputs)
    streams = inputs.known
    left = inputs.known.map { _ in [] }
  }

  /// Always false, because readings pass or are left out.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds it if the condition is true.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    guard let isTrue = condition.isTrue(reading) else { return outputs.append(reading) }
    let index = Int(reading.stream.index)
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
