package import SluiceReadings

/// JSON Lines: one object per reading, UTF-8, LF.
///
/// A line is `{"time_ns":1795272907506849878,"stream":"imu","values":{"accel_x":0.15,"accel_y":null}}`. Numbers have
/// all their digits; a missing value is null. A reading with flags has `"flags":["gap_before"]`.
package struct JSONLinesFormat: EncodedFormat {
  package static let name = "jsonl"
  package static let extensions = ["jsonl", "ndjson"]
  package static let takesTimes = true

  package static func time(ofRow row: ArraySlice<UInt8>) -> Int64? {
    let name = Array("{\"time_ns\":".utf8)
    guard row.starts(with: name) else { return nil }
    return Int64(String(decoding: row.dropFirst(name.count).prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self))
  }

  package static func mayHaveReading(_ file: [UInt8]) -> Bool { file.contains(UInt8(ascii: "\n")) }

  package init() {}
  package init(_ options: FormatOptions) {}

  package func encoder(_ streams: EncoderStreams) -> JSONLinesEncoder { JSONLinesEncoder(streams) }
}

/// Encodes readings as JSON Lines.
package final class JSONLinesEncoder: RowEncoder {
  package let base: Int
  /// The streams at the beginning.
  private let described: EncoderStreams
  /// The start of a line: `{"time_ns":`
  private let begin: [UInt8]
  private var streams: [Stream] = []
  @exclusivity(unchecked) private var times: RowTimeText

  private struct Stream {
    /// The text between the time and the values.
    var prefix: [UInt8]
    var channels: [Channel]
    /// The longest possible text of a reading.
    var longest: Int
  }

  private struct Channel {
    /// The name before a value: `"x":`, with a comma before all except the first.
    var name: [UInt8]
    var value: ScaledValue
  }

  package init(_ streams: EncoderStreams) {
    (base, described, times) = (streams.base, streams, RowTimeText(streams.style))
    // A date is a string.
    begin = Array("{\"\(streams.style.time.column)\":\(streams.style.time == .iso ? "\"" : "")".utf8)
    describe(streams.streams)
  }

  package var header: [UInt8] { [] }

  package func fault(inFileThatBegins beginning: [UInt8]) -> String? {
    JSONCursor.beginsObject(beginning) ? nil : "its first line is no object of JSON"
  }

  package func describe(_ streams: [StreamDescription]) {
    self.streams = streams.map { stream in
      let channels = stream.channels.enumerated().map { index, channel in
        Channel(
          name: Array("\(index > 0 ? "," : "")\(quoted(channel.name)):".utf8),
          value: ScaledValue(channel, of: stream, described))
      }
      let quote = described.style.time == .iso ? "\"" : ""
      let prefix = Array("\(quote),\"stream\":\(quoted(stream.name)),\"values\":{".utf8)
      let longest = channels.reduce(prefix.count + TextCursor.longestNumber + 128) {
        $0 + $1.name.count + TextCursor.longestNumber
      }
      return Stream(prefix: prefix, channels: channels, longest: longest)
    }
  }

  package var streamCount: Int { streams.count }

  package func begin(at time: Int64) { times.begin(at: time) }

  package func encode(_ reading: UnsafePointer<Reading>, of stream: Int, into text: TextBuffer) -> Bool {
    let stream = streams[stream]
    text.append(atMost: stream.longest) { encode(reading, stream, &times, &$0) }
    return true
  }

  private static let missing = Array("null".utf8)

  private func encode(
    _ reading: UnsafePointer<Reading>, _ stream: Stream, _ times: inout RowTimeText, _ cursor: inout TextCursor
  ) {
    cursor.append(begin)
    times.append(reading.pointee.time, to: &cursor)
    cursor.append(stream.prefix)
    let count = reading.pointee.values.count
    for (index, channel) in stream.channels.enumerated() {
      cursor.append(channel.name)
      let value = index < count ? reading.pointee.values[index] : .missing
      if !channel.value.append(value, to: &cursor) { cursor.append(Self.missing) }
    }
    cursor.append(UInt8(ascii: "}"))
    if !reading.pointee.flags.isEmpty { Self.encode(reading.pointee.flags, &cursor) }
    cursor.append(UInt8(ascii: "}"))
    cursor.append(UInt8(ascii: "\n"))
  }

  private static func encode(_ flags: Reading.Flags, _ cursor: inout TextCursor) {
    let names = JSONLinesFlags.all.filter { flags.contains($0.flag) }.map { "\"\($0.name)\"" }
    cursor.append(Array(",\"flags\":[\(names.joined(separator: ","))]".utf8))
  }
}

/// The flags of a reading, with their names in the metadata.
enum JSONLinesFlags {
  static let all: [(name: String, flag: Reading.Flags)] = [
    ("gap_before", .gapBefore), ("initial_level", .initialLevel), ("late", .late), ("restart", .restart),
    ("at_least", .atLeast), ("uncertain_time", .uncertainTime),
    ("possible_duplicate", .possibleDuplicate), ("uncertain_level", .uncertainLevel),
  ]
}
