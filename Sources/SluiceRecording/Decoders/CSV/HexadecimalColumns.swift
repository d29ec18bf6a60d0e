import SluiceReadings

/// Finds columns of hexadecimal numbers, such as the identifiers and bytes of a CAN logger. As decimal numbers, `000001E5` would be
/// 100,000, and `10` would be ten.
enum HexadecimalColumns {
  /// - Parameter times: Columns of the time.
  static func find(_ sample: [[String]], _ count: Int, besides times: Set<Int>) -> [Int] {
    func cells(_ column: Int) -> [String] {
      sample.compactMap { $0.indices.contains(column) && !$0[column].isEmpty ? $0[column] : nil }
    }
    let columns = (0..<count).filter { column in
      let cells = cells(column)
      return !times.contains(column) && cells.count > 1 && cells.allSatisfy { isPossible($0, cells[0].utf8.count) }
    }
    let certain = columns.filter { column in
      let cells = cells(column)
      let hasLeadingZero = cells.contains { $0.hasPrefix("0") }
      return cells.contains { cell in
        cell.contains(where: \.isLetter) && (hasLeadingZero || DecimalText(cell) == nil)
      }
    }
    guard !certain.isEmpty else { return [] }
    // Beside them, bytes with decimal digits alone are hexadecimal, too.
    return columns.filter { certain.contains($0) || cells($0).contains { $0.utf8.count > 1 && $0.hasPrefix("0") } }
  }

  /// Numbers of one width, with digits alone or in one case.
  private static func isPossible(_ cell: String, _ width: Int) -> Bool {
    let hasLower = cell.contains { ("a"..."f").contains($0) }
    let hasUpper = cell.contains { ("A"..."F").contains($0) }
    return cell.utf8.count == width && width > 1 && width.isMultiple(of: 2) && !(hasLower && hasUpper)
      && cell.utf8.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 6 }
  }
}
