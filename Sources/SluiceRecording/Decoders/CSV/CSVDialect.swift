import SluiceReadings

/// The delimiter of a CSV file and the decimal mark of its numbers.
struct CSVDialect: Equatable {
  /// A comma, a semicolon, or a tab.
  var delimiter = UInt8(ascii: ",")

  /// The decimal mark of numbers. Spreadsheets of many countries write a comma.
  private enum Mark {
    /// The first rows have none, or have both in different columns.
    case either
    case comma, point
  }

  private var mark = Mark.either
  var hasDecimalComma: Bool { mark == .comma }

  /// Looks for the decimal mark in the first rows. Between semicolons, a comma is the decimal mark. Between tabs,
  /// `1,234` may be one thousand and more, so one number has to show that its comma is the decimal mark.
  /// - Parameter isPipe: Whether the first rows are so few that a comma in each of them may separate thousands by chance.
  mutating func look(at sample: [[String]], isPipe: Bool = false) {
    guard delimiter != UInt8(ascii: ",") else { return mark = .point }
    // For each mark: the columns whose numbers have it, and those with a number in which it can only be the decimal
    // mark.
    var (commas, points, certainCommas, certainPoints): (Set<Int>, Set<Int>, Set<Int>, Set<Int>) = ([], [], [], [])
    // Columns of whole numbers without a mark, and those with three digits behind a mark of which the last is a zero.
    var (plain, padded): (Set<Int>, Set<Int>) = ([], [])
    for row in sample {
      for (column, cell) in row.enumerated() {
        guard DecimalText(cell) != nil else {
          switch Self.markBehindGroups(cell) {
          case .comma:
            commas.insert(column)
            certainCommas.insert(column)
          case .point:
            points.insert(column)
            certainPoints.insert(column)
          case .either: break
          }
          continue
        }
        let isCertain = !Self.mayBeGrouped(cell.utf8)
        if cell.utf8.count < 4, cell != "0", cell.utf8.allSatisfy({ $0 &- 0x30 < 10 }) { plain.insert(column) }
        if !isCertain, cell.hasSuffix("0") { padded.insert(column) }
        if cell.contains(".") {
          points.insert(column)
          if isCertain { certainPoints.insert(column) }
        } else if cell.contains(",") {
          commas.insert(column)
          if isCertain { certainCommas.insert(column) }
        }
      }
    }
    // With the same decimals for all numbers, `980` would be `980.000`; without zeros at the end, `1.250` would be `1.25`. So
    // the mark may separate thousands.
    let grouped = plain.intersection(padded)
    if certainPoints.isEmpty, certainCommas.isEmpty, !grouped.isEmpty {
      mark = grouped.isDisjoint(with: points) ? .point : .comma
    } else if points.isEmpty {
      mark = commas.isEmpty || (isPipe || delimiter != UInt8(ascii: ";")) && certainCommas.isEmpty ? .either : .comma
    } else if certainPoints.isEmpty, !certainCommas.isEmpty {
      mark = .comma
    } else {
      mark = certainCommas.isEmpty || !points.isDisjoint(with: commas) ? .point : .either
    }
  }

  /// The decimal mark of a number with both marks: `1.234,5` has a comma, and `1,234.5` a point.
  private static func markBehindGroups(_ cell: String) -> Mark {
    let (comma, point) = (UInt8(ascii: ","), UInt8(ascii: "."))
    return Array(cell.utf8).withUnsafeBufferPointer { text in
      guard let end = text.lastIndex(where: { $0 == comma || $0 == point }) else { return .either }
      let (groups, rest) = (text[..<end], text[(end + 1)...])
      let other = text[end] == comma ? point : comma
      guard groups.contains(other), areGroups(groups, other), !rest.isEmpty, rest.allSatisfy({ $0 &- 0x30 < 10 })
      else { return .either }
      return text[end] == comma ? .comma : .point
    }
  }

