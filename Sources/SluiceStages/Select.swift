import SluiceExtras
public import SluiceReadings

/// Passes the selected streams and channels, and leaves out the others.
///
/// Use it if you do not need all channels of a device.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let imu = StreamDescription(name: "imu", channels: [.init(name: "x"), .init(name: "y"), .init(name: "temp")])
/// let movement = try Select(["imu.y", "imu.x"], inputs: InputStreams([imu]))
/// print(movement.streams[0].channels.map(\.name))  // ["y", "x"]
/// ```
///
/// A stream keeps its number. A stream that is left out has no channels.
public struct Select: ReadingProcessor {
  private enum Place: Hashable {
    case leftOut
    case whole
    /// The wanted channels, in their order.
    case channels([Int])
  }

  /// The selection in each stream.
  private var places: [Place]

  /// The descriptions of its outputs.
  public let streams: [StreamDescription]

  /// - Parameters:
  ///   - names: Each name is `STREAM`, `STREAM.channel`, or `channel` in any stream. The channels of a stream have the
  ///     order of the names.
  ///   - inputs: The input streams.
  /// - Throws: A `SluiceError` if there is no such stream or channel, or if one is named twice.
  public init(_ names: [String], inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("select from")
    places = inputs.known.map { _ in .leftOut }
    for name in names {
      if let stream = inputs.known.firstIndex(where: { $0.name.isExactly(name) }) {
        guard places[stream] == .leftOut else { throw Self.twice(name) }
        places[stream] = .whole
        continue
      }
      let found = inputs.channels(name)
      guard !found.isEmpty else {
        throw SluiceError(
          .notFound, "select", name, because: "there is no stream or channel of this name",
          remedy: inputs.remedy(unknown: name))
      }
      for (stream, channel) in found {
        switch places[stream] {
        case .leftOut: places[stream] = .channels([channel])
        case .channels(let channels) where !channels.contains(channel):
          places[stream] = .channels(channels + [channel])
        default: throw Self.twice(name)
        }
      }
    }
    streams = zip(inputs.known, places).map { stream, place in
      var selected = stream
      switch place {
      case .leftOut: selected.channels = []
      case .whole: break
      case .channels(let channels): selected.channels = channels.map { stream.channels[$0] }
      }
      return selected
    }
  }

  private static func twice(_ name: String) -> SluiceError {
    SluiceError(
      .usage, "select", name, because: "it, or a part of it, is named twice",
      remedy: "name each stream, or each of its channels, once")
  }

  /// Always false, because readings pass or are left out.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds its selected values.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    let index = Int(reading.stream.index)
    guard index < places.count else { return outputs.append(reading) }
    switch places[index] {
    case .leftOut: return
    case .whole: outputs.append(reading)
    case .channels(let channels):
      var values = Values()
      for channel in channels {
        values.append(channel < reading.values.count ? reading.values[channel] : .missing)
      }
      outputs.append(Reading(time: reading.time, stream: reading.stream, values: values, flags: reading.flags))
    }
  }
}
