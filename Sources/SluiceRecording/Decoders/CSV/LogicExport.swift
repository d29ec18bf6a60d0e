import SluiceReadings

/// Recognizes a CSV export of Saleae Logic 2: `Time [s],Channel 0,Channel 1`.
enum LogicExport {
  /// The time column has this title even if the times are dates.
  static func isOne(_ names: [String]) -> Bool { names.first == "Time [s]" || names.first == "Time[s]" }

  /// Whether the columns are levels of lines: every cell is 0, 1, or `X` for an unknown level.
  /// - Parameter sample: The first rows.
  static func hasLevels(_ names: [String], sample: [[String]]) -> Bool {
    isOne(names) && names.count > 1 && !sample.isEmpty && Set(names).count == names.count
      && sample.allSatisfy { row in
        row.count == names.count && row.dropFirst().allSatisfy { ["0", "1", "X", "x"].contains($0) }
      }
  }

  /// An analog export has volts. Only channels with the names of Logic 2 get this unit, because other programs write
  /// `Time [s]` too.
  static func unit(_ name: String, in names: [String]) -> String? {
    guard isOne(names) || names.prefix(2) == ["Trigger [s]", "Time [s]"] else { return nil }
    for prefix in ["Channel ", "Ch"] where name.hasPrefix(prefix) {
      let number = name.dropFirst(prefix.count)
      if !number.isEmpty, number.allSatisfy(\.isNumber) { return "V" }
    }
    return nil
  }
}
