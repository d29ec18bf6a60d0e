import SluiceReadings

/// What a user means by the name or the number of a column: `temp`, `2`, `name:2` or `number:2`.
enum NamedColumn: Equatable {
  case one(Int)
  case none
  /// Several columns have this name.
  case several([Int])
  /// One column has the number as its name, another one is at its place.
  case nameOrNumber(name: Int, number: Int)

  /// The marks of a name and of a number, for headers in which a column is called `1`.
  private static let name = "name:", number = "number:"

  init(_ text: String, in names: [String]) {
    func named(_ text: String) -> [Int] {
      let same = names.indices.filter { names[$0] == text }
      return same.isEmpty ? names.indices.filter { ColumnTitle.trimmed(names[$0]) == ColumnTitle.trimmed(text) } : same
    }
    var found = named(text)
    if found.isEmpty, text.hasPrefix(Self.name) { found = named(String(text.dropFirst(Self.name.count))) }
    let place = Self.place(text).flatMap { names.indices.contains($0) ? $0 : nil }
    switch (found.count, place) {
    case (0, nil): self = .none
    case (0, let place?): self = .one(place)
    case (1, let place?) where place != found[0]: self = .nameOrNumber(name: found[0], number: place)
    case (1, _): self = .one(found[0])
    default: self = .several(found)
    }
  }

  /// The index of a column that is given by its number from 1.
  static func place(_ text: String) -> Int? {
    Int(text.hasPrefix(number) ? String(text.dropFirst(number.count)) : text).flatMap { $0 > 0 ? $0 - 1 : nil }
  }

  /// The cause and the remedy if a text may be the name of one column and the number of another.
  /// - Parameters:
  ///   - option: The option with the text, such as `--time-column`.
  ///   - part: The word for a column.
  static func nameOrNumber(
    _ text: String, _ number: Int, in names: [String], option: String, _ part: TimeColumn.Part
  ) -> (cause: String, remedy: String) {
    let shown = TimeColumn.shown(text)
    return (
      "\(shown) may be the \(part.rawValue) with this name, or \(part.rawValue) number \(number + 1), which is "
        + "called \(TimeColumn.shown(names[number]))",
      "give \(option) \(Self.name)\(text) for the name, or \(option) \(Self.number)\(text) for the number"
    )
  }
}
