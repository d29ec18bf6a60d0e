/// One number of a measurement.
struct Figure: Hashable {
  /// In JSON.
  let key: String
  /// In a table.
  let label: String
  /// Nil where it could not be found out.
  let value: Double?
  let decimals: Int

  init(_ key: String, _ label: String, _ value: Double?, decimals: Int = 1) {
    (self.key, self.label, self.value, self.decimals) = (key, label, value, decimals)
  }

  init(_ key: String, _ label: String, _ value: Int?) {
    self.init(key, label, value.map { Double($0) }, decimals: 0)
  }

  fileprivate var text: String { value.map { grouped($0, decimals) } ?? "-" }
  fileprivate var json: String {
    "\(quoted(key)): \(value.map { $0.isFinite ? fixed($0, decimals) : "null" } ?? "null")"
  }
}

/// What was measured of one thing.
struct Measurement: Hashable {
  var name: String
  var figures: [Figure]
  /// Nil where losing is not possible.
  var losses: [Loss]?

  fileprivate var json: String {
    var members = ["\"name\": \(quoted(name))"] + figures.map(\.json)
    if let losses { members.append("\"lost\": [\(losses.map(\.json).joined(separator: ", "))]") }
    return "{\(members.joined(separator: ", "))}"
  }
}

/// The measurements of one part of `sluice bench`, as a table or as JSON.
struct BenchSection: Hashable {
  enum Layout { case rows, columns }

  /// In JSON.
  var key: String
  var title: String
  /// With ``Layout/rows`` a measurement is a row, and all have the same figures; with ``Layout/columns`` each is a list.
  var layout = Layout.rows
  var measurements: [Measurement]
  /// What the numbers alone do not say.
  var notes: [String] = []

  var text: String {
    let lines =
      layout == .rows
      ? Self.table(
        [[title] + (measurements.first?.figures.map(\.label) ?? [])]
          + measurements.map { row in
            ["  \(row.name)"] + row.figures.map(\.text)
          })
      : measurements.flatMap { measurement in
        ["\(title) \(measurement.name)"]
          + Self.table(
            measurement.figures.map { ["  \($0.label)", $0.text] }
              + (measurement.losses ?? []).map { ["  \($0.label)", grouped($0.count)] })
      }
    return (lines + notes.map { "  \($0)" }).joined(separator: "\n") + "\n"
  }

  var json: String { "\(quoted(key)): [\(measurements.map(\.json).joined(separator: ", "))]" }

  /// Cells in columns as wide as their widest, the first to the left and numbers to the right.
  private static func table(_ rows: [[String]]) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    return rows.map { row in
      row.enumerated().map { column, cell in
        padded(cell, widths[column], column == 0 ? .left : .right)
      }.joined(separator: "  ")
    }
  }
}
