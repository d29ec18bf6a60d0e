package import SluiceReadings

/// Value change dump (IEEE 1364), for waveform viewers such as GTKWave.
///
/// Each stream is a scope, and each channel a variable in it: a wire for the level of a line, a real for a number.
/// Times are nanoseconds since the first reading; a comment has the time of that reading. Each reading writes all its
/// channels, even unchanged ones, so that a replay finds each reading again.
package struct VCDFormat: EncodedFormat {
  package static let name = "vcd"
  package static let extensions = ["vcd"]
  /// False, because times count from the first reading.
  package static let canAppend = false

  /// Behind the header, the time of a reading is a line that begins with `#`.
  package static func mayHaveReading(_ file: [UInt8]) -> Bool {
    zip(file, file.dropFirst()).contains { $0 == UInt8(ascii: "\n") && $1 == UInt8(ascii: "#") }
  }

  package init() {}

  package init(_ options: FormatOptions) throws(SluiceError) {
    guard options.isGrowing else { return }
    throw SluiceError(
      .unsupported, "write", options.path,
      because: "the streams of a trace that comes from a pipe are not known before its end",
      remedy: "take another format, or give the trace as a file")
  }

  package func encoder(_ streams: EncoderStreams) -> VCDEncoder { VCDEncoder(streams) }
}

/// Encodes readings as a value change dump.
///
/// The header stays open for the comment with the time of the first reading, because libsigrok 0.5.2 skips everything
/// after a comment behind `$enddefinitions`.
package final class VCDEncoder: RowEncoder {
  package let base: Int
  private let streams: [Stream]
  package let header: [UInt8]
  private var isHeaderOpen = true
  /// The time of the first reading written.
  private var first: Int64?
  /// The time written last, in nanoseconds since the first reading.
  private var last: Int64 = -1

  private struct Stream {
    var channels: [Channel]
    /// The longest possible text of a reading.
    var longest: Int
  }

  private struct Channel {
    var isLevel: Bool
    /// The text after each value: the identifier, with a space before it unless it is a level.
    var suffix: [UInt8]
    var value: ScaledValue
  }

  package init(_ streams: EncoderStreams) {
    base = streams.base
    var header = "$version sluice $end\n$timescale 1 ns $end\n"
    var encoded: [Stream] = []
    var number = 0
    for (stream, scope) in zip(streams.streams, Self.names(streams.streams.map(\.name))) {
      header += "$scope module \(scope) $end\n"
      var channels: [Channel] = []
      for (channel, name) in zip(stream.channels, Self.names(stream.channels.map(\.name))) {
        let value = ScaledValue(channel, of: stream, streams)
        // A scaled level may have values other than 0 and 1.
        let isLevel = channel.format == StreamDescription.Channel.level && value.isPlain
        let id = Self.identifier(number)
        header += "$var \(isLevel ? "wire 1" : "real 64") \(id) \(name) $end\n"
        channels.append(Channel(isLevel: isLevel, suffix: Array((isLevel ? "\(id)\n" : " \(id)\n").utf8), value: value))
        number += 1
      }
      header += "$upscope $end\n"
      // Each value has an "r". The end of the header and a time may come before the values.
      let longest = channels.reduce(128 + TextCursor.longestNumber) {
        $0 + $1.suffix.count + TextCursor.longestNumber + 1
      }
      encoded.append(Stream(channels: channels, longest: longest))
    }
    self.streams = encoded
    self.header = Array(header.utf8)
  }

  /// Names that every reader accepts, all different: ASCII, without indices, keywords and escapes of VCD.
  private static func names(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    return names.map { name in
      let scalars = name.unicodeScalars.map {
        ("!"..."~").contains($0) && !"$[\\]".unicodeScalars.contains($0) ? $0 : "_"
      }
      let plain = scalars.isEmpty ? "_" : String(String.UnicodeScalarView(scalars))
      var (distinct, number) = (plain, 2)
      while !taken.insert(distinct).inserted {
        distinct = "\(plain)_\(number)"
        number += 1
      }
      return distinct
    }
  }

  /// An identifier of printable characters, the shortest first: `!` to `~`, then `!!`, `"!` and so on.
  private static func identifier(_ number: Int) -> String {
    var (text, rest) = ("", number + 1)
    while rest > 0 {
      rest -= 1
      text.unicodeScalars.append(Unicode.Scalar(UInt8(33 + rest % 94)))
      rest /= 94
    }
    return text
  }

  /// Compares the newest part of a recording in parts.
  package func fault(inFileThatBegins beginning: [UInt8]) -> String? {
    beginning.starts(with: header) ? nil : "it has other variables"
  }

  /// Not called, because the format refuses streams that are added later.
  package func describe(_ streams: [StreamDescription]) {}

  package var streamCount: Int { streams.count }

  /// Writes the whole header even for a recording without readings.
  package func endRow(into rows: EncodedRows) {
    guard isHeaderOpen else { return }
    isHeaderOpen = false
    rows.text.append(atMost: Self.headerEnd.count) { $0.append(Self.headerEnd) }
  }

  private static let comment = Array("$comment time_ns ".utf8)
  private static let commentEnd = Array(" is #0 $end\n".utf8)
  private static let headerEnd = Array("$enddefinitions $end\n".utf8)
  private static let missing = Array("rnan".utf8)

  /// - Returns: Whether it could be written: times must not go back, and a level must be 0 or 1.
  package func encode(_ reading: UnsafePointer<Reading>, of stream: Int, into text: TextBuffer) -> Bool {
    let stream = streams[stream]
    let begin = first ?? reading.pointee.time
    let (time, overflow) = reading.pointee.time.subtractingReportingOverflow(begin)
    guard !overflow, time >= last else { return false }
    var isWhole = true
    text.append(atMost: stream.longest) { cursor in
      let start = cursor
      if isHeaderOpen { Self.endHeader(begin, &cursor) }
      if time > last {
        cursor.append(UInt8(ascii: "#"))
        cursor.append(time)
        cursor.append(UInt8(ascii: "\n"))
      }
      isWhole = Self.encode(reading, stream.channels, &cursor)
      if !isWhole { cursor = start }
    }
    guard isWhole else { return false }
    (first, last, isHeaderOpen) = (begin, time, false)
    return true
  }

  private static func endHeader(_ time: Int64, _ cursor: inout TextCursor) {
    cursor.append(comment)
    cursor.append(time)
    cursor.append(commentEnd)
    cursor.append(headerEnd)
  }

  private static func encode(
    _ reading: UnsafePointer<Reading>, _ channels: [Channel], _ cursor: inout TextCursor
  ) -> Bool {
    let count = reading.pointee.values.count
    for (index, channel) in channels.enumerated() {
      let value = index < count ? reading.pointee.values[index] : .missing
      if channel.isLevel {
        guard let level = level(value) else { return false }
        cursor.append(level)
      } else {
        let start = cursor
        cursor.append(UInt8(ascii: "r"))
        if !channel.value.append(value, to: &cursor) {
          cursor = start
          cursor.append(missing)
        }
      }
      cursor.append(channel.suffix)
    }
    return true
  }

  /// The character of a level; nil if the value is not a level.
  private static func level(_ value: ExactDecimal) -> UInt8? {
    if value.isMissing { return UInt8(ascii: "x") }
    switch value.whole(power: 0) {
    case 0: return UInt8(ascii: "0")
    case 1: return UInt8(ascii: "1")
    default: return nil
    }
  }
}
