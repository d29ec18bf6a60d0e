/// `50ms` for every line, or `LINE=50ms`.
package struct LineTime {
  package let line: String?
  package let time: TimeSpan

  package init?(_ text: String) {
    let sign = text.lastIndex(of: "=")
    guard sign != text.startIndex,
      let time = TimeSpan(period: String(sign.map { text[text.index(after: $0)...] } ?? text[...]))
    else { return nil }
    (line, self.time) = (sign.map { String(text[..<$0]) }, time)
  }
}
