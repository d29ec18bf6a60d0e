import SluiceAnalysis
import SluiceReadings

/// The table of the channels: as many columns as the window is wide, and as many rows as there is room for.
struct LiveTable {
  private enum Column: CaseIterable {
    case rate, minute, smallest, largest, mean
  }

  private let window: TerminalWindow
  private let limit: Int
  private let name: Int
  private let unit: Int
  private let columns: Set<Column>
  /// The width of the sparkline in characters.
  private let minute: Int
  /// Whether a row has the name of its stream as well as that of its channel.
  private let hasLongNames: Bool

  private static let narrowestMinute = 10

  private init(_ streams: [LiveStream], _ window: TerminalWindow) {
    self.window = window
    limit = max(1, window.columns - 1)
    // The streams that are looked at first decide, because there may be very many.
    let first = streams.prefix(64)
    let names = first.map { stream in
      stream.channels.count == 1
        ? (long: Self.width(stream.description.name), short: Self.width(stream.description.name))
        : (
          long: Self.width(stream.description.name) + 1
            + (stream.channels.map { Self.width($0.name) }.max() ?? 0),
          short: 1 + (stream.channels.map { Self.width($0.name) }.max() ?? 0)
        )
    }
    let long = names.map(\.long).max() ?? 0
    let units = min(8, first.flatMap(\.channels).map { Self.width($0.unit) }.max() ?? 0)
    // The pointer, the name, the last value.
    let least = 2 + 1 + LiveFigures.width
    unit = least + 6 + units + 1 <= limit ? units : 0
    var room = limit - least - (unit > 0 ? unit + 1 : 0)
    let wanted = max(6, min(long, max(14, limit / 3)))
    name = max(1, min(wanted, room))
    hasLongNames = long <= name
    room -= name
    var columns: Set<Column> = []
    for column in Column.allCases {
      let width = 1 + (column == .minute ? Self.narrowestMinute : LiveFigures.width)
      guard width <= room else { continue }
      columns.insert(column)
      room -= width
    }
    minute = columns.contains(.minute) ? min(LiveMinute.count / 2, Self.narrowestMinute + room) : 0
    self.columns = columns
  }

  private static func width(_ text: String) -> Int { TerminalText.width(String(text.prefix(64))) }

  /// The lines of the table.
  /// - Parameters:
  ///   - selection: The number of the stream that is selected; nil if none can be.
  ///   - rows: The largest number of lines.
  static func lines(
    _ streams: LiveStreams, selection: Int?, rows: Int, _ window: TerminalWindow
  ) -> [TerminalLine] {
    let table = LiveTable(streams.streams, window)
    guard rows > 1 else { return [] }
    let all = streams.streams.reduce(0) { $0 + $1.channels.count }
    // The header, and a line for what does not fit.
    let hasAll = all <= rows - 1 && streams.more == 0
    let room = max(1, hasAll ? rows - 1 : rows - 2)
    var first = 0
    if let selection, streams.streams.indices.contains(selection) {
      let end = streams.streams[...selection].reduce(0) { $0 + $1.channels.count }
      let start = end - streams.streams[selection].channels.count
      // Of a stream with more channels than rows, the first are shown.
      first = max(0, min(start, end - room))
    }
    var lines = [table.header]
    var row = 0
    for (number, stream) in streams.streams.enumerated() {
      if row + stream.channels.count <= first {
        row += stream.channels.count
        continue
      }
      for channel in stream.channels.indices where lines.count <= room {
        if row >= first { lines.append(table.line(stream, channel, isSelected: number == selection)) }
        row += 1
      }
      if lines.count > room { break }
    }
    if !hasAll {
      var line = TerminalLine(window, limit: table.limit)
      let hidden = all - (lines.count - 1)
      let parts = [
        hidden > 0 ? "\(hidden) more channel\(hidden == 1 ? "" : "s")" : nil,
        streams.more > 0 ? "\(streams.more) more stream\(streams.more == 1 ? "" : "s")" : nil,
      ]
      line.add("  and " + parts.compactMap { $0 }.joined(separator: ", "), .faint)
      lines.append(line)
    }
    return lines
  }

  private var header: TerminalLine {
    var line = TerminalLine(window, limit: limit)
    line.add("  ")
    line.add("stream", in: name, .faint)
    if columns.contains(.rate) { add("rate", to: &line, .faint) }
    add("last", to: &line, .faint)
    if unit > 0 { line.add(String(repeating: " ", count: unit + 1)) }
    for (column, title) in [(Column.smallest, "minimum"), (.mean, "mean"), (.largest, "maximum")]
    where columns.contains(column) { add(title, to: &line, .faint) }
    if minute > 0 { line.add(" last minute", .faint) }
    return line
  }

  private func line(_ stream: LiveStream, _ number: Int, isSelected: Bool) -> TerminalLine {
    let channel = stream.channels[number]
    var line = TerminalLine(window, limit: limit)
    line.add(isSelected ? (number == 0 ? "> " : "| ") : "  ", .bold)
    let style = isSelected ? TerminalLine.Style.bold : .plain
    let title = String(stream.description.name.prefix(64))
    let name =
      stream.channels.count == 1
      ? title : hasLongNames ? "\(title).\(channel.name.prefix(64))" : ".\(channel.name.prefix(64))"
    line.add(name, in: self.name, style)
    if columns.contains(.rate) { add(number == 0 ? LiveFigures.rate(stream.rate) : "", to: &line) }
    add(LiveFigures.text(channel.last, channel), to: &line, style)
    if unit > 0 {
      line.add(" ")
      line.add(channel.unit, in: unit)
    }
    for (column, value) in [
      (Column.smallest, channel.smallest), (.mean, channel.mean), (.largest, channel.largest),
    ] where columns.contains(column) {
      add(channel.count > 0 ? LiveFigures.text(value) : "", to: &line)
    }
    if minute > 0 {
      line.add(" ")
      line.add(Sparkline.text(stream.columns(number), cells: minute, window.glyphs), .cyan)
    }
    return line
  }

  private func add(_ text: String, to line: inout TerminalLine, _ style: TerminalLine.Style = .plain) {
    line.add(" ")
    line.add(text, in: LiveFigures.width, isRight: true, style)
  }
}
