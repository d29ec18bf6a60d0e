import SluiceReadings

/// The texts of other programs for a missing value: pandas, R, databases, loggers, Home Assistant, and the errors of
/// spreadsheets.
enum MissingMark {
  /// The texts in lower case. A recording has only the first one, for a reading without any value.
  private static let all = [
    "nan", "na", "n/a", "null", "none", "-", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity",
    "unavailable", "unknown", "#n/a", "#div/0!", "#value!", "#ref!", "#num!", "#name?", "#null!", "\u{221e}",
    "+\u{221e}", "-\u{221e}",
  ]

  /// Whether a cell has only such a text, in upper or lower case.
  static func isOne(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
    (1...11).contains(cell.count) && all.contains(String(decoding: cell, as: UTF8.self).lowercased())
  }

  static func isOne(_ cell: String) -> Bool { Array(cell.utf8).withUnsafeBufferPointer { isOne($0) } }
}
