/// How readings are laid out in a CSV file.
public enum CSVLayout: String, CaseIterable, Sendable {
  /// A row a reading, a column a channel: for one stream.
  case wide
  /// A row a value: `time_ns,stream,channel,value`.
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

  private struct Stream {
    var channels: [Channel]
    var isPlain: Bool  // all channels are
    /// No reading makes more text than this.
    var longest: Int
  }

  private struct Channel {
    /// What stands before each value of the long layout: `,stream,channel,`.
    var prefix: [UInt8]
    var isPlain: Bool  // printed as it is, without scale and offset
    var scale: ExactDecimal
    var offset: ExactDecimal
  }

  /// - Parameter streams: In the order of their ``StreamID``; the wide layout takes one.
  package init(layout: CSVLayout, streams: [StreamDescription], raw: Bool = false) {
    self.layout = layout
    self.streams = streams.map { stream in
      let name = Self.quoted(stream.name)
      let channels = stream.channels.map { channel in
        Channel(
          prefix: layout == .wide ? [] : Array(",\(name),\(Self.quoted(channel.name)),".utf8),
          isPlain: raw || stream.isScaled || (channel.scale == .one && channel.offset.significand == 0),
          scale: channel.scale, offset: channel.offset)
      }
      // With each value a time, and a comma or a line feed behind both.
      let longest = channels.reduce(TextCursor.longestNumber) { $0 + $1.prefix.count + 2 * TextCursor.longestNumber }
      return Stream(channels: channels, isPlain: channels.allSatisfy(\.isPlain), longest: longest)
    }
    header =
      switch layout {
      case .long: "time_ns,stream,channel,value\n"
      case .wide:
        (["time_ns"] + (streams.first?.channels.map { Self.quoted($0.name) } ?? [])).joined(separator: ",") + "\n"
      }
  }

  package let header: String

  /// Appends the rows of readings. A reading of a stream that was not described makes no row.
  package func encode(_ readings: [Reading], into buffer: TextBuffer) {
    readings.withUnsafeBufferPointer { _ = encode($0, into: buffer, until: .max) }
  }

  /// Appends the rows of readings until there is so much text.
  ///
  /// Through a pointer, and many at a time: copying a reading, or an array of the encoder, would count a reference.
  /// - Returns: How many readings.
  func encode(_ readings: UnsafeBufferPointer<Reading>, into buffer: TextBuffer, until length: Int) -> Int {
    guard let first = readings.baseAddress else { return 0 }
    return streams.withUnsafeBufferPointer { streams in
      var count = 0
      var recent = RecentTime()
      while count < readings.count, buffer.count < length {
        // Readings of the same stream follow each other.
        let stream = first[count].stream
        let index = layout == .wide ? 0 : Int(stream.index)
        let end = readings[count...].firstIndex { $0.stream != stream } ?? readings.count
        guard index < streams.count else {
          count = end
          continue
        }
        let longest = streams[index].longest
        let isPlain = streams[index].isPlain
        streams[index].channels.withUnsafeBufferPointer { channels in
          while count < end, buffer.count < length {
            buffer.append(atMost: longest) { cursor in
              if layout == .wide {
                Self.encodeWide(first + count, channels, isPlain: isPlain, &cursor, &recent)
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

  /// How many readings of each stream end in rows that it made: what is not to be known of rows until writing them fails.
  func readings(in rows: UnsafeBufferPointer<UInt8>) -> [Int] {
    let feed = UInt8(ascii: "\n")
    if layout == .wide { return [rows.reduce(0) { $1 == feed ? $0 + 1 : $0 }] }
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
      rest = rest.drop { $0 != feed }
    }
    return counts
  }

  @inline(__always)
  private static func encodeWide(
    _ reading: UnsafePointer<Reading>, _ channels: UnsafeBufferPointer<Channel>, isPlain: Bool,
    _ cursor: inout TextCursor, _ recent: inout RecentTime
  ) {
    cursor.append(reading.pointee.time, after: &recent)
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
    cursor.append(UInt8(ascii: "\n"))
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
