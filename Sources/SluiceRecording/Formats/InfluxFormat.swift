package import SluiceReadings

/// InfluxDB line protocol, which Telegraf, QuestDB and VictoriaMetrics also read.
///
/// Each reading is a line. The stream is the measurement, the channels are fields, and the time is in nanoseconds. A
/// level is an integer, `level=1i`; any other value is a float. Missing values are left out, and a reading without
/// values and flags has no line. Flags are a field: `flags="gap_before"`. The tags of the style follow the measurement:
/// `imu,site=cellar accel_x=0.1`.
package struct InfluxFormat: EncodedFormat {
  package static let name = "influx"
  package static let extensions = ["lp", "influx"]
  package static let hasTags = true

  package static func mayHaveReading(_ file: [UInt8]) -> Bool { file.contains(UInt8(ascii: "\n")) }

  package init() {}
  package init(_ options: FormatOptions) {}

  /// Checks the names. A database keeps only one of two lines with the same measurement and time.
  package func check(_ streams: [StreamDescription], of path: String, _ style: RowStyle) throws(SluiceError) {
    var owners: [ExactName: String] = [:]
    for stream in streams {
      let measurement = InfluxName.measurement(stream.name)
      if let other = owners.updateValue(stream.name, forKey: ExactName(measurement)), !other.isExactly(stream.name) {
        throw SluiceError(
          .usage, "write", path, because: "two streams would become the measurement \(measurement)",
          remedy: "give a source another name, or write JSON Lines")
      }
      let names = stream.channels.map { InfluxName.field($0.name) }
      guard Set(names.map(ExactName.init)).count == names.count, !names.contains(InfluxEncoder.flags) else {
        throw SluiceError(
          .usage, "write", path, because: "two fields of \(measurement) would have the same name",
          remedy: "write JSON Lines")
      }
    }
    try check(style.tags, streams, path)
  }

  /// A query could not tell a tag from a field of the same name.
  private func check(_ tags: [RowTag], _ streams: [StreamDescription], _ path: String) throws(SluiceError) {
    let fields = Set(streams.flatMap { $0.channels.map { ExactName(InfluxName.field($0.name)) } })
    for tag in tags {
      let name = InfluxName.tag(tag.name)
      guard fields.contains(ExactName(name)) || name == InfluxEncoder.flags else { continue }
      throw SluiceError(
        .usage, "write", path, because: "a tag and a field would have the same name, \(name)",
        remedy: "give the tag another name")
    }
  }

  package func encoder(_ streams: EncoderStreams) -> InfluxEncoder { InfluxEncoder(streams) }
}

/// Names in the form of line protocol.
enum InfluxName {
  static func measurement(_ name: String) -> String {
    let name = plain(name)
    // A line that begins with # is a comment, and names that begin with _ are reserved for the database.
    return escaped(["#", "_"].contains(name.first) ? "m\(name)" : name, ", ")
  }

  /// The name or the value of a tag. No spreadsheet reads it, so it may begin with a sign.
  static func tag(_ text: String) -> String {
    let line = StreamDescription.line(text)
    return escaped(line.hasSuffix("\\") ? line + "_" : line, ",= ")
  }

  static func field(_ name: String) -> String { escaped(plain(name), ",= ") }

  /// A name within one line. A backslash at its end would escape what follows it.
  private static func plain(_ name: String) -> String {
    let cell = StreamDescription.cell(name)
    return cell.isEmpty ? "value" : cell.hasSuffix("\\") ? cell + "_" : cell
  }

  private static func escaped(_ name: String, _ special: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if special.unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }
}

