import SluiceReadings

/// Joins rows of the long layout into readings.
struct LongRows: TraceRows {
  private struct Key: Hashable {
    let stream, channel: ExactName

    init(stream: String, channel: String) { (self.stream, self.channel) = (ExactName(stream), ExactName(channel)) }
  }
  private struct Place { let stream, channel: Int }

  let list: StreamList
  private let cells: TraceCells
  private let plain: PlainRow
  private var streams: [StreamDescription]
  /// The error for an unknown stream or channel; nil if unknown ones are added.
  private let unknown: (cause: String, remedy: String)?
  private var numbers: [ExactName: Int] = [:]
  private var places: [Key: Place] = [:]
  private var names = RowNames<Place>()
  private var pending = Reading.empty
  private var filled: UInt64 = 0  // one bit per value of `pending` that was read; 0 if nothing is pending
  private var failure: SluiceError?  // an error after the reading returned last

  /// - Parameters:
  ///   - streams: The known streams.
  ///   - unknown: The error for other streams; nil adds them during the read.
  init(_ streams: [StreamDescription], _ cells: TraceCells, unknown: (cause: String, remedy: String)?) {
    list = StreamList([], isGrowing: unknown == nil)
    self.streams = []
    self.cells = cells
    plain = PlainRow(cells)
    self.unknown = unknown
    for stream in streams {
      for channel in stream.channels { _ = add(channel, to: stream) }
    }
    for stream in self.streams { nameAsInRows(stream) }
    list.set(self.streams)
  }

  /// Reads all rows to find the streams and channels.
  /// - Parameter known: The streams that are already known.
  /// - Returns: All streams, the known ones first.
  static func survey(
    _ file: CSVFile, _ cells: TraceCells, _ known: [StreamDescription]
  ) throws(SluiceError) -> [StreamDescription] {
    var rows = LongRows(known, cells, unknown: ("", ""))
    while true {
      if let row = rows.plain.decodeLong(file.next), rows.names.find(row.name) != nil {
        file.skip(to: row.next, lines: 1)
        continue
      }
      // A row of another length gets its error, with its place, when its values are read. So do rows after damage.
      do throws(SluiceError) {
        guard let row = try file.nextRow() else { return rows.streams }
        if row.count == 4 {
          try rows.learn(row, of: file, limit: .file)
        } else if !file.skipsBad {
          return rows.streams
        }
      } catch {
        guard file.skipsBad, error != file.sourceFault else {
          guard error.code == .malformed else { throw error }
          return rows.streams
        }
        try file.leaveOut(error)
      }
    }
  }

  // MARK: Reading

  var hasPending: Bool { failure != nil }

  mutating func readPlain(_ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>) -> Int {
    guard file.ends.isPlain else { return 0 }
    var count = 0
    guard failure == nil else { return 0 }
    while count < target.count, let row = plain.decodeLong(file.next), let place = names.find(row.name) {
      file.skip(to: row.next, lines: 1)
      guard let complete = add(row.value, at: row.time, place) else { continue }
      target[count] = complete
      count += 1
    }
    return count
  }

  mutating func readRow(
    _ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>
  ) throws(SluiceError) -> Int {
    if let failure { throw failure }
    do throws(SluiceError) {
      while true {
        do throws(SluiceError) {
          return try nextReading(file, into: target)
        } catch {
          try file.leaveOut(error)
        }
      }
    } catch {
      // The reading before the error is good.
      guard let last = flush() else { throw error }
      failure = error
      target[0] = last
      return 1
    }
  }

  private mutating func nextReading(
    _ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>
  ) throws(SluiceError) -> Int {
    while true {
      guard let row = try file.nextRow() else {
        list.close()
        if file.leavesOutTornRow, let count = rowsOfTornReading {
          file.warn(
            "\(file.name): its last reading has \(count) of its \(streams[Int(pending.stream.index)].channels.count) rows "
              + "and is left out, because the recording was cut off there")
          filled = 0
        }
        guard let last = flush() else { return 0 }
        target[0] = last
        return 1
      }
      var notes = RowNotes()
      let (time, value) = try file.reporting { () throws(CellFault) in
        try cells.check(row)
        return (try cells.time(row), try cells.value(row, 3, notes: &notes))
      }
      file.say(notes)
      let place = try place(row, of: file)
      if let complete = add(value, at: time, place) {
        target[0] = complete
        return 1
      }
      // The next row may be plain. Waiting for it is allowed only if there is no reading.
      let count = readPlain(file, into: target)
      if count > 0 { return count }
    }
  }

