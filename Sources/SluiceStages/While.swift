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
/// var running = try While(Expression("pump == 1"), inputs: InputStreams([pump]))
/// var readings: [Reading] = []
/// running.receive(Reading(time: 0, stream: StreamID(0), values: [1]), into: &readings)
/// print(readings[0].values[1])  // 1, the number of the window
/// ```
///
/// The condition is for the streams that have all its channels. If several have them, it is true while it is true for one of
/// them. It is false before the first reading of these streams, and after a restart of the recording. Each time that it becomes true, a window begins. Every stream has one more channel,
/// `window`, with the number of the window, from 1. The first reading of a stream in a window follows a gap
/// (`Reading.Flags.gapBefore`) if readings of the stream were left out.
public struct While: ReadingProcessor, WindowedProcessor {
  private var condition: Condition
  /// The streams for which the condition is true.
  private var streamsThatAreTrue: Set<UInt16> = []
  package var windowed: WindowedStreams

  /// The number of the last window, from 1.
  public var windows: Int64 { windowed.number }
  /// The descriptions of its outputs: those of its inputs, each with the channel `window`.
  public var streams: [StreamDescription] { windowed.known }

  /// - Throws: A `SluiceError` if no stream has all channels of the condition, or if a stream has a channel `window` or 64
  ///   channels already.
  public init(_ condition: Expression, inputs: InputStreams) throws(SluiceError) {
    self.condition = try Condition(condition, inputs: inputs)
    windowed = try WindowedStreams(inputs)
  }

  /// Always false, because readings pass or are left out.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds it while the condition is true.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    guard reading.stream != .none else { return outputs.append(reading) }
    if windowed.takeRestart(until: reading.time) { streamsThatAreTrue = [] }
    if let isTrue = condition.isTrue(reading) {
      if !isTrue {
        streamsThatAreTrue.remove(reading.stream.index)
      } else {
        if streamsThatAreTrue.isEmpty { windowed.beginWindow() }
        streamsThatAreTrue.insert(reading.stream.index)
      }
    }
    if streamsThatAreTrue.isEmpty { windowed.leaveOut(reading) } else { windowed.keep(reading, into: &outputs) }
  }
}
