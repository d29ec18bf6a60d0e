import SluiceReadings

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is known of a recording beyond its parts: `walk.csv-parts.json`. Without it, the numbers of the parts go on from
/// those that are there.
package struct PartIndex: Codable, Hashable, Sendable {
  /// The end of its name, after the name of the recording.
  package static let suffix = "-parts.json"

  /// The number of the newest part.
  package var last = 0
  /// What `--keep` has removed.
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

  /// - Returns: Nil for what a power cut has left of it.
  package init?(_ bytes: [UInt8]) {
    guard JSONStrings.areValid(bytes), let index = try? JSONDecoder().decode(PartIndex.self, from: Data(bytes)),
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
