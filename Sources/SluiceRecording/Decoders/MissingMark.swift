import SluiceReadings

/// What other programs write where there is no value: pandas, R, databases and loggers.
enum MissingMark {
  /// In small letters. A recording has only the first, for a reading without any value.
  private static let all = ["nan", "na", "n/a", "null", "none", "-"]

  /// Whether a cell has nothing but such a mark, in letters of any case.
  static func isOne(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
    (1...4).contains(cell.count) && all.contains(String(decoding: cell, as: UTF8.self).lowercased())
  }

  static func isOne(_ cell: String) -> Bool { Array(cell.utf8).withUnsafeBufferPointer { isOne($0) } }
}
