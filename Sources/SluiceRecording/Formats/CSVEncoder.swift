package import SluiceReadings

/// Encodes readings as rows of CSV: RFC 4180, UTF-8, LF, one header row.
///
/// A value is printed as `(raw + offset) * scale`, exactly. If it has more than 38 digits, its cell is empty, like that
/// of a missing value.
package final class CSVEncoder: RecordingEncoder {
  let layout: CSVLayout
  /// The streams at the beginning.
  private let described: EncoderStreams
  /// The number of the first stream.
  private let base: Int
  @exclusivity(unchecked) private var streams: [Stream]
  /// Whether readings of one time may share a row, in the wide layout. They do if their streams are of one device.
  let sharesRows: Bool
  /// The readings of the open row. Others of the same device and time may still join it.
  @exclusivity(unchecked) private var row: [Reading] = []
  private let titles: [String]

  private struct Stream {
    var channels: [Channel]
    var isPlain: Bool  // whether all channels are plain
    /// The longest possible text of a reading.
    var longest: Int
    /// The number of empty cells before and after its own cells, in the wide layout.
    var before = 0
    var after = 0
    var device: StreamDescription.Device?
  }

  private struct Channel {
    /// The text before each value in the long layout: `,stream,channel,`.
    var prefix: [UInt8]
    var value: ScaledValue
  }

  package init(layout: CSVLayout, _ streams: EncoderStreams) {
    self.layout = layout
    (described, base) = (streams, streams.base)
    let devices = streams.streams.compactMap(\.device)
    sharesRows = layout == .wide && Set(devices).count < devices.count
    titles =
      switch layout {
      case .long: [streams.style.time.column] + CSVLayout.longColumns
      case .wide:
        [streams.style.time.column]
          + streams.streams.flatMap { $0.columns(withUnits: streams.style.headerUnits) }.map(Self.quoted)
      }
    self.streams = Self.encoded(streams, layout)
  }

  package var header: [UInt8] { Array((titles.joined(separator: ",") + "\n").utf8) }

  package func describe(_ streams: [StreamDescription]) {
    var described = described
    described.streams = streams
    self.streams = Self.encoded(described, layout)
  }

  private static func encoded(_ described: EncoderStreams, _ layout: CSVLayout) -> [Stream] {
    let streams = described.streams
    var encoded: [Stream] = []
    var column = 0
    let columns = streams.reduce(0) { $0 + $1.channels.count }
    for stream in streams {
      let name = quoted(StreamDescription.cell(stream.name))
      let channels = stream.channels.map { channel in
        Channel(
          prefix: layout == .wide ? [] : Array(",\(name),\(quoted(StreamDescription.cell(channel.name))),".utf8),
          value: ScaledValue(channel, of: stream, described))
      }
      // Each value has a time, and both are followed by a comma or a line feed.
      let longest = channels.reduce(TextCursor.longestNumber) { $0 + $1.prefix.count + 2 * TextCursor.longestNumber }
      encoded.append(
        Stream(
          channels: channels, isPlain: channels.allSatisfy(\.value.isPlain), longest: longest + columns, before: column,
          after: columns - column - channels.count, device: stream.device))
      column += channels.count
    }
    return encoded
  }

  package func encode(_ readings: UnsafeBufferPointer<Reading>, into rows: EncodedRows, until length: Int) -> Int {
    if sharesRows { return share(readings, into: rows, until: length) }
    guard let first = readings.baseAddress else { return 0 }
    return streams.withUnsafeBufferPointer { streams in
      var count = 0
      var times = RowTimeText(described.style, first: first[0].time)
      while count < readings.count, rows.text.count < length {
        let index = Int(first[count].stream.index) - base
        let end = readings.endOfNeighbours(from: count)
        guard index >= 0, index < streams.count, let stream = streams.baseAddress.map({ $0 + index }) else {
          count = end
          continue
        }
        let run = UnsafeBufferPointer(start: first + count, count: end - count)
        if layout == .long {
          count += Self.encodeLong(run, of: stream, into: rows, until: length, &times)
        } else if streams.count == 1 {
          count += Self.encodeWide(run, of: stream, into: rows, until: length, &times)
        } else {
          count += Self.encodeBetweenOthers(run, of: stream, into: rows, until: length, &times)
        }
      }
      return count
    }
  }

  // These encode readings of one stream until the text has the length. All return the number of readings.

  private static func encodeWide(
    _ readings: UnsafeBufferPointer<Reading>, of stream: UnsafePointer<Stream>, into rows: EncodedRows,
    until length: Int, _ times: inout RowTimeText
  ) -> Int {
    guard let first = readings.baseAddress else { return 0 }
    let (longest, isPlain) = (stream.pointee.longest, stream.pointee.isPlain)
    let text = rows.text
    return stream.pointee.channels.withUnsafeBufferPointer { channels in
      var count = 0
      while count < readings.count, text.count < length {
        text.append(atMost: longest) { cursor in
          times.append(first[count].time, to: &cursor)
          encodeCells(first + count, channels, isPlain: isPlain, &cursor)
          cursor.append(UInt8(ascii: "\n"))
        }
        rows.end(first[count].stream)
        count += 1
      }
      return count
    }
  }

  private static func encodeBetweenOthers(
    _ readings: UnsafeBufferPointer<Reading>, of stream: UnsafePointer<Stream>, into rows: EncodedRows,
    until length: Int, _ times: inout RowTimeText
  ) -> Int {
    guard let first = readings.baseAddress else { return 0 }
    let (before, after) = (stream.pointee.before, stream.pointee.after)
    let (longest, isPlain) = (stream.pointee.longest, stream.pointee.isPlain)
    let text = rows.text
    return stream.pointee.channels.withUnsafeBufferPointer { channels in
      var count = 0
      while count < readings.count, text.count < length {
        text.append(atMost: longest) { cursor in
          times.append(first[count].time, to: &cursor)
          encodeCells(first + count, channels, isPlain: isPlain, before, after, &cursor)
          cursor.append(UInt8(ascii: "\n"))
        }
        rows.end(first[count].stream)
        count += 1
      }
      return count
    }
  }

  private static func encodeLong(
    _ readings: UnsafeBufferPointer<Reading>, of stream: UnsafePointer<Stream>, into rows: EncodedRows,
    until length: Int, _ times: inout RowTimeText
  ) -> Int {
    guard let first = readings.baseAddress else { return 0 }
    let longest = stream.pointee.longest
    let text = rows.text
    return stream.pointee.channels.withUnsafeBufferPointer { channels in
      var count = 0
      while count < readings.count, text.count < length {
        // A stream without channels has no row.
        if channels.isEmpty {
          rows.leaveOut(first[count].stream)
        } else {
          text.append(atMost: longest) { encodeLong(first + count, channels, &times, &$0) }
          rows.end(first[count].stream)
        }
        count += 1
      }
      return count
    }
  }

  // MARK: Rows of several streams

  /// Puts readings of one device and time into one row.
  private func share(_ readings: UnsafeBufferPointer<Reading>, into rows: EncodedRows, until length: Int) -> Int {
    var count = 0
    // The row is encoded later, and another file may be encoded before it.
    if let first = readings.first { described.style.begin(at: first.time) }
    while count < readings.count, rows.text.count < length {
      let reading = readings[count]
      if let last = row.last, !isSameRow(reading, as: last) { endRow(into: rows) }
      row.append(reading)
      count += 1
    }
    return count
  }

  package var hasOpenRow: Bool { !row.isEmpty }

  package func endRow(into rows: EncodedRows) {
    guard !row.isEmpty else { return }
    encodeRow(row, into: rows.text)
    for reading in row { rows.end(reading.stream) }
    row.removeAll(keepingCapacity: true)
  }

  /// Whether the next reading may share the row of the last. It may if both have the same time and device, and if it
  /// comes later in the order of the streams. So reading the row gives the same order.
  func isSameRow(_ reading: Reading, as last: Reading) -> Bool {
    let (a, b) = (Int(last.stream.index) - base, Int(reading.stream.index) - base)
    guard reading.time == last.time, a < b, streams.indices.contains(a), streams.indices.contains(b) else {
      return false
    }
    return streams[a].device != nil && streams[a].device == streams[b].device
  }

  private func encodeRow(_ readings: [Reading], into buffer: TextBuffer) {
    guard let time = readings.first?.time else { return }
    var times = RowTimeText(described.style, first: time)
    buffer.append(atMost: streams.reduce(TextCursor.longestNumber) { $0 + $1.longest }) { cursor in
      times.append(time, to: &cursor)
      var column = 0
      readings.withUnsafeBufferPointer { readings in
        guard let first = readings.baseAddress else { return }
        for index in readings.indices {
          let number = Int(readings[index].stream.index) - base
          guard streams.indices.contains(number) else { continue }
          let stream = streams[number]
          for _ in column..<stream.before { cursor.append(UInt8(ascii: ",")) }
          stream.channels.withUnsafeBufferPointer { channels in
            if Self.isMissing(first + index) {
              Self.encodeMissing(channels.count, &cursor)
            } else {
              Self.encodeCells(first + index, channels, isPlain: stream.isPlain, &cursor)
            }
          }
          column = stream.before + stream.channels.count
        }
      }
      for _ in column..<(streams.last.map { $0.before + $0.channels.count } ?? 0) { cursor.append(UInt8(ascii: ",")) }
      cursor.append(UInt8(ascii: "\n"))
    }
  }

  /// In a row of several streams, empty cells mean that there is no reading.
  private static func isMissing(_ reading: UnsafePointer<Reading>) -> Bool {
    reading.pointee.values.allSatisfy(\.isMissing)
  }

  /// Encodes a reading without any value.
  private static func encodeMissing(_ count: Int, _ cursor: inout TextCursor) {
    for index in 0..<count {
      cursor.append(UInt8(ascii: ","))
      if index == 0 { for byte in "nan".utf8 { cursor.append(byte) } }
    }
  }

  // MARK: Cells

  /// The cells of one stream, each with a comma before it.
  @inline(__always)
  private static func encodeCells(
    _ reading: UnsafePointer<Reading>, _ channels: UnsafeBufferPointer<Channel>, isPlain: Bool,
    _ cursor: inout TextCursor
  ) {
    let count = min(reading.pointee.values.count, channels.count)
    var next = 0
    if isPlain {
      Values.forEachInline(reading, count) { value in
        cursor.append(UInt8(ascii: ","))
        cursor.append(value)
      }
      next = min(count, Values.inlineCapacity)
    }
    while next < count {
      cursor.append(UInt8(ascii: ","))
      cursor = append(reading.pointee.values[next], channels[next], to: cursor)
      next += 1
    }
    for _ in count..<channels.count { cursor.append(UInt8(ascii: ",")) }
  }

  /// Encodes a row of several streams, with empty cells for the streams before and after.
  @inline(never)
  private static func encodeCells(
    _ reading: UnsafePointer<Reading>, _ channels: UnsafeBufferPointer<Channel>, isPlain: Bool, _ before: Int,
    _ after: Int, _ cursor: inout TextCursor
  ) {
    for _ in 0..<before { cursor.append(UInt8(ascii: ",")) }
    if isMissing(reading) {
      encodeMissing(channels.count, &cursor)
    } else {
      encodeCells(reading, channels, isPlain: isPlain, &cursor)
    }
    for _ in 0..<after { cursor.append(UInt8(ascii: ",")) }
  }

  private static func encodeLong(
    _ reading: UnsafePointer<Reading>, _ channels: UnsafeBufferPointer<Channel>, _ times: inout RowTimeText,
    _ cursor: inout TextCursor
  ) {
    let count = reading.pointee.values.count
    for number in 0..<channels.count {
      times.append(reading.pointee.time, to: &cursor)
      cursor.append(channels[number].prefix)
      if number < count { cursor = append(reading.pointee.values[number], channels[number], to: cursor) }
      cursor.append(UInt8(ascii: "\n"))
    }
  }

  @inline(never)
  private static func append(_ value: ExactDecimal, _ channel: Channel, to cursor: TextCursor) -> TextCursor {
    var cursor = cursor
    _ = channel.value.append(value, to: &cursor)
    return cursor
  }

  /// Quotes a text if RFC 4180 requires it.
  static func quoted(_ text: String) -> String {
    let special = text.utf8.contains { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }
    guard special || text.first == " " || text.last == " " else { return text }
    // By scalars, because a quote followed by a combining character is a different `Character`.
    return "\"" + String(String.UnicodeScalarView(text.unicodeScalars.flatMap { $0 == "\"" ? ["\"", "\""] : [$0] }))
      + "\""
  }
}