  /// Adds a value to the reading of its time and stream.
  /// - Returns: The previous reading, if the value does not belong to it.
  private mutating func add(_ value: ExactDecimal, at time: Int64, _ place: Place) -> Reading? {
    let id = StreamID(UInt16(truncatingIfNeeded: place.stream))
    let bit: UInt64 = 1 << UInt64(place.channel)
    var complete: Reading?
    if filled != 0, pending.time != time || pending.stream != id || filled & bit != 0 { complete = flush() }
    if filled == 0 { pending = Reading(time: time, stream: id, values: Values()) }
    fill(upTo: place.channel + 1)
    pending.values[place.channel] = value
    filled |= bit
    return complete
  }

  /// The number of rows of the pending reading, if some are missing. Each reading has a row per channel.
  private var rowsOfTornReading: Int? {
    guard filled != 0 else { return nil }
    let count = filled.nonzeroBitCount
    return count < streams[Int(pending.stream.index)].channels.count ? count : nil
  }

  private mutating func flush() -> Reading? {
    guard filled != 0 else { return nil }
    fill(upTo: streams[Int(pending.stream.index)].channels.count)
    filled = 0
    return pending
  }

  private mutating func fill(upTo count: Int) {
    while pending.values.count < count { pending.values.append(.missing) }
  }

  // MARK: Streams

  private mutating func place(_ row: CSVRow, of file: CSVFile) throws(SluiceError) -> Place {
    let key = Key(stream: row.text(1), channel: row.text(2))
    if let place = places[key] {
      names.insert(row.bytes(1...2), place)
      return place
    }
    guard let unknown else {
      try learn(row, of: file, limit: .pipe)
      list.set(streams)
      return places[key] ?? Place(stream: 0, channel: 0)
    }
    let isStream = numbers[key.stream] == nil
    throw file.malformed(
      column: isStream ? 2 : 3,
      isStream
        ? "stream \(key.stream) \(unknown.cause)"
        : "channel \(key.channel) of \(key.stream) \(unknown.cause)",
      remedy: unknown.remedy)
  }

  /// - Parameter limit: The limit of streams.
  private mutating func learn(_ row: CSVRow, of file: CSVFile, limit: StreamLimit) throws(SluiceError) {
    let key = Key(stream: row.text(1), channel: row.text(2))
    if places[key] == nil {
      guard numbers[key.stream] != nil || streams.count < limit.count else {
        throw limit.error("streams") { file.malformed(column: 2, $0, remedy: $1) }
      }
      guard add(.init(name: key.channel.text), to: StreamDescription(name: key.stream.text, channels: [])) else {
        throw file.malformed(column: 3, "stream \(key.stream) has more than \(Values.capacity) channels")
      }
    }
    if let place = places[key] { names.insert(row.bytes(1...2), place) }
  }

  /// Adds the names that rows have in cells: see ``StreamDescription/cell(_:)``. Other programs may write the name
  /// itself.
  private mutating func nameAsInRows(_ stream: StreamDescription) {
    let name = StreamDescription.cell(stream.name)
    let cell = ExactName(name)
    if numbers[cell] == nil { numbers[cell] = numbers[ExactName(stream.name)] }
    for channel in stream.channels {
      let key = Key(stream: name, channel: StreamDescription.cell(channel.name))
      if places[key] == nil { places[key] = places[Key(stream: stream.name, channel: channel.name)] }
    }
  }

  /// - Returns: False if the stream has too many channels.
  private mutating func add(_ channel: StreamDescription.Channel, to stream: StreamDescription) -> Bool {
    let key = Key(stream: stream.name, channel: channel.name)
    guard places[key] == nil else { return true }
    let number = numbers[key.stream] ?? streams.count
    if number == streams.count {
      var description = stream
      description.channels = []
      streams.append(description)
      numbers[key.stream] = number
    }
    guard streams[number].channels.count < Values.capacity else { return false }
    places[key] = Place(stream: number, channel: streams[number].channels.count)
    streams[number].channels.append(channel)
    return true
  }
}
