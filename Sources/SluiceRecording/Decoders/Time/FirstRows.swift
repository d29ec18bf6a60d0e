/// The first rows of a table.
extension [[String]] {
  /// The cells of a column, without empty ones.
  func cells(_ column: Int) -> [String] {
    compactMap { $0.indices.contains(column) && !$0[column].isEmpty ? $0[column] : nil }
  }

  /// The first cell of a column with text.
  func first(_ column: Int) -> String? {
    lazy.compactMap { $0.indices.contains(column) ? $0[column] : nil }.first { !$0.isEmpty }
  }
}