/// Encodes readings as lines of line protocol.
package final class InfluxEncoder: RowEncoder {
  static let flags = "flags"
  /// The tag that tells readings of one stream and one time apart.
  package static let ordinal = "n"
  private static let ordinalTag = Array(",\(ordinal)=".utf8)

  package let base: Int
  /// The streams at the beginning.
  private let described: EncoderStreams
  /// The tags of each line, as they stand behind the measurement: `,board=attic,site=cellar`.
  private let tags: [UInt8]
  private var streams: [Stream] = []
  /// By stream, the time of its last reading, and the ordinal of that; nil if there was none.
  private var last: [(time: Int64, ordinal: UInt32)?] = []

  private struct Stream {
    var measurement: [UInt8]
    var channels: [Channel]
    /// The longest text of a reading.
    var longest: Int
  }

  private struct Channel {
    /// The name before a value: `accel_x=`
    var name: [UInt8]
    /// Whether it is a level, an integer that ends with an `i`.
    var isLevel: Bool
    var value: ScaledValue
  }

  package init(_ streams: EncoderStreams) {
    (base, described) = (streams.base, streams)
    tags = streams.style.tags.flatMap { Array(",\(InfluxName.tag($0.name))=\(InfluxName.tag($0.value))".utf8) }
    describe(streams.streams)
  }

  package var header: [UInt8] { [] }

  /// The fault of a file that does not begin with a measurement, a space and a field.
  package func fault(inFileThatBegins beginning: [UInt8]) -> String? {
    let line = beginning.prefix { $0 != UInt8(ascii: "\n") }
    let isLine = line.contains(UInt8(ascii: " ")) && line.contains(UInt8(ascii: "="))
    return isLine ? nil : "its first line is not line protocol"
  }

  package func describe(_ streams: [StreamDescription]) {
    self.streams = streams.map { stream in
      let measurement = Array(InfluxName.measurement(stream.name).utf8) + tags
      let channels = stream.channels.map { channel in
        let value = ScaledValue(channel, of: stream, described)
        return Channel(
          name: Array("\(InfluxName.field(channel.name))=".utf8),
          isLevel: channel.format == StreamDescription.Channel.level && value.isPlain, value: value)
      }
      let longest = channels.reduce(measurement.count + TextCursor.longestNumber + 128) {
        $0 + $1.name.count + TextCursor.longestNumber + 2
      }
      return Stream(measurement: measurement, channels: channels, longest: longest)
    }
  }

  package var streamCount: Int { streams.count }

  /// Encodes the next reading of a file. If it has the same time as the reading of its stream before it, its line has a
  /// tag with its ordinal.
  /// - Returns: Whether there is a field: a line without one is an error.
  package func encode(_ reading: UnsafePointer<Reading>, of stream: Int, into text: TextBuffer) -> Bool {
    while last.count <= stream { last.append(nil) }
    let time = reading.pointee.time
    let ordinal = last[stream].map { $0.time == time ? $0.ordinal + 1 : 0 } ?? 0
    let hasFields = encode(reading, of: stream, ordinal: ordinal, into: text)
    if hasFields { last[stream] = (time, ordinal) }
    return hasFields
  }

  /// - Parameter ordinal: 0 for the first reading of its stream with its time. Others have it as the tag `n`, because a
  ///   database would take two lines of one series and one time for the same point.
  package func encode(
    _ reading: UnsafePointer<Reading>, of stream: Int, ordinal: UInt32, into text: TextBuffer
  ) -> Bool {
    let stream = streams[stream]
    var hasFields = false
    text.append(atMost: stream.longest) { hasFields = Self.encode(reading, stream, ordinal, &$0) }
    return hasFields
  }

  private static func encode(
    _ reading: UnsafePointer<Reading>, _ stream: Stream, _ ordinal: UInt32, _ cursor: inout TextCursor
  ) -> Bool {
    let start = cursor
    cursor.append(stream.measurement)
    if ordinal > 0 {
      cursor.append(Self.ordinalTag)
      cursor.append(Int64(ordinal))
    }
    var separator = UInt8(ascii: " ")
    for (index, channel) in stream.channels.enumerated() where index < reading.pointee.values.count {
      let before = cursor
      cursor.append(separator)
      cursor.append(channel.name)
      guard channel.value.append(reading.pointee.values[index], to: &cursor) else {
        cursor = before
        continue
      }
      if channel.isLevel { cursor.append(UInt8(ascii: "i")) }
      separator = UInt8(ascii: ",")
    }
    if !reading.pointee.flags.isEmpty {
      cursor.append(separator)
      encode(reading.pointee.flags, &cursor)
      separator = UInt8(ascii: ",")
    }
    guard separator == UInt8(ascii: ",") else {
      cursor = start
      return false
    }
    cursor.append(UInt8(ascii: " "))
    cursor.append(reading.pointee.time)
    cursor.append(UInt8(ascii: "\n"))
    return true
  }

  private static func encode(_ flags: Reading.Flags, _ cursor: inout TextCursor) {
    let names = JSONLinesFlags.all.filter { flags.contains($0.flag) }.map(\.name)
    cursor.append(Array("\(Self.flags)=\"\(names.joined(separator: " "))\"".utf8))
  }
}
