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
  private let streams: [Stream]

  private struct Stream {
    var channels: [Channel]
  }

  private struct Channel {
    /// What stands before each value: `,` or `,stream,channel,`.
    var prefix: [UInt8]
    /// Nil where values are printed as they are.
    var scaling: (scale: ExactDecimal, offset: ExactDecimal)?
  }

  /// - Parameter streams: In the order of their ``StreamID``; the wide layout takes one.
  init(layout: CSVLayout, streams: [StreamDescription], raw: Bool = false) {
    self.layout = layout
    self.streams = streams.map { stream in
      let name = Self.quoted(stream.name)
      return Stream(
        channels: stream.channels.map { channel in
          let plain = raw || (channel.scale == .one && channel.offset.significand == 0)
          return Channel(
            prefix: layout == .wide ? [UInt8(ascii: ",")] : Array(",\(name),\(Self.quoted(channel.name)),".utf8),
            scaling: plain ? nil : (channel.scale, channel.offset))
        })
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
    let isWide = layout == .wide
    if isWide { buffer.append(reading.time) }
    streams[index].channels.withUnsafeBufferPointer { channels in
      for number in channels.indices {
        if !isWide { buffer.append(reading.time) }
        if isWide { buffer.append(UInt8(ascii: ",")) } else { buffer.append(channels[number].prefix) }
        if number < reading.values.count { append(reading.values[number], channels[number].scaling, to: buffer) }
        if !isWide { buffer.append(UInt8(ascii: "\n")) }
      }
    }
    if isWide { buffer.append(UInt8(ascii: "\n")) }
  }

  private func append(
    _ value: ExactDecimal, _ scaling: (scale: ExactDecimal, offset: ExactDecimal)?, to buffer: TextBuffer
  ) {
    guard let scaling, !value.isMissing else { return buffer.append(value) }
    if let scaled = value.scaled(by: scaling.scale, offset: scaling.offset) { buffer.append(scaled) }
  }

  /// Quoted where RFC 4180 asks for it.
  static func quoted(_ text: String) -> String {
    let special = text.utf8.contains { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }
    guard special || text.first == " " || text.last == " " else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
