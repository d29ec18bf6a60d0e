import SluiceReadings

/// The streams and channels of a trace whose readings name them.
final class NamedStreams {
  private struct Entry {
    /// The name as JSON writes it.
    var name: [UInt8]
    var channels: [[UInt8]]
  }

  let list: StreamList
  private var streams: [StreamDescription]
  private var entries: [Entry] = []
  /// Stream numbers by the JSON form of the name. As `String` keys, two different spellings that look the same would be
  /// equal.
  private var numbers: [[UInt8]: Int] = [:]
  private let isScaled: Bool
  /// The end of the error for an unknown stream; nil adds unknown streams.
  private let unknown: String?
  private let limit: StreamLimit
  /// The number of the last stream, because it usually comes again.
  private var last = 0

  init(
    _ streams: [StreamDescription], isScaled: Bool, unknown: String?, limit: StreamLimit = .pipe
  ) {
    self.streams = streams
    self.isScaled = isScaled
    self.unknown = unknown
    self.limit = limit
    list = StreamList(streams, isGrowing: unknown == nil)
    for stream in streams { index(stream) }
  }

  private func index(_ stream: StreamDescription) {
    numbers[Self.written(stream.name)] = entries.count
    entries.append(Entry(name: Self.written(stream.name), channels: stream.channels.map { Self.written($0.name) }))
  }

  private static func written(_ name: String) -> [UInt8] { Array(quoted(name).utf8.dropFirst().dropLast()) }

  /// Publishes all streams found so far.
  func publish() { list.set(streams) }

  func count(of stream: Int) -> Int { entries[stream].channels.count }

  /// The number of a stream.
  func stream(_ cursor: JSONCursor, _ range: Range<Int>, _ lines: TraceLines) throws(SluiceError) -> Int {
    if last < entries.count, cursor.isEqual(range, entries[last].name) { return last }
    guard let name = cursor.text(range) else { throw lines.malformed("its \"stream\" is not a JSON string") }
    if let number = numbers[Self.written(name)] {
      last = number
      return number
    }
    if let unknown { throw lines.malformed("stream \(name) \(unknown)") }
    guard entries.count < limit.count else {
      throw limit.error("streams") { lines.malformed($0, remedy: $1) }
    }
    var stream = StreamDescription(name: name, channels: [])
    stream.isScaled = isScaled
    streams.append(stream)
    index(stream)
    last = entries.count - 1
    if limit.isPublished { list.set(streams) }
    return last
  }

  /// The number of a channel.
  /// - Parameter position: The position of the value in its line, which is usually the number of its channel.
  func channel(
    _ cursor: JSONCursor, _ range: Range<Int>, of stream: Int, at position: Int, _ lines: TraceLines
  ) throws(SluiceError) -> Int {
    let channels = entries[stream].channels
    if position < channels.count, cursor.isEqual(range, channels[position]) { return position }
    guard let name = cursor.text(range) else {
      throw lines.malformed("a name of its \"values\" is not a JSON string")
    }
    if let number = channels.firstIndex(of: Self.written(name)) { return number }
    if let unknown { throw lines.malformed("channel \(name) of \(streams[stream].name) \(unknown)") }
    guard channels.count < Values.capacity else {
      throw lines.malformed("stream \(streams[stream].name) has more than \(Values.capacity) channels")
    }
    streams[stream].channels.append(StreamDescription.Channel(name: name))
    entries[stream].channels.append(Self.written(name))
    if limit.isPublished { list.set(streams) }
    return channels.count
  }
}
