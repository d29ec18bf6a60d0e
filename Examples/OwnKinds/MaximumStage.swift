import SluiceExtras
import SluicePipeline
import SluiceReadings
import SluiceStages

/// A stage of plans: `{"stage": "maximum", "channel": "temp"}`.
struct MaximumStage: ProcessingStage {
  static let name = "maximum"
  static let leavesOut = true
  static let word: StageWord? = StageWord(
    "maximum", "CH", "Pass a reading only if the channel is larger than ever before."
  ) {
    Self(channel: $0)
  }
  static let settings = Settings<Self>(.required("channel", \.channel, .text)) { Self(channel: $0) }

  var channel: String

  func processor(for inputs: InputStreams) throws(SluiceError) -> Maximum {
    Maximum(of: channel, streams: inputs.known)
  }
}

/// Passes a reading only if its value is larger than all earlier values of its stream.
struct Maximum: ReadingProcessor {
  let streams: [StreamDescription]
  private let channels: [Int?]
  private var largest: [Double]

  init(of channel: String, streams: [StreamDescription]) {
    self.streams = streams
    channels = streams.map { $0.channels.firstIndex { $0.name == channel } }
    largest = streams.map { _ in -.infinity }
  }

  /// Its readings pass or are left out; it makes none.
  func makes(_ stream: StreamID) -> Bool { false }

  mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    let stream = Int(reading.stream.index)
    guard channels.indices.contains(stream), let channel = channels[stream] else { return outputs.append(reading) }
    let value = Double(reading.values[channel])
    guard value > largest[stream] else { return }
    largest[stream] = value
    outputs.append(reading)
  }
}
