import SluicePipeline
import SluiceReadings

/// One number of a measurement.
struct Figure: Equatable {
  /// The name in JSON.
  let key: String
  /// The name in a table.
  let label: String
  /// Nil if it is unknown.
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

/// The figures of one thing that was measured.
struct Measurement: Equatable {
  var name: String
  var figures: [Figure]
  /// Nil if no loss is possible.
  var losses: [Loss]?

  fileprivate var json: String {
    var members = ["\"name\": \(quoted(name))"] + figures.map(\.json)
    if let losses { members.append("\"lost\": [\(losses.map(\.json.text).joined(separator: ", "))]") }
    return "{\(members.joined(separator: ", "))}"
  }
}

/// The measurements of one part of `sluice bench`, as a table or as JSON.
struct BenchSection: Equatable {
  enum Layout { case rows, columns }

  /// The name in JSON.
  var key: String
  var title: String
  /// ``Layout/rows``: each measurement is a row, and all have the same figures. ``Layout/columns``: each is a list.
  var layout = Layout.rows
  var measurements: [Measurement]
  /// Remarks for a reader of the numbers.
  var notes: [String] = []

  var text: String {
    let lines =
      layout == .rows
      ? table(
        [[title] + (measurements.first?.figures.map(\.label) ?? [])]
          + measurements.map { row in
            ["  \(row.name)"] + row.figures.map(\.text)
          }, numbers: { $0 > 0 })
      : measurements.flatMap { measurement in
        ["\(title) \(measurement.name)"]
          + table(
            measurement.figures.map { ["  \($0.label)", $0.text] }
              + (measurement.losses ?? []).map { ["  \($0.reason)", grouped($0.count)] }, numbers: { $0 > 0 })
      }
    return (lines + notes.map { "  \($0)" }).asLines
  }

  /// Adds this to the section of the same key, or, if there is none, to the end.
  func join(_ sections: inout [BenchSection]) {
    guard let index = sections.firstIndex(where: { $0.key == key }) else { return sections.append(self) }
    sections[index].measurements += measurements
    sections[index].notes += notes.filter { !sections[index].notes.contains($0) }
  }

  var json: String { "\(quoted(key)): [\(measurements.map(\.json).joined(separator: ", "))]" }
}
