/// Puts readings together from rows of the long layout.
struct LongRows {
  struct Key: Hashable { let stream, channel: String }
  struct Place { let stream, channel: Int }

  private(set) var places: [Key: Place] = [:]
  private(set) var streams: [StreamDescription] = []
  private var pending: Reading?
  private var filled: UInt64 = 0  // which channels of `pending` are there, a bit each

  /// Reads a whole file to learn which streams and channels it has.
  static func survey(_ file: CSVFile) throws(SluiceError) -> LongRows {
    var rows = LongRows()
    _ = try file.nextRow()
    while let row = try file.nextRow() {
      // A row of another length is refused, with its place, when it is read for its values.
      guard row.count == 4 else { break }
      guard rows.learn(Key(stream: row.text(1), channel: row.text(2))) else {
        throw file.malformed(
          column: 3, "the stream has more than \(Values.capacity) channels, or there are too many streams")
      }
    }
    return rows
  }

  private mutating func learn(_ key: Key) -> Bool {
    guard places[key] == nil else { return true }
    let stream = streams.firstIndex { $0.name == key.stream } ?? streams.count
    guard stream <= Int(UInt16.max) else { return false }
    if stream == streams.count { streams.append(StreamDescription(name: key.stream, channels: [])) }
    guard streams[stream].channels.count < Values.capacity else { return false }
    places[key] = Place(stream: stream, channel: streams[stream].channels.count)
    streams[stream].channels.append(StreamDescription.Channel(name: key.channel))
    return true
  }

  /// - Returns: The reading before, if this row does not belong to it.
  mutating func add(_ value: ExactDecimal, at time: Int64, _ place: Place) -> Reading? {
    let id = StreamID(UInt16(truncatingIfNeeded: place.stream))
    let bit: UInt64 = 1 << UInt64(place.channel)
    var complete: Reading?
    if let reading = pending, reading.time != time || reading.stream != id || filled & bit != 0 {
      complete = flush()
    }
    if pending == nil {
      var values = Values()
      for _ in streams[place.stream].channels { values.append(.missing) }
      pending = Reading(time: time, stream: id, values: values)
    }
    pending?.values[place.channel] = value
    filled |= bit
    return complete
  }

  mutating func flush() -> Reading? {
    defer {
      pending = nil
      filled = 0
    }
    return pending
  }
}
