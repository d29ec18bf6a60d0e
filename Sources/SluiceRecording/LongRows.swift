/// Puts readings together from rows of the long layout.
struct LongRows {
  struct Key: Hashable { let stream, channel: String }
  struct Place { let stream, channel: Int }

  private var places: [Key: Place] = [:]
  /// The same by the hash of the bytes in the file, so that no string is made for a row.
  private var named: [Int: (name: [UInt8], place: Place)] = [:]
  private(set) var streams: [StreamDescription] = []
  private var pending: Reading?
  private var filled: UInt64 = 0  // which channels of `pending` are there, a bit each

  /// Reads a whole file to learn which streams and channels it has.
  static func survey(_ file: CSVFile, _ plain: PlainRow) throws(SluiceError) -> LongRows {
    var rows = LongRows()
    _ = try file.nextRow()
    while true {
      if let row = plain.decodeLong(file.next), rows.place(row.name) != nil {
        file.skip(to: row.next, lines: 1)
        continue
      }
      // A row of another length is refused, with its place, when it is read for its values.
      guard let row = try file.nextRow(), row.count == 4 else { return rows }
      guard rows.learn(row) else {
        throw file.malformed(
          column: 3, "the stream has more than \(Values.capacity) channels, or there are too many streams")
      }
    }
  }

  /// Of what stands in the file for stream and channel, if it stood there before.
  func place(_ name: UnsafeBufferPointer<UInt8>) -> Place? {
    guard let known = named[Self.hash(name)], known.name.elementsEqual(name) else { return nil }
    return known.place
  }

  func place(_ row: CSVFile.Row) -> Place? { places[Key(stream: row.text(1), channel: row.text(2))] }

  private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(name))
    return hasher.finalize()
  }

  private mutating func learn(_ row: CSVFile.Row) -> Bool {
    let key = Key(stream: row.text(1), channel: row.text(2))
    guard let place = places[key] ?? add(key) else { return false }
    let name = row.bytes(1...2)
    named[Self.hash(name)] = (Array(name), place)
    return true
  }

  private mutating func add(_ key: Key) -> Place? {
    let stream = streams.firstIndex { $0.name == key.stream } ?? streams.count
    guard stream <= Int(UInt16.max) else { return nil }
    if stream == streams.count { streams.append(StreamDescription(name: key.stream, channels: [])) }
    guard streams[stream].channels.count < Values.capacity else { return nil }
    let place = Place(stream: stream, channel: streams[stream].channels.count)
    places[key] = place
    streams[stream].channels.append(StreamDescription.Channel(name: key.channel))
    return place
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