  /// Whether the mark in a number may separate thousands: `1,042`, and not `0,042` or `1,5`.
  static func mayBeGrouped(_ number: some Collection<UInt8>) -> Bool {
    guard let mark = number.firstIndex(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ".") }) else {
      return false
    }
    let (whole, rest) = (number[..<mark].drop { "+-".utf8.contains($0) }, number[number.index(after: mark)...])
    return (1...3).contains(whole.count) && whole.first != UInt8(ascii: "0")
      && rest.count == 3 && rest.allSatisfy { $0 &- 0x30 < 10 }
  }

  /// The signs that separate thousands, and have no other meaning: spaces that do not break, and apostrophes.
  private static let separators = ["\u{a0}", "\u{202f}", "\u{2009}", "'", "\u{2019}"].map { Array($0.utf8) }

  /// A number without the signs between its thousands: `12890,12` of `12'890,12`. Nil if it has none.
  static func withoutSeparators(_ number: some Collection<UInt8>) -> [UInt8]? {
    // The search below costs thousands of instructions per number.
    guard number.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "'") }) else { return nil }
    let text = Array(number)
    for separator in separators where text.firstRange(of: separator) != nil {
      let groups = text.split(separator: separator, omittingEmptySubsequences: false)
      let first = groups[0].drop { "+-".utf8.contains($0) }
      let last = groups[groups.count - 1].prefix { $0 &- 0x30 < 10 }
      let areWhole =
        (1...3).contains(first.count) && first.allSatisfy { $0 &- 0x30 < 10 } && last.count == 3
        && groups.dropFirst().dropLast().allSatisfy { $0.count == 3 && $0.allSatisfy { $0 &- 0x30 < 10 } }
      return areWhole ? Array(groups.joined()) : nil
    }
    return nil
  }

  /// The number in a text; nil if it is none, or if its mark may have two meanings.
  func number(_ text: UnsafeBufferPointer<UInt8>) -> NearestDecimal? {
    guard let plain = Self.withoutSeparators(text) else { return ungrouped(text) }
    return plain.withUnsafeBufferPointer { ungrouped($0) }
  }

  private func ungrouped(_ text: UnsafeBufferPointer<UInt8>) -> NearestDecimal? {
    let (comma, point) = (UInt8(ascii: ","), UInt8(ascii: "."))
    let (fraction, other) = hasDecimalComma ? (comma, point) : (point, comma)
    guard let place = text.firstIndex(of: other) else {
      guard hasDecimalComma, text.contains(comma) else { return NearestDecimal(utf8: text) }
      return text.map { $0 == comma ? point : $0 }.withUnsafeBufferPointer { NearestDecimal(utf8: $0) }
    }
    if let end = text.lastIndex(of: fraction) {
      // `1,033.3`: groups of three digits, and then the decimal mark.
      guard end > place, Self.areGroups(text[..<end], other) else { return nil }
    } else if mark != .either && delimiter != comma || Self.mayBeGrouped(text) {
      // The other mark alone is read if it can only be the decimal mark: in quotes between commas, or if no other
      // number says what the marks are.
      return nil
    }
    let isGrouped = text.contains(fraction)
    let plain = text.filter { !isGrouped || $0 != other }.map { $0 == comma ? point : $0 }
    return plain.withUnsafeBufferPointer { NearestDecimal(utf8: $0) }
  }

  private static func areGroups(_ text: Slice<UnsafeBufferPointer<UInt8>>, _ separator: UInt8) -> Bool {
    let groups = text.drop { "+-".utf8.contains($0) }.split(separator: separator, omittingEmptySubsequences: false)
    return groups.allSatisfy { $0.allSatisfy { $0 &- 0x30 < 10 } } && (1...3).contains(groups.first?.count ?? 0)
      && groups.dropFirst().allSatisfy { $0.count == 3 }
  }

  /// With a decimal comma, the bits that exchange a comma and a point: `,` is 0x2c and `.` is 0x2e. So one comparison
  /// finds the decimal mark of a number in every dialect.
  var pointBits: UInt8 { hasDecimalComma ? 0x02 : 0 }

  /// The same for times, in which both marks may be decimal marks, because times have no groups of thousands.
  var timeBits: UInt8 { hasDecimalComma || delimiter == UInt8(ascii: ";") ? 0x02 : 0 }

  /// The longest part of a header that is examined.
  private static let longestHeader = 64 << 10

  static let delimiters = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  /// Detects the delimiter of a header: the one that gives a time column, or else that of the rows, or else the most frequent
  /// one.
  /// - Parameter rows: The delimiter of the rows, if they show one.
  init(header: UnsafeBufferPointer<UInt8>, rows: UInt8? = nil) {
    let header = UnsafeBufferPointer(rebasing: header.prefix(Self.longestHeader))
    func rank(_ delimiter: UInt8) -> (Int, Int, Int) {
      let names = CSVCells.texts(header, delimiter)
      // The names in recordings are decisive.
      let isOurs = names.contains("time_ns") || names.first.map { RowTime(column: $0.utf8) != nil } ?? false
      let rank = isOurs ? 2 : names.contains { TimeNames.isUsual($0) } ? 1 : 0
      return (names.count > 1 || rank == 2 ? rank : 0, delimiter == rows ? 1 : 0, names.count)
    }
    // If two are equally good, the first one.
    if let best = Self.delimiters.max(by: { rank($0) < rank($1) }) { delimiter = best }
  }

  init(_ delimiter: UInt8 = UInt8(ascii: ",")) { self.delimiter = delimiter }
}
