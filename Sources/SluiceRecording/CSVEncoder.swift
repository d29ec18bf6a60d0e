/// How readings are laid out in a CSV file.
public enum CSVLayout: String, CaseIterable, Sendable {
  /// A row a reading, a column a channel: for one stream.
  case wide
  /// A row a value: `time_ns,stream,channel,value`.
  case long
}

/// Turns readings into rows of CSV: RFC 4180, UTF-8, LF, one header row.
///
/// A pure value: it formats into a buffer and touches no file. A value is printed as `(raw + offset) * scale`, exactly;
/// should that have more than 38 digits, its cell stays empty, as for a missing value.
struct CSVEncoder {
  let layout: CSVLayout
  /// Values as the device gave them, without offset and scale.
  let raw: Bool
  private let streams: [Stream]

  private struct Stream {
    let channels: [StreamDescription.Channel]
    /// What stands before each value: `,` or `,stream,channel,`.
    let prefixes: [[UInt8]]
  }

  /// - Parameter streams: In the order of their ``StreamID``; the wide layout takes one.
  init(layout: CSVLayout, streams: [StreamDescription], raw: Bool = false) {
    self.layout = layout
    self.raw = raw
    self.streams = streams.map { stream in
      let name = Self.quoted(stream.name)
      let prefixes = stream.channels.map { channel in
        layout == .wide ? [UInt8(ascii: ",")] : Array(",\(name),\(Self.quoted(channel.name)),".utf8)
      }
      return Stream(channels: stream.channels, prefixes: prefixes)
    }
    header =
      switch layout {
      case .long: "time_ns,stream,channel,value\n"
      case .wide:
        (["time_ns"] + (streams.first?.channels.map { Self.quoted($0.name) } ?? [])).joined(separator: ",") + "\n"
      }
  }

  let header: String

  /// Appends the rows of one reading. A reading of a stream that was not described makes no row.
  func encode(_ reading: Reading, into buffer: TextBuffer) {
    let index = layout == .wide ? 0 : Int(reading.stream.index)
    guard index < streams.count else { return }
    let stream = streams[index]
    if layout == .wide { buffer.append(reading.time) }
    for (number, channel) in stream.channels.enumerated() {
      if layout == .long { buffer.append(reading.time) }
      buffer.append(stream.prefixes[number])
      if number < reading.values.count { append(reading.values[number], channel, to: buffer) }
      if layout == .long { buffer.append(UInt8(ascii: "\n")) }
    }
    if layout == .wide { buffer.append(UInt8(ascii: "\n")) }
  }

  private func append(_ value: ExactDecimal, _ channel: StreamDescription.Channel, to buffer: TextBuffer) {
    if raw || value.isMissing || (channel.scale == .one && channel.offset.significand == 0) {
      buffer.append(value)
    } else if let scaled = value.scaled(by: channel.scale, offset: channel.offset) {
      buffer.append(scaled)
    }
  }

  /// Quoted where RFC 4180 asks for it.
  static func quoted(_ text: String) -> String {
    let special = text.utf8.contains { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }
    guard special || text.first == " " || text.last == " " else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
