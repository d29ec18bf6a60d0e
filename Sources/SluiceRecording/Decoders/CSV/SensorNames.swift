/// Columns that name the sensor of each row, as in `entity_id,state,last_changed`. All rows become one stream, so their
/// values are mixed.
enum SensorNames {
  private static let words: Set = [
    "id", "sensor", "device", "entity", "node", "model", "mac", "address", "topic", "station", "location", "room",
    "probe",
    "metric", "measurement", "channel", "name", "serial", "series", "field",
  ]

  /// Whether a column with this name, such as `entity_id` or `Sensor name`, may name the sensor.
  static func isOne(_ name: String) -> Bool {
    let parts = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    return parts.last.map { words.contains(String($0)) } ?? false
  }

  /// The message about two rows that name different sensors.
  /// - Parameter column: `column 1, "entity_id",` or `member "id"`.
  static func mixed(_ file: String, _ column: String, _ first: String, _ second: String) -> String {
    "\(file): \(column) has \(TimeColumn.shown(first)) and \(TimeColumn.shown(second)): "
      + "if it names sensors, their values are mixed in one stream; give a file of one sensor"
  }

  /// The message about the first rows of a CSV file; nil if they have one sensor.
  static func mixed(_ file: String, _ names: [String], _ sample: [[String]], besides times: Set<Int>) -> String? {
    // A column `stream` is that of a long recording with other columns.
    for column in names.indices where !times.contains(column) && (isOne(names[column]) || names[column] == "stream") {
      let cells = sample.cells(column)
      // A number with a point is a measurement, as in a column `Room` of temperatures.
      if cells.contains(where: { DecimalText($0)?.hasPoint ?? false }) { continue }
      // A name comes again. A different one in each row numbers the rows, as `id` does in a database.
      guard let first = cells.first, let second = cells.first(where: { $0 != first }), Set(cells).count < cells.count
      else { continue }
      return mixed(file, "column \(column + 1), \(TimeColumn.shown(names[column])),", first, second)
    }
    return nil
  }
}

/// A member of JSON objects that may name the sensor of each object.
struct SensorMember {
  let name: String
  /// The path as it is written in the text.
  let written: [UInt8]
  private var first: [UInt8] = []
  private var second: [UInt8] = []
  private var isSaid = false

  init(name: String, written: [UInt8]) { (self.name, self.written) = (name, written) }

  /// - Parameter value: The value of the next object, as it is written.
  /// - Returns: Two sensors, once, if one of them comes again.
  mutating func mixed(with value: UnsafeBufferPointer<UInt8>) -> (String, String)? {
    guard !isSaid else { return nil }
    if first.isEmpty {
      first = Array(value)
    } else if second.isEmpty {
      if !value.elementsEqual(first) { second = Array(value) }
    } else if value.elementsEqual(first) || value.elementsEqual(second) {
      isSaid = true
      return (Self.text(first), Self.text(second))
    }
    return nil
  }

  private static func text(_ value: [UInt8]) -> String {
    let isText = value.first == UInt8(ascii: "\"") && value.count > 1
    return String(decoding: isText ? value.dropFirst().dropLast() : value[...], as: UTF8.self)
  }
}
