import SluiceReadings

/// The header of a CSV file, to recognize it among the rows. Files that were joined by `cat` have it several times, and
/// so have those of a logger that writes it at each start.
struct RepeatedHeader {
  let names: [String]
  /// The name of the time column, which no row has as its time.
  let time: (index: Int, name: String)
  /// Whether a message said that the header comes again.
  var isSaid = false

  init(_ header: TraceHeader) {
    names = header.written
    time = (header.time.index, header.names[header.time.index])
  }
}

extension CSVFile {
  /// Whether a row is the header again. The first one is reported.
  /// - Throws: If it is a header with other columns. The rows after it would be taken for those of the first header, so
  ///   that `--skip-bad` does not help.
  func isHeader(_ row: CSVRow) throws(SluiceError) -> Bool {
    guard let header, header.time.index < row.count, isName(header.time.name, row, header.time.index) else {
      return false
    }
    let isSame =
      row.count == header.names.count && header.names.indices.allSatisfy { isName(header.names[$0], row, $0) }
    guard isSame else {
      let pieces = name == "standard input" ? "" : ": head -n \(line - 1) \(quotedForShell(name)) > first.csv"
      throw SluiceError(
        .unsupported, "read", name, because: "line \(line): a second header begins there, with other columns",
        remedy: "cut the file before that line, and read both pieces\(pieces)")
    }
    if !header.isSaid { warn("\(name): line \(line) has the header again, and is left out; so are further ones") }
    self.header?.isSaid = true
    return true
  }

  private func isName(_ name: String, _ row: CSVRow, _ index: Int) -> Bool {
    var cell = row.bytes(index...index)
    // A file that was appended to another one may begin with a byte order mark.
    if index == 0, cell.starts(with: [0xef, 0xbb, 0xbf]) { cell = UnsafeBufferPointer(rebasing: cell[3...]) }
    cell = ExactDecimal.trim(cell)
    let name = name.utf8.drop { $0 == 0x20 || $0 == 0x09 }
    if cell.elementsEqual(name) { return true }
    return cell.first == UInt8(ascii: "\"") && CSVCells.unquoted(cell).elementsEqual(name)
  }
}
