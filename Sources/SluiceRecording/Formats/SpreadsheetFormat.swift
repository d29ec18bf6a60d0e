package import SluiceReadings

/// CSV for spreadsheets: a wide table with times that they know as dates, in English.
///
/// Times have milliseconds, which is what a spreadsheet keeps, and no zone: they are in UTC. Times that are not dates are
/// seconds. `sluice replay` reads the table as one of another program.
package struct EnglishSpreadsheetFormat: EncodedFormat {
  package static let name = "excel"
  package static let extensions = ["csv"]
  package static func mayHaveReading(_ file: [UInt8]) -> Bool { CSVFormat.mayHaveReading(file) }

  package init(_ options: FormatOptions) throws(SluiceError) { try SpreadsheetStyle.check(options) }

  package func encoder(_ streams: EncoderStreams) -> SpreadsheetEncoder { SpreadsheetEncoder(streams, .english) }
}

/// CSV for spreadsheets in German and other languages with a decimal comma: semicolons, `21.11.2026 14:55:07,123`.
package struct GermanSpreadsheetFormat: EncodedFormat {
  package static let name = "excel-de"
  package static let extensions = ["csv"]
  package static func mayHaveReading(_ file: [UInt8]) -> Bool { CSVFormat.mayHaveReading(file) }

  package init(_ options: FormatOptions) throws(SluiceError) { try SpreadsheetStyle.check(options) }

  package func encoder(_ streams: EncoderStreams) -> SpreadsheetEncoder { SpreadsheetEncoder(streams, .german) }
}

/// How a language writes numbers and dates.
package enum SpreadsheetStyle: Sendable {
  case english, german

  var delimiter: String { self == .english ? "," : ";" }

  func number(_ text: String) -> String { self == .english ? text : text.replacingPoint }

  /// `2026-11-21 14:55:07.123`, `21.11.2026 14:55:07,123`, or seconds if it is not a date.
  func time(_ time: Int64) -> String {
    guard TraceTimes.isDate(time) else {
      return number(WideDecimal(significand: Int128(time), exponent: -9).description)
    }
    let milliseconds = time.quotient(roundedDownBy: 1_000_000)
    let second = milliseconds.quotient(roundedDownBy: 1_000)
    let days = second.quotient(roundedDownBy: 86_400)
    let (rest, date) = (second - days * 86_400, CivilDate(daysSinceEpoch: days))
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let fraction = String(1_000 + milliseconds - second * 1_000).dropFirst()
    let clock = "\(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
    return self == .english
      ? "\(date.year)-\(two(date.month))-\(two(date.day)) \(clock).\(fraction)"
      : "\(two(date.day)).\(two(date.month)).\(date.year) \(clock),\(fraction)"
  }

  /// A title or a text within one cell.
  func cell(_ text: String) -> String {
    let special = text.contains { "\"\n\r".contains($0) } || text.contains(delimiter)
    return special
      ? "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\"" : text
  }

  static func check(_ options: FormatOptions) throws(SluiceError) {
    guard options.layout != .long, !options.isGrowing else {
      throw SluiceError(
        .unsupported, "write", options.path,
        because: options.isGrowing
          ? "the streams of a trace that comes from a pipe are not known before its end"
          : "a table for a spreadsheet is wide",
        remedy: options.isGrowing ? "give the trace as a file" : "leave out --layout long")
    }
  }
}

/// Encodes readings as rows of a table for spreadsheets.
package final class SpreadsheetEncoder: RowEncoder {
  package let base: Int
  private let style: SpreadsheetStyle
  private var streams: EncoderStreams
  /// The number of empty cells before and after those of each stream.
  private var places: [(before: Int, after: Int)] = []

  init(_ streams: EncoderStreams, _ style: SpreadsheetStyle) {
    (base, self.streams, self.style) = (streams.base, streams, style)
    place()
  }

  package var streamCount: Int { streams.streams.count }

  package var header: [UInt8] {
    let titles = streams.streams.flatMap { $0.columns(withUnits: true) }
    let header = Array((["time"] + titles).map(style.cell).joined(separator: style.delimiter).utf8)
    // Without this mark, Excel takes UTF-8 for the encoding of the system, and shows other letters in `°C`. Values are ASCII.
    let mark: [UInt8] = header.allSatisfy { $0 < 0x80 } ? [] : [0xef, 0xbb, 0xbf]
    return mark + header + [UInt8(ascii: "\n")]
  }

  package func describe(_ streams: [StreamDescription]) {
    self.streams.streams = streams
    place()
  }

  private func place() {
    let counts = streams.streams.map(\.channels.count)
    let all = counts.reduce(0, +)
    var before = 0
    places = counts.map { count in
      defer { before += count }
      return (before, all - before - count)
    }
  }

  package func encode(_ reading: UnsafePointer<Reading>, of stream: Int, into text: TextBuffer) -> Bool {
    let count = streams.streams[stream].channels.count
    let values = (0..<count).map { channel -> String in
      guard channel < reading.pointee.values.count else { return "" }
      return streams.text(of: reading.pointee.values[channel], channel: channel, stream: stream).map(style.number) ?? ""
    }
    let (before, after) = places[stream]
    let empty = Array(repeating: "", count: before), rest = Array(repeating: "", count: after)
    let cells = [style.time(reading.pointee.time)] + empty + values + rest
    text.append(cells.joined(separator: style.delimiter) + "\n")
    return true
  }
}

extension String {
  fileprivate var replacingPoint: String {
    split(separator: ".", omittingEmptySubsequences: false).joined(separator: ",")
  }
}
