public import SluiceReadings

/// The streams whose readings a processor receives.
public struct InputStreams: Sendable {
  /// Those that are known.
  public var known: [StreamDescription]
  /// Gives those that are known by now; nil if no more will come.
  package var more: (@Sendable () -> [StreamDescription])?

  /// Streams that are all known.
  public init(_ streams: [StreamDescription]) { known = streams }

  /// Streams of a trace that does not list them before its readings.
  package init(_ streams: [StreamDescription], more: (@Sendable () -> [StreamDescription])?) {
    known = streams
    self.more = more
  }

  /// - Parameter action: For the error: `reduce`.
  /// - Throws: If more streams may come.
  func checkComplete(_ action: String) throws(SluiceError) {
    guard more != nil else { return }
    throw SluiceError(
      .unsupported, action, "a trace from a pipe",
      because: "its rows name their streams, and a pipe can be read only once", remedy: "write it to a file first")
  }

  /// By stream, whether it is the line that is asked for.
  /// - Parameters:
  ///   - name: The stream; nil for every line.
  ///   - action: For the error: `decode the edges of`.
  /// - Throws: If there is none.
  func lines(_ name: String?, _ action: String) throws(SluiceError) -> [Bool] {
    let isLine = known.map { $0.isLine(name) }
    if more != nil || isLine.contains(true) { return isLine }
    guard let name else {
      throw SluiceError(
        .notFound, action, known.map(\.name).joined(separator: ", "), because: "no stream is a line",
        remedy: "name the stream whose values are levels, 0 and 1")
    }
    let lines = known.filter { $0.channels.count == 1 }.map(\.name)
    let hint = nearest(to: name, among: lines)
    throw SluiceError(
      .notFound, action, name, because: "there is no line of this name",
      remedy: (hint.map { "did you mean \($0)? There" } ?? "there") + " is \(lines.joined(separator: ", "))")
  }

  /// The channels that a name means: `STREAM.channel`, `STREAM` if that has one channel, or `channel` in any stream.
  func channels(_ name: String) -> [(stream: Int, channel: Int)] {
    let titles = known.map { stream in stream.channels.map { "\(stream.name).\($0.name)" } }
    var found: [(stream: Int, channel: Int)] = []
    for (number, stream) in known.enumerated() {
      for channel in stream.channels.indices
      where titles[number][channel] == name || stream.channels.count == 1 && stream.name == name {
        found.append((number, channel))
      }
    }
    if !found.isEmpty { return found }
    for (number, stream) in known.enumerated() {
      for channel in stream.channels.indices where stream.channels[channel].name == name {
        found.append((number, channel))
      }
    }
    return found
  }

  /// What to do about a channel that there is not.
  func remedy(unknown name: String) -> String {
    let names = known.flatMap { stream in
      stream.channels.count == 1 ? [stream.name] : stream.channels.map(\.name)
    }
    let hint = nearest(to: name, among: names)
    let all = names.prefix(64).joined(separator: ", ") + (names.count > 64 ? " and \(names.count - 64) more" : "")
    return (hint.map { "did you mean \($0)? There" } ?? "there") + " is \(all)"
  }
}

extension StreamDescription {
  /// Whether its readings are levels of a line, as far as is known, or it is the one of this name.
  func isLine(_ wanted: String?) -> Bool {
    guard let channel = channels.first, channels.count == 1 else { return false }
    if let wanted { return wanted == name }
    return channel.format == Channel.level
      || channel.format == nil && channel.unit == nil && channel.scale == .one && channel.offset == .zero
  }

  /// Whether it is certain that its readings are levels of a line.
  var isLevel: Bool { channels.count == 1 && channels[0].format == Channel.level }
}
