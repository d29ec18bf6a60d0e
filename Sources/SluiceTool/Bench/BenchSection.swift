import SluicePipeline
import SluiceReadings

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
    if let losses { members.append("\"lost\": [\(losses.map(\.json.text).joined(separator: ", "))]") }
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
      ? table(
        [[title] + (measurements.first?.figures.map(\.label) ?? [])]
          + measurements.map { row in
            ["  \(row.name)"] + row.figures.map(\.text)
          }, numbers: { $0 > 0 })
      : measurements.flatMap { measurement in
        ["\(title) \(measurement.name)"]
          + table(
            measurement.figures.map { ["  \($0.label)", $0.text] }
              + (measurement.losses ?? []).map { ["  \($0.label)", grouped($0.count)] }, numbers: { $0 > 0 })
      }
    return (lines + notes.map { "  \($0)" }).joined(separator: "\n") + "\n"
  }

  /// Adds this to the section of the same key, or to the end.
  func join(_ sections: inout [BenchSection]) {
    guard let index = sections.firstIndex(where: { $0.key == key }) else { return sections.append(self) }
    sections[index].measurements += measurements
    sections[index].notes += notes.filter { !sections[index].notes.contains($0) }
  }

  var json: String { "\(quoted(key)): [\(measurements.map(\.json).joined(separator: ", "))]" }
}
