/// The title of a column. It may end with the unit: `Accelerometer X (g)`, `Temp [degC]`.
package enum ColumnTitle {
  /// The text in parentheses or brackets at the end. The number in `x[1]` is not a unit.
  package static func unit(_ title: String) -> String? {
    guard let open = opening(title) else { return nil }
    let unit = String(title[title.index(after: open)...].dropLast())
    return title[open] == "[" && unit.allSatisfy(\.isNumber) ? nil : unit
  }

  /// The title without white space at its ends, and with single spaces within.
  package static func trimmed(_ title: String) -> String {
    title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  package static func withoutUnit(_ title: String) -> String {
    unit(title) == nil ? title : opening(title).map { String(title[..<$0]) } ?? title
  }

  /// Titles that differ: `fan (rpm)` and `fan_2 (rpm)`.
  package static func distinct(_ titles: [String]) -> [String] {
    let all = Set(titles)
    guard all.count < titles.count else { return titles }
    var used: Set<String> = []
    return titles.map { title in
      var (distinct, number) = (title, 1)
      let name = trimmed(withoutUnit(title))
      while used.contains(distinct) || number > 1 && all.contains(distinct) {
        number += 1
        distinct = name + "_\(number)" + (name == title ? "" : " " + title.dropFirst(withoutUnit(title).count))
      }
      used.insert(distinct)
      return distinct
    }
  }

  private static func opening(_ title: String) -> String.Index? {
    if title.hasSuffix(")") { return title.lastIndex(of: "(") }
    if title.hasSuffix("]") { return title.lastIndex(of: "[") }
    return nil
  }
}
