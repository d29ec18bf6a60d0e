import SluiceReadings

extension TraceColumns {
  /// Selects columns. The channels of each stream get the order of these columns.
  func selecting(_ columns: [Int]) -> TraceColumns {
    var selected = TraceColumns(leavingOut: places.count)
    let wanted = Set(columns.compactMap { places[$0]?.stream })
    // Streams keep their order. A stream without selected columns is removed.
    var numbers: [Int: Int] = [:]
    for stream in streams.indices where wanted.contains(stream) {
      numbers[stream] = selected.streams.count
      selected.streams.append(streams[stream])
      selected.streams[selected.streams.count - 1].channels = []
    }
    for column in columns {
      guard let place = places[column], let stream = numbers[place.stream] else { continue }
      selected.places[column] = Place(stream: stream, channel: selected.streams[stream].channels.count)
      selected.streams[stream].channels.append(streams[place.stream].channels[place.channel])
    }
    // A trace has at least one stream, which may have no channel.
    if selected.streams.isEmpty, var first = streams.first {
      first.channels = []
      selected.streams = [first]
    }
    return selected
  }

  /// The role of each column.
  func roles(_ header: TraceHeader) -> [CellRole] {
    places.enumerated().map { column, place in
      if column == header.time.date { return .date }
      if column == header.time.index { return header.time.date == nil ? .time : .timeOfDay }
      return place == nil ? .skipped : .value
    }
  }

  /// The columns that `--columns` names, or all columns without text.
  static func selection(_ header: TraceHeader, _ wanted: [String], _ name: String) throws(SluiceError) -> [Int]? {
    if wanted.isEmpty {
      let others = header.text + header.blank + header.hexadecimal
      guard !others.isEmpty else { return nil }
      return header.names.indices.filter { !header.isTime($0) && !others.contains($0) }
    }
    guard !header.isLong else {
      throw SluiceError(
        .usage, "pick columns of", name, because: "it is in the long layout, in which each row names its channel",
        remedy: "leave out --columns")
    }
    var columns: [Int] = []
    for text in wanted {
      let column = try index(of: text, header, name)
      guard !columns.contains(column) else {
        throw SluiceError(
          .usage, "pick columns of", name, because: "--columns names \(TimeColumn.shown(text)) twice",
          remedy: "name each column once")
      }
      columns.append(column)
    }
    return columns
  }

  private static func index(of text: String, _ header: TraceHeader, _ name: String) throws(SluiceError) -> Int {
    let column: Int
    switch NamedColumn(text, in: header.names) {
    case .one(let found): column = found
    case .none:
      throw SluiceError(
        .malformed, "pick columns of", name, because: "it has no column \(TimeColumn.shown(text))",
        remedy: "its columns are \(TimeColumn.list(header.names))")
    case .several(let found):
      throw SluiceError(
        .malformed, "pick columns of", name, because: "\(found.count) columns are called \(TimeColumn.shown(text))",
        remedy: "give the number of one: \(found.map { "\($0 + 1)" }.joined(separator: ", "))")
    case .nameOrNumber(_, let number):
      let fault = NamedColumn.nameOrNumber(text, number, in: header.names, option: "--columns", .column)
      throw SluiceError(.malformed, "pick columns of", name, because: fault.cause, remedy: fault.remedy)
    }
    guard !header.isTime(column) else {
      throw SluiceError(
        .usage, "pick columns of", name, because: "\(TimeColumn.shown(text)) is its time",
        remedy: "leave it out of --columns; every reading has the time")
    }
    return column
  }
}
