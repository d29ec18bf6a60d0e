import SluiceExtras
public import SluiceReadings

/// Passes the readings of all streams while a condition is true: from the reading that makes it true to the last one before the
/// reading that makes it false.
///
/// Use it to record only while something runs: a pump, an engine.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let pump = StreamDescription(name: "pump", channels: [.init(name: "level", format: "level")])
/// let running = try While(Expression("pump == 1"), inputs: InputStreams([pump]))
/// ```
///
/// The condition is for the streams that have all its channels; a reading of another stream does not change it. It is false
/// before the first reading of these streams. When it becomes true, the first reading of each stream follows a gap
/// (`Reading.Flags.gapBefore`) if readings of its stream were left out.
public struct While: ReadingProcessor {
  private var condition: Condition
  private var isTrue = false
  /// The streams with readings that were left out since they last passed.
  private var isCut: [Bool]
  /// How often the condition has become true.
  public private(set) var windows = 0
  /// The descriptions of its outputs, which are those of its inputs.
  public let streams: [StreamDescription]

  /// - Throws: A `SluiceError` if no stream has all channels of the condition.
  public init(_ condition: Expression, inputs: InputStreams) throws(SluiceError) {
    self.condition = try Condition(condition, inputs: inputs)
    streams = inputs.known
    isCut = inputs.known.map { _ in false }
  }

  /// Always false, because readings pass or are left out.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds it while the condition is true.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    guard reading.stream != .none else { return outputs.append(reading) }
    if let isTrue = condition.isTrue(reading) {
      if isTrue, !self.isTrue { windows += 1 }
      self.isTrue = isTrue
    }
    let stream = Int(reading.stream.index)
    guard stream < isCut.count else { return }
    guard isTrue else { return isCut[stream] = true }
    outputs.append(reading)
    if isCut[stream] {
      isCut[stream] = false
      outputs[outputs.count - 1].flags.insert(.gapBefore)
    }
  }
}
