import SluiceExtras
public import SluiceReadings

/// Renames streams and channels. Readings pass unchanged.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let log = StreamDescription(name: "log", channels: [.init(name: "2")])
/// let rename = try Rename([("2", "temp")], inputs: InputStreams([log]))
/// print(rename.streams[0].channels[0].name)  // temp
/// ```
///
/// A name is that of a stream, of a channel as `STREAM.channel`, or of a channel in any stream.
public struct Rename: ReadingProcessor {
  /// The streams with their new names.
  public let streams: [StreamDescription]

  /// - Parameters:
  ///   - names: The old and the new names.
  ///   - inputs: The input streams.
  /// - Throws: A `SluiceError` if there is no such name, if more streams may come, or if two streams or two channels of
  ///   a stream would have one name.
  public init(_ names: [(old: String, new: String)], inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("rename")
    var streams = inputs.known
    for (old, new) in names {
      let channels = inputs.channels(old)
      let stream = inputs.known.firstIndex { $0.name == old && !$0.channels.isEmpty }
      if let stream {
        streams[stream].name = new
      } else if !channels.isEmpty {
        for (stream, channel) in channels { streams[stream].channels[channel].name = new }
      } else {
        throw SluiceError(
          .notFound, "rename", old, because: "there is no stream or channel of this name",
          remedy: inputs.remedy(unknown: old))
      }
    }
    let all = [streams.filter { !$0.channels.isEmpty }.map(\.name)] + streams.map { $0.channels.map(\.name) }
    for names in all {
      var seen: Set<String> = []
      if let twice = names.first(where: { !seen.insert($0).inserted }) {
        throw SluiceError(
          .usage, "rename", twice, because: "two would have this name", remedy: "give each a name of its own")
      }
    }
    self.streams = streams
  }

  /// False: no reading is made.
  public func makes(_ stream: StreamID) -> Bool { false }
  /// Whether it has more outputs; never.
  public var hasMore: Bool { false }
  /// Adds nothing, because it never has more outputs.
  public mutating func resume(into outputs: inout [Reading]) {}
  /// Passes the reading on.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) { outputs.append(reading) }
  /// Adds nothing, because it holds no reading.
  public mutating func finish(into outputs: inout [Reading]) {}
}
