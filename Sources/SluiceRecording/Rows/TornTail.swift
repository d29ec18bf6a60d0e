package import SluiceReadings

/// The damaged end of a file, after a killed run or a power cut.
///
/// A killed run leaves a torn row. A power cut may also leave blocks of NUL bytes, with good rows after them.
/// Everything from the first damage on is cut off, so that the file is a prefix of what was written.
public struct TornTail: Hashable, Sendable {
  /// The end of the last whole row.
  package var end: Int64
  /// The size of the file.
  package var size: Int64
  /// The number of whole rows after the damage.
  package var wholeRows = 0
  package var tornRows = 0
  /// The number of whole rows in a torn reading of the long layout.
  package var rowsOfTornReading = 0
  package var nuls: Int64 = 0
  /// Whether the run that wrote it is known to be unfinished.
  package var isUnfinished = false
  /// What its format writes as a whole: `row`, or `chunk`.
  package private(set) var unit = "row"

  package init(
    end: Int64, size: Int64, wholeRows: Int = 0, tornRows: Int = 0, rowsOfTornReading: Int = 0, nuls: Int64 = 0,
    isUnfinished: Bool = false
  ) {
    (self.end, self.size, self.wholeRows, self.tornRows) = (end, size, wholeRows, tornRows)
    (self.rowsOfTornReading, self.nuls, self.isUnfinished) = (rowsOfTornReading, nuls, isUnfinished)
  }

  /// The end of a file whose chunks end at this byte.
  package init(chunksEndAt end: Int64, size: Int64, isUnfinished: Bool) {
    self.init(end: end, size: size, tornRows: 1, isUnfinished: isUnfinished)
    unit = "chunk"
  }

  package var byteCount: Int64 { size - end }
  package var isEmpty: Bool { end == size }

  /// The contents in words: `1 torn row and 4,096 NUL bytes`
  package var contents: String {
    func text(_ count: Int, _ one: String, _ several: String) -> String? {
      count == 0 ? nil : count == 1 ? "1 \(one)" : "\(grouped(count)) \(several)"
    }
    let parts = [
      text(rowsOfTornReading, "row of a reading that is not whole", "rows of a reading that is not whole"),
      text(tornRows, "torn \(unit)", "torn \(unit)s"), text(Int(nuls), "NUL byte", "NUL bytes"),
      text(wholeRows, "whole row after the damage", "whole rows after the damage"),
    ].compactMap { $0 }
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "empty lines" }
    return parts.dropLast().joined(separator: ", ") + " and " + last
  }

  /// `4,133 bytes after the last whole row, 1 torn row and 4,096 NUL bytes, because the last run did not end`
  package var sentence: String {
    let bytes = byteCount == 1 ? "1 byte" : "\(grouped(Int(byteCount))) bytes"
    let cause = isUnfinished ? ", because the last run did not end" : ""
    return "\(bytes) after the last whole \(unit), \(contents)\(cause)"
  }
}

/// The metadata of the run that wrote the end of a file.
package struct LastRun: Equatable, Sendable {
  package var isUnfinished: Bool
  /// The length of the file at the start of the run. Earlier bytes were on the disk.
  package var beganAtByte: Int64?
  /// By stream, its channels in the order in which they are written, with the names that their cells have.
  package var channels: [ExactName: [String]]
}

/// How the end of a row is found.
package enum RowShape: Equatable, Sendable {
  /// Each line feed ends a row.
  case lines
  /// Each line feed outside of quotes ends a row. In the long layout, several rows are one reading.
  case csv(header: Int, isLong: Bool)

  /// - Parameter header: The first bytes of the file; empty for JSON Lines.
  package init(header: [UInt8]) {
    let titles = header.dropLast().split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    // In a value change dump, a quote is the identifier of a variable.
    guard let first = titles.first, RowTime(column: first) != nil else {
      self = .lines
      return
    }
    self = .csv(header: header.count, isLong: CSVLayout.isLong(titles.map { String(decoding: $0, as: UTF8.self) }))
  }

  var hasQuotes: Bool { self != .lines }
}
