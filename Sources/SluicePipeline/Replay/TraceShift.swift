/// What is added to the times of a trace: `b.csv+1.25s`, `b.csv-50ms`.
package struct TraceShift: Hashable, Sendable, CustomStringConvertible {
  package let trace: String
  package let nanoseconds: Int64

  /// Nil if it is not a path, a sign and a time.
  package init?(_ text: String) {
    guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }), sign != text.startIndex,
      let span = TimeSpan(String(text[text.index(after: sign)...]))
    else { return nil }
    trace = String(text[..<sign])
    nanoseconds = text[sign] == "-" ? -span.nanoseconds : span.nanoseconds
  }

  package var description: String {
    "\(trace)\(nanoseconds < 0 ? "-" : "+")\(TimeSpan(nanoseconds: abs(nanoseconds)))"
  }
}
