public import SluiceReadings

/// The input streams of a processor.
public struct InputStreams: Sendable {
  /// The known streams.
  public var known: [StreamDescription]
  /// Returns the streams known so far; nil if no more may come.
  package var more: (@Sendable () -> [StreamDescription])?

  /// The marks of the recording; nil if there are none.
  package var marks: MarkTimes?
  /// Makes a store for readings that wait so long that they do not fit into memory; nil if there is no disk for it.
  package var makeStore: (@Sendable () -> any ReadingStore)?
  /// The readings that wait in memory.
  var waiting = HeldReadings.Limits()
  /// The restarts of the recordings that are replayed.
  package var restarts: [Restart] = []

  /// A time in which some of the streams were not recorded.
  package struct Restart: Sendable {
    /// The end of the earlier run; nil if it is not known.
    package var ended: Int64?
    /// The start of the later run.
    package var began: Int64
    /// The numbers of the streams.
    package var streams: Set<Int>

    package init(ended: Int64?, began: Int64, streams: Set<Int>) {
      (self.ended, self.began, self.streams) = (ended, began, streams)
    }
  }

  /// Makes a list of streams that is complete.
  public init(_ streams: [StreamDescription]) { known = streams }

  /// Makes a list for a trace that does not list its streams before its readings.
  package init(_ streams: [StreamDescription], more: (@Sendable () -> [StreamDescription])?) {
    known = streams
    self.more = more
  }

  /// - Parameter action: The verb of the error: `reduce`.
  /// - Throws: If more streams may come.
  func checkComplete(_ action: String) throws(SluiceError) {
    guard more != nil else { return }
    throw SluiceError(
      .unsupported, action, "a trace from a pipe",
      because: "its rows name their streams, and a pipe can be read only once", remedy: "write it to a file first")
  }

  /// Whether each stream is a line that is wanted.
  /// - Parameters:
  ///   - name: The name of the line; nil for every line.
  ///   - action: The verb of the error: `decode the edges of`.
  /// - Throws: If there is no such line.
  func lines(_ name: String?, _ action: String) throws(SluiceError) -> [Bool] {
    let isLine = known.map { $0.isLine(name) }
    if more != nil || isLine.contains(true) { return isLine }
    guard let name else {
      throw SluiceError(
        .notFound, action, known.map(\.name).joined(separator: ", "), because: "none of these streams is a line",
        remedy: "name the stream with the levels 0 and 1")
    }
    let lines = known.filter { $0.channels.count == 1 }.map(\.name)
    let hint = nearest(to: name, among: lines)
    throw SluiceError(
      .notFound, action, name, because: "there is no line of this name",
      remedy: (hint.map { "did you mean \($0)? The" } ?? "the") + (lines.count == 1 ? " line is " : " lines are ")
        + lines.joined(separator: ", "))
  }

  /// The channels with a name: `STREAM.channel`, `STREAM` if it has one channel, or `channel` in any stream. Columns of other
  /// programs may be named without their units.
  func channels(_ name: String) -> [(stream: Int, channel: Int)] {
    let titles = known.map { stream in stream.channels.map { "\(stream.name).\($0.name)" } }
    var found: [(stream: Int, channel: Int)] = []
    for (number, stream) in known.enumerated() {
      for channel in stream.channels.indices
      where titles[number][channel].isExactly(name) || stream.channels.count == 1 && stream.name.isExactly(name) {
        found.append((number, channel))
      }
    }
    if !found.isEmpty { return found }
    for (number, stream) in known.enumerated() {
      for channel in stream.channels.indices where stream.channels[channel].name.isExactly(name) {
        found.append((number, channel))
      }
    }
    if !found.isEmpty { return found }
    for (number, stream) in known.enumerated() {
      let rest = name.hasPrefix("\(stream.name).") ? String(name.dropFirst(stream.name.count + 1)) : nil
      let place = stream.place(ofChannelWithoutUnit: name) ?? rest.flatMap { stream.place(ofChannelWithoutUnit: $0) }
      if let place { found.append((number, place)) }
    }
    return found
  }

  /// The remedy for an unknown name of a channel.
  func remedy(unknown name: String) -> String {
    let names = known.flatMap { stream in
      stream.channels.count == 1
        ? [stream.name]
        : stream.channels.map { channel in
          let short = channel.nameWithoutUnit
          return stream.place(ofChannelWithoutUnit: short) == nil ? channel.name : short
        }
    }
    let hint = nearest(to: name, among: names)
    let all = names.prefix(64).joined(separator: ", ") + (names.count > 64 ? " and \(names.count - 64) more" : "")
    let verb = names.count == 1 ? " channel is " : " channels are "
    return (hint.map { "did you mean \($0)? The" } ?? "the") + verb + all
  }
}

extension StreamDescription {
  /// Whether it is the line of this name. Without a name, whether its readings are or may be levels of a line.
  func isLine(_ wanted: String?) -> Bool {
    guard let channel = channels.first, channels.count == 1 else { return false }
    // In a file of another program, the name of the line is the title of its column.
    if let wanted { return [name, channel.name, "\(name).\(channel.name)"].contains { wanted.isExactly($0) } }
    return channel.format == Channel.level
      || channel.format == nil && channel.unit == nil && channel.scale == .one && channel.offset == .zero
  }

  /// Whether its readings are certainly levels of a line.
  var isLevel: Bool { channels.count == 1 && channels[0].format == Channel.level }
}
