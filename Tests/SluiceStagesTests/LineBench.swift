import SluiceReadings
import SluiceStages

/// The readings of one line, and what a processor makes of them.
struct LineBench {
  static let line = StreamDescription(
    name: "LINE", channels: [.init(name: "level", format: StreamDescription.Channel.level)])

  /// - Parameter edges: Times in nanoseconds and levels.
  static func readings(_ edges: [(Int64, Int64)], flags: [Int: Reading.Flags] = [:]) -> [Reading] {
    edges.enumerated().map { number, edge in
      Reading(time: edge.0, stream: StreamID(0), values: [edge.1], flags: flags[number] ?? [])
    }
  }
}

/// All that a processor makes of some readings.
func outputs<P: ReadingProcessor>(of processor: P, _ readings: [Reading]) -> [Reading] {
  var processor = processor
  var outputs: [Reading] = []
  for reading in readings {
    processor.receive(reading, into: &outputs)
    while processor.hasMore { processor.resume(into: &outputs) }
  }
  processor.finish(into: &outputs)
  return outputs
}

extension Reading {
  /// `3000: 1 0.000003000 -`
  var text: String {
    let flags = flags.contains(.gapBefore) ? " gap" : ""
    return "\(time): " + values.map { $0.isMissing ? "-" : "\($0)" }.joined(separator: " ") + flags
  }
}
