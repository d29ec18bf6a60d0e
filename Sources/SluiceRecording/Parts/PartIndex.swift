import SluiceReadings

/// The index of a recording in parts: `walk.csv-parts.jsonl`. Without it, the numbering continues after the existing
/// parts.
package struct PartIndex: Codable, Equatable, Sendable {
  /// The end of its name, after the name of the recording.
  package static let suffix = "-parts.jsonl"

  /// The number of the newest part.
  package var last = 0
  /// The number of parts that `--keep` has removed.
  package var removedParts = 0
  package var removedBytes: Int64 = 0
  package var removedReadings = 0

  private enum CodingKeys: String, CodingKey {
    case last = "sluice:last"
    case removedParts = "sluice:removed_parts"
    case removedBytes = "sluice:removed_bytes"
    case removedReadings = "sluice:removed_readings"
  }

  package init() {}

  /// The size from which on the file is written anew.
  static let longest = 16 << 10

  /// - Parameter bytes: The bytes of the file. The last whole line counts.
  /// - Returns: Nil if a power cut has left no whole line.
  package init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).reversed()
    guard let index = lines.lazy.compactMap({ PartIndex(line: Array($0)) }).first else { return nil }
    self = index
  }

  private init?(line bytes: [UInt8]) {
    guard let index: PartIndex = try? JSON(parsing: bytes).decode(),
      index.last == 0 || PartName.numbers.contains(index.last)
    else { return nil }
    self = index
  }

  package var text: String {
    "{\"sluice:last\": \(last), \"sluice:removed_parts\": \(removedParts), \"sluice:removed_bytes\": \(removedBytes), "
      + "\"sluice:removed_readings\": \(removedReadings)}\n"
  }

  mutating func count(_ bytes: Int64, _ readings: Int?) {
    func sum<Number: FixedWidthInteger>(_ a: Number, _ b: Number) -> Number {
      let (sum, isOverflow) = a.addingReportingOverflow(b)
      return isOverflow ? .max : sum
    }
    removedParts = sum(removedParts, 1)
    removedBytes = sum(removedBytes, bytes)
    removedReadings = sum(removedReadings, readings ?? 0)
  }
}
