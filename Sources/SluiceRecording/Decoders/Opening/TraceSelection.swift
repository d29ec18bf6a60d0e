import SluiceReadings

/// The wanted streams and channels of a trace, in their order.
struct TraceSelection {
  /// The place of a stream in the selection.
  struct Place: Hashable {
    let stream: UInt16
    /// The numbers of the wanted channels, in their order; nil if all are wanted in the order of the trace.
    var channels: [Int]?
  }

  /// The wanted streams, with their wanted channels.
  private(set) var streams: [StreamDescription] = []
  /// For each stream of the trace; nil if it is not wanted.
  private(set) var places: [Place?]

  /// - Parameters:
  ///   - names: `STREAM`, `STREAM.channel` for a single channel, or `channel` for this channel of all streams. A stream with
  ///     this name comes before a channel. Columns of other programs may be named without their units.
  ///   - trace: The name of the trace in errors.
  init(_ names: [String], of all: [StreamDescription], _ trace: String) throws(SluiceError) {
    places = Array(repeating: nil, count: all.count)
    let numbers = Dictionary(all.enumerated().map { (ExactName($1.name), $0) }, uniquingKeysWith: { first, _ in first })
    for name in names {
      let found = Self.find(name, all, numbers)
      if found.isEmpty { throw Self.unknown(name, all, trace) }
      for (number, channel) in found { try take(name, all[number], number, channel, trace) }
    }
  }

  private mutating func take(
    _ name: String, _ stream: StreamDescription, _ number: Int, _ channel: Int?, _ trace: String
  ) throws(SluiceError) {
    guard var place = places[number] else {
      places[number] = Place(
        stream: UInt16(truncatingIfNeeded: streams.count), channels: channel.map { [$0] })
      streams.append(stream)
      if let channel { streams[streams.count - 1].channels = [stream.channels[channel]] }
      return
    }
    guard let channel, var channels = place.channels, !channels.contains(channel) else {
      throw SluiceError(
        .usage, "select from", trace, because: "--select has \(TimeColumn.shown(name)) twice, or a part of it",
        remedy: "name each stream, or each of its channels, once")
    }
    channels.append(channel)
    place.channels = channels
    places[number] = place
    streams[Int(place.stream)].channels.append(stream.channels[channel])
  }

  private static func find(
    _ name: String, _ all: [StreamDescription], _ numbers: [ExactName: Int]
  ) -> [(stream: Int, channel: Int?)] {
    if let number = numbers[ExactName(name)] { return [(number, nil)] }
    // The name of a stream, or of a channel, may have a dot itself.
    var rest = name[...]
    while let dot = rest.firstIndex(of: ".") {
      if let number = numbers[ExactName(String(name[..<dot]))] {
        let wanted = String(name[name.index(after: dot)...])
        let channels = all[number].channels
        if let channel = channels.firstIndex(where: { $0.name.isExactly(wanted) })
          ?? all[number].place(ofChannelWithoutUnit: wanted)
        {
          return [(number, channel)]
        }
      }
      rest = rest[rest.index(after: dot)...]
    }
    let exact = all.enumerated().flatMap { number, stream in
      stream.channels.indices.filter { stream.channels[$0].name.isExactly(name) }.map { (stream: number, channel: $0) }
    }
    if !exact.isEmpty { return exact }
    return all.enumerated().compactMap { number, stream in
      stream.place(ofChannelWithoutUnit: name).map { (number, $0) }
    }
  }

  private static func unknown(_ name: String, _ all: [StreamDescription], _ trace: String) -> SluiceError {
    // With thousands of streams, the search for the nearest name takes long, and the list would be too long to read.
    let channels = all.prefix(1_024).flatMap { stream in stream.channels.map { "\(stream.name).\($0.name)" } }
    let hint = nearest(to: name, among: all.prefix(1_024).map(\.name) + channels)
    let streams = all.map { stream in
      stream.channels.count == 1
        ? stream.name : "\(stream.name) (\(stream.channels.map(\.name).joined(separator: ", ")))"
    }
    return SluiceError(
      .notFound, "select from", trace, because: "it has no stream or channel \(TimeColumn.shown(name))",
      remedy: (hint.map { "did you mean \(TimeColumn.shown($0))? It has " } ?? "it has ")
        + streams.prefix(64).joined(separator: ", ") + (streams.count > 64 ? " and \(streams.count - 64) more" : ""))
  }

  /// Changes a reading to the streams and channels of the selection.
  /// - Returns: Whether it is wanted.
  func take(_ reading: inout Reading) -> Bool {
    let number = Int(reading.stream.index)
    guard number < places.count, let place = places[number] else { return false }
    reading.stream.index = place.stream
    if let channels = place.channels {
      var values = Values()
      for channel in channels {
        values.append(channel < reading.values.count ? reading.values[channel] : .missing)
      }
      reading.values = values
    }
    return true
  }
}
