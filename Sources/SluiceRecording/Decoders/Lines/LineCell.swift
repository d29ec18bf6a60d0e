import SluiceReadings

/// The value of a cell: a number, or a mark such as `nan` for none.
enum LineNumber {
  /// - Parameter isRounded: Set if the number has more digits than 64 bits have.
  /// - Returns: Nil for text that is not a number. An empty cell is a missing value.
  static func value(_ text: UnsafeBufferPointer<UInt8>, isRounded: inout Bool) -> ExactDecimal? {
    if text.isEmpty { return .missing }
    if let exact = ExactDecimal(utf8: text) { return exact }
    if MissingMark.isOne(text) { return .missing }
    guard let number = NearestDecimal(utf8: text), let value = number.value else { return nil }
    isRounded = isRounded || number.isRounded
    return value
  }

  /// Whether a cell is a number, so that a channel is made of it.
  static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    !text.isEmpty && (ExactDecimal(utf8: text) != nil || NearestDecimal(utf8: text)?.value != nil)
  }
}

/// The time that a line has itself.
struct LineTime {
  private let parser: TimeParser

  /// - Parameters:
  ///   - name: The name of the cell, which may have the unit: `time_ms`.
  ///   - sample: The first times, for the unit if the name has none.
  init(_ name: String, unit: TraceFormat.Unit?, sample: [String], of source: String) throws(SluiceError) {
    var unit = unit
    if unit == nil {
      do throws(SluiceError) {
        let format = TraceFormat(timeColumn: "1")
        unit = try TimeColumn([name], format, sample: sample.map { [$0] }, of: source, .member).unit
      } catch {
        throw SluiceError(
          .malformed, "read the lines of", source,
          because:
            "the unit of the time \"\(name)\" is not known\(sample.first.map { "; the first one is \"\($0)\"" } ?? "")",
          remedy: "say it: time=\(name):s, :ms, :us, :ns or :iso")
      }
    }
    parser = TimeParser(unit ?? .nanoseconds, of: source)
  }

  func time(_ text: UnsafeBufferPointer<UInt8>) -> Int64? { try? parser.time(ExactDecimal.trim(text)) }

  var times: TimeParser { parser }
}
