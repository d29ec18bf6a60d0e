import SluiceReadings

/// Limits the texts that are kept in memory. Rows of a damaged file can share their pages, so that together they can be much
/// longer than the file.
struct KeptText {
  /// The most bytes. A document of metadata may have 64 MiB, and a database has one for each run.
  static let limit = 256 << 20

  private let limit: Int
  private var bytes = 0

  init(_ limit: Int = KeptText.limit) { self.limit = limit }

  /// Counts the texts in these columns of a row, before they are copied.
  /// - Parameter what: What they are, for an error.
  mutating func add(_ row: SQLiteStatement, _ columns: Range<Int>, _ what: String) throws(SluiceError) {
    for column in columns where [.text, .blob].contains(row.kind(column)) { bytes += row.byteCount(column) }
    guard bytes <= limit else {
      throw SluiceError(
        .unsupported, row.database.action, row.database.path,
        because: "it has more than \(limit >> 20) MiB of \(what), which is the limit")
    }
  }
}
