import SluiceReadings

/// How readings are laid out in a CSV file.
public enum CSVLayout: String, CaseIterable, Sendable {
  /// One row per reading, one column per channel; with several streams the cells of the others are empty.
  case wide
  /// One row per value: `time_ns,stream,channel,value`.
  case long
}

/// Turns readings into rows of CSV: RFC 4180, UTF-8, LF, one header row.
///
/// ```swift
/// let encoder = CSVEncoder(layout: .wide, streams: [description])
/// let text = TextBuffer()
/// encoder.encode(readings[...], into: text)
/// ```
///
/// A pure value: it formats into a buffer and touches no file. A value is printed as `(raw + offset) * scale`, exactly;
/// should that have more than 38 digits, its cell stays empty, as for a missing value.
package struct CSVEncoder: Sendable {
  let layout: CSVLayout
  private let streams: [Stream]
  package let header: String
  /// Whether readings of one time may share a row: streams of one device do.
  let sharesRows: Bool

  private struct Stream {
    var channels: [Channel]
    var isPlain: Bool  // all channels are
    /// No reading makes more text than this.
    var longest: Int
    /// Cells of other streams in front of its own and behind them, in the wide layout.
    var before = 0
    var after = 0
    var device: StreamDescription.Device?
  }

  private struct Channel {
    /// What stands before each value of the long layout: `,stream,channel,`.
    var prefix: [UInt8]
    var isPlain: Bool  // printed as it is, without scale and offset
    var scale: ExactDecimal
    var offset: ExactDecimal
  }

  /// - Parameter streams: In the order of their ``StreamID``.
  package init(layout: CSVLayout, streams: [StreamDescription], raw: Bool = false) {
    self.layout = layout
    var encoded: [Stream] = []
    var column = 0
    let columns = streams.reduce(0) { $0 + $1.channels.count }
    for stream in streams {
      let name = Self.quoted(stream.name)
      let channels = stream.channels.map { channel in
        Channel(
          prefix: layout == .wide ? [] : Array(",\(name),\(Self.quoted(channel.name)),".utf8),
          isPlain: raw || stream.isScaled || (channel.scale == .one && channel.offset.significand == 0),
          scale: channel.scale, offset: channel.offset)
      }
      // With each value a time, and a comma or a line feed behind both.
      let longest = channels.reduce(TextCursor.longestNumber) { $0 + $1.prefix.count + 2 * TextCursor.longestNumber }
      encoded.append(
        Stream(
          channels: channels, isPlain: channels.allSatisfy(\.isPlain), longest: longest + columns, before: column,
          after: columns - column - channels.count, device: stream.device))
      column += channels.count
    }
    self.streams = encoded
    let devices = streams.compactMap(\.device)
    sharesRows = layout == .wide && Set(devices).count < devices.count
    header =
      switch layout {
      case .long: "time_ns,stream,channel,value\n"
      case .wide: (["time_ns"] + streams.flatMap(\.columns).map(Self.quoted)).joined(separator: ",") + "\n"
      }
  }

  /// How many channels a stream has; none if it was not described.
  func channels(of stream: Int) -> Int { streams.indices.contains(stream) ? streams[stream].channels.count : 0 }

  /// Appends the rows of readings. A reading of a stream that was not described makes no row.
  package func encode(_ readings: [Reading], into buffer: TextBuffer) {
    readings.withUnsafeBufferPointer { _ = encode($0, into: buffer, until: .max) }
  }

  /// Appends the rows of readings until there is so much text.
  ///
  /// Through a pointer, and many at a time: copying a reading, or an array of the encoder, would count a reference.
  /// - Parameter base: The number of the first of the streams that are described here.
  /// - Returns: How many readings.
  func encode(
    _ readings: UnsafeBufferPointer<Reading>, from base: Int = 0, into buffer: TextBuffer, until length: Int
  ) -> Int {
    guard let first = readings.baseAddress else { return 0 }
    return streams.withUnsafeBufferPointer { streams in
      var count = 0
      var recent = RecentTime()
      while count < readings.count, buffer.count < length {
        // Readings of the same stream follow each other.
        let stream = first[count].stream
        let index = Int(stream.index) - base
        let end = readings[count...].firstIndex { $0.stream != stream } ?? readings.count
        guard streams.indices.contains(index) else {
          count = end
          continue
        }
        let (longest, isPlain) = (streams[index].longest, streams[index].isPlain)
        // Of other streams: nearly always there are none.
        let others = streams.count > 1 ? (before: streams[index].before, after: streams[index].after) : nil
        streams[index].channels.withUnsafeBufferPointer { channels in
          while count < end, buffer.count < length {
            buffer.append(atMost: longest) { cursor in
              if layout == .wide {
                cursor.append(first[count].time, after: &recent)
                if let others {
                  Self.encodeCells(first + count, channels, isPlain: isPlain, others.before, others.after, &cursor)
                } else {
                  Self.encodeCells(first + count, channels, isPlain: isPlain, &cursor)
                }
                cursor.append(UInt8(ascii: "\n"))
              } else {
                Self.encodeLong(first + count, channels, &cursor)
              }
            }
            count += 1
          }
        }
      }
      return count
    }
  }

  // MARK: Rows of several streams

  /// Whether the next reading may stand in the row of others: those of one device with the same time do, in the order of
  /// their streams, so that reading the row gives them back in this order.
  func isSameRow(_ reading: Reading, as last: Reading, from base: Int) -> Bool {
    let (a, b) = (Int(last.stream.index) - base, Int(reading.stream.index) - base)
    guard reading.time == last.time, a < b, streams.indices.contains(a), streams.indices.contains(b) else {
      return false
    }
    return streams[a].device != nil && streams[a].device == streams[b].device
  }

  /// Appends one row of readings for which ``isSameRow(_:as:from:)`` was true, one after the other.
  func encodeRow(_ readings: [Reading], from base: Int, into buffer: TextBuffer) {
    guard let time = readings.first?.time else { return }
    buffer.append(atMost: streams.reduce(TextCursor.longestNumber) { $0 + $1.longest }) { cursor in
      cursor.append(time)
      var column = 0
      readings.withUnsafeBufferPointer { readings in
        guard let first = readings.baseAddress else { return }
        for index in readings.indices {
          let stream = streams[Int(readings[index].stream.index) - base]
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

  /// In a row of several streams, empty cells say that there is no reading.
  private static func isMissing(_ reading: UnsafePointer<Reading>) -> Bool {
    reading.pointee.values.allSatisfy(\.isMissing)
  }

  /// A reading that has no value.
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

  /// The cells of a row of several streams: so many of others before and behind.
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
    _ reading: UnsafePointer<Reading>, _ channels: UnsafeBufferPointer<Channel>, _ cursor: inout TextCursor
  ) {
    let count = reading.pointee.values.count
    for number in 0..<channels.count {
      cursor.append(reading.pointee.time)
      cursor.append(channels[number].prefix)
      if number < count { cursor = append(reading.pointee.values[number], channels[number], to: cursor) }
      cursor.append(UInt8(ascii: "\n"))
    }
  }

  @inline(never)
  private static func append(_ value: ExactDecimal, _ channel: Channel, to cursor: TextCursor) -> TextCursor {
    var cursor = cursor
    if channel.isPlain || value.isMissing {
      cursor.append(value)
    } else if let scaled = value.scaled(by: channel.scale, offset: channel.offset) {
      cursor.append(scaled)
    }
    return cursor
  }

  /// Quoted where RFC 4180 asks for it.
  static func quoted(_ text: String) -> String {
    let special = text.utf8.contains { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }
    guard special || text.first == " " || text.last == " " else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}

extension CSVEncoder {
  /// Counts the readings of each stream that end in these encoded rows. Only a failed write needs this count.
  func readings(in rows: UnsafeBufferPointer<UInt8>) -> [Int] {
    layout == .wide ? wideReadings(in: rows) : longReadings(in: rows)
  }

  private func wideReadings(in rows: UnsafeBufferPointer<UInt8>) -> [Int] {
    let feed = UInt8(ascii: "\n")
    if streams.count == 1 { return [rows.reduce(0) { $1 == feed ? $0 + 1 : $0 }] }
    var counts = streams.map { _ in 0 }
    for row in rows.split(separator: feed) {
      // Numbers only, so that each comma is between two cells.
      let cells = row.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).dropFirst()
      for (index, stream) in streams.enumerated()
      where cells.dropFirst(stream.before).prefix(stream.channels.count).contains(where: { !$0.isEmpty }) {
        counts[index] += 1
      }
    }
    return counts
  }

  private func longReadings(in rows: UnsafeBufferPointer<UInt8>) -> [Int] {
    let names = streams.enumerated().flatMap { stream in
      stream.element.channels.enumerated().map {
        (bytes: $0.element.prefix, stream: stream.offset, isLast: $0.offset == stream.element.channels.count - 1)
      }
    }
    var counts = streams.map { _ in 0 }
    var rest = rows[...]
    while let comma = rest.firstIndex(of: UInt8(ascii: ",")) {
      rest = rest[comma...]
      // A name may have line feeds.
      if let name = names.first(where: { rest.starts(with: $0.bytes) }) {
        rest = rest.dropFirst(name.bytes.count)
        if name.isLast { counts[name.stream] += 1 }
      }
      rest = rest.drop { $0 != UInt8(ascii: "\n") }
    }
    return counts
  }
}
