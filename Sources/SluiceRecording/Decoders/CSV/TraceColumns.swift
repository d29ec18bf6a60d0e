import SluiceReadings

/// The stream and channel of each column of a wide file.
struct TraceColumns {
  /// The numbers of a stream and of a channel in it.
  struct Place: Hashable { let stream, channel: Int }

  /// The largest number of columns of a file.
  static let limit = 1 << 16

  var streams: [StreamDescription] = []
  /// The place of each column; nil for the time, and for columns that are left out.
  var places: [Place?] = []

  /// Leaves out all columns, because there are no streams.
  init(leavingOut count: Int) { places = Array(repeating: nil, count: count) }

  /// Follows the metadata: the columns after the time are the channels, in the order of the streams.
  init?(_ described: [StreamDescription], of header: TraceHeader) {
    streams = described
    places = described.enumerated().flatMap { stream, description in
      description.channels.indices.map { Place(stream: stream, channel: $0) }
    }
    guard header.time.date == nil, places.count == header.names.count - 1,
      described.allSatisfy({ $0.channels.count <= Values.capacity }),
      Set(described.map { ExactName($0.name) }).count == described.count
    else { return nil }
    places.insert(nil, at: header.time.index)
  }

  /// Follows the names of the columns.
  init(_ header: TraceHeader, stem: String) {
    if header.names[header.time.index] == "time_ns", let split = Self(splitting: header) {
      self = split
    } else {
      self.init(header, oneStream: stem)
    }
  }

  /// All streams share a device, because readings of the same time were in one row.
  private static let file = StreamDescription.Device()

  /// Splits `STREAM.channel`, if at least one name has this form; nil if two streams would have the same name.
  private init?(splitting header: TraceHeader) {
    let parts = header.names.map { Self.parts($0) }
    guard parts.indices.contains(where: { !header.isTime($0) && parts[$0] != nil }) else { return nil }
    var shares: [Substring: Int] = [:]
    for (index, part) in parts.enumerated() where !header.isTime(index) {
      if let part { shares[part.stream, default: 0] += 1 }
    }
    var numbers: [Substring: Int] = [:]
    for index in header.names.indices {
      let name = header.title(index)
      guard !header.isTime(index) else {
        places.append(nil)
        continue
      }
      if let part = parts[index], shares[part.stream] != 1 {
        let stream = numbers[part.stream] ?? streams.count
        if stream == streams.count {
          numbers[part.stream] = stream
          streams.append(StreamDescription(name: String(part.stream), channels: [], device: Self.file))
        }
        places.append(Place(stream: stream, channel: streams[stream].channels.count))
        streams[stream].channels.append(.init(name: String(part.channel), unit: ColumnTitle.unit(name)))
      } else {
        places.append(Place(stream: streams.count, channel: 0))
        streams.append(
          StreamDescription(
            name: name, channels: [.init(name: "value", unit: ColumnTitle.unit(name))], device: Self.file))
      }
    }
    guard Set(streams.map { ExactName($0.name) }).count == streams.count else { return nil }
    for index in streams.indices {
      let names = ColumnTitle.distinct(streams[index].channels.map(\.name))
      for channel in names.indices { streams[index].channels[channel].name = names[channel] }
    }
  }

  /// Makes a stream from each line of a logic analyser.
  init(lines header: TraceHeader) {
    for index in header.names.indices {
      let name = header.title(index)
      places.append(header.isTime(index) ? nil : Place(stream: streams.count, channel: 0))
      guard !header.isTime(index) else { continue }
      streams.append(
        StreamDescription(
          name: name, channels: [.init(name: "level", format: StreamDescription.Channel.level)], device: Self.file))
    }
  }

  private init(_ header: TraceHeader, oneStream name: String) {
    var stream = StreamDescription(name: name, channels: [])
    stream.hasForeignColumns = true
    let columns = header.names.indices.filter { !header.isTime($0) }
    places = header.names.map { _ in nil }
    // Most formats keep one of two channels of one name.
    for (column, name) in zip(columns, ColumnTitle.distinct(columns.map { header.title($0) })) {
      places[column] = Place(stream: 0, channel: stream.channels.count)
      let unit = ColumnTitle.unit(name) ?? LogicExport.unit(name, in: header.names)
      stream.channels.append(.init(name: name, unit: unit))
    }
    streams = [stream]
  }

  /// The text before and after the first dot, if both are not empty. A dot in a number, or in a unit in parentheses,
  /// does not count.
  private static func parts(_ name: String) -> (stream: Substring, channel: Substring)? {
    guard let dot = name.firstIndex(where: { $0 == "." || $0 == "(" || $0 == "[" }), dot > name.startIndex,
      name[dot] == ".",
      !name[..<dot].allSatisfy(\.isNumber)
    else { return nil }
    let channel = name[name.index(after: dot)...]
    return channel.isEmpty ? nil : (name[..<dot], channel)
  }
}
