import SluiceReadings

/// Finds columns of hexadecimal numbers, such as the identifiers and bytes of a CAN logger, and of binary ones. As decimal
/// numbers, `000001E5` would be 100,000, and `10` would be ten.
enum HexadecimalColumns {
  /// - Parameter times: Columns of the time.
  static func find(_ sample: [[String]], _ names: [String], besides times: Set<Int>) -> [Int] {
    let columns = names.indices.filter { column in
      let cells = sample.cells(column)
      let isNamed = Self.isIdentifier(names[column])
      return !times.contains(column) && cells.count > 1
        && cells.allSatisfy { isPossible($0, cells[0].utf8.count, isIdentifier: isNamed) }
    }
    let certain = columns.filter { column in
      let isNamed = Self.isIdentifier(names[column])
      return sample.cells(column).contains { isCertain($0, isIdentifier: isNamed) }
    }
    let binary = columns.filter { column in
      let cells = sample.cells(column)
      return cells[0].utf8.count > 3 && cells.contains { $0.hasPrefix("0") } && cells.contains { $0.contains("1") }
        && cells.allSatisfy { $0.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "1") } }
    }
    guard !certain.isEmpty else { return binary }
    // Beside them, bytes with decimal digits alone are hexadecimal, too.
    return columns.filter { column in
      let cells = sample.cells(column)
      return certain.contains(column) || binary.contains(column) || isByte(names[column]) && cells[0].utf8.count == 2
        || cells.contains { $0.utf8.count > 1 && $0.hasPrefix("0") }
    }
  }

  /// Numbers of one width, with digits alone or in one case. Eleven bits of an identifier have three digits.
  private static func isPossible(_ cell: String, _ width: Int, isIdentifier: Bool) -> Bool {
    let hasLower = cell.contains { ("a"..."f").contains($0) }
    let hasUpper = cell.contains { ("A"..."F").contains($0) }
    return cell.utf8.count == width && width > 1 && (width.isMultiple(of: 2) || isIdentifier && width == 3)
      && !(hasLower && hasUpper)
      && cell.utf8.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 6 }
  }

  /// Whether a number can only be hexadecimal. Letters alone, such as `AC` and `DC`, are a text, and `01E2` has an
  /// exponent, except among identifiers.
  private static func isCertain(_ cell: String, isIdentifier: Bool) -> Bool {
    guard cell.contains(where: \.isLetter), cell.contains(where: \.isNumber) else { return false }
    return DecimalText(cell) == nil || isIdentifier || cell.utf8.count == 8 && cell.hasPrefix("0")
  }

  /// Whether a column is called `id`, `can id` or `CAN_ID`.
  private static func isIdentifier(_ name: String) -> Bool {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    return words.last.map { ["id", "canid", "identifier"].contains($0) } ?? false
  }

  /// Whether a column is called `D1`, `data0` or `byte 3`.
  private static func isByte(_ name: String) -> Bool {
    let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
    let word = plain.prefix { !$0.isNumber }
    let number = plain.dropFirst(word.count)
    return ["d", "db", "data", "byte", "databyte"].contains(String(word)) && (1...2).contains(number.count)
      && number.allSatisfy(\.isNumber)
  }
}
