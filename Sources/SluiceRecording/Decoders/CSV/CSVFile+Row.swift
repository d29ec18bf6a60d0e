import SluiceReadings

extension CSVFile {
  /// One row. It is valid until the next row is read.
  struct Row {
    let bytes: UnsafeBufferPointer<UInt8>
    let ends: UnsafeBufferPointer<Int>  // the end of each cell, without its delimiter
    let dialect: CSVDialect

    var count: Int { ends.count }

    /// Whether there is a carriage return outside of quotes. Lines that end only with carriage returns make one row.
    var hasStrayReturn: Bool {
      var quoted = false
      for byte in bytes {
        if byte == UInt8(ascii: "\"") { quoted.toggle() }
        if byte == UInt8(ascii: "\r"), !quoted { return true }
      }
      return false
    }

    /// The bytes of neighbouring cells in the file.
    func bytes(_ cells: ClosedRange<Int>) -> UnsafeBufferPointer<UInt8> {
      guard cells.upperBound < count else { return UnsafeBufferPointer(start: nil, count: 0) }
      let start = cells.lowerBound == 0 ? 0 : ends[cells.lowerBound - 1] + 1
      return UnsafeBufferPointer(rebasing: bytes[start..<ends[cells.upperBound]])
    }

    /// The text of a cell without its quotes.
    func text(_ index: Int) -> String {
      guard index < count else { return "" }
      let cell = bytes(index...index)
      guard cell.first == UInt8(ascii: "\"") else { return String(decoding: cell, as: UTF8.self) }
      return String(decoding: Self.unquoted(cell), as: UTF8.self)
    }

    /// Calls a closure with the text of a cell, without quotes and surrounding white space.
    func withTrimmedText<T>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
      let cell = bytes(index...index)
      guard cell.first == UInt8(ascii: "\"") else { return body(ExactDecimal.trim(cell)) }
      return Self.unquoted(cell).withUnsafeBufferPointer { body(ExactDecimal.trim($0)) }
    }

    static func unquoted(_ cell: UnsafeBufferPointer<UInt8>) -> [UInt8] {
      var text: [UInt8] = []
      var quotes = 0
      for byte in cell {
        if byte == UInt8(ascii: "\"") {
          quotes += 1
          // The opening quote is dropped, and the first of two quotes.
          if quotes == 1 || quotes % 2 == 0 { continue }
        }
        text.append(byte)
      }
      return text
    }

    /// Whether a cell has only spaces.
    func isBlank(_ index: Int) -> Bool {
      let cell = bytes(index...index)
      return cell.isEmpty || text(index).allSatisfy { $0 == " " || $0 == "\t" }
    }

    /// The number in a cell: ``ExactDecimal/missing`` for an empty cell and for `nan`, nil for text that is not a
    /// number.
    func number(_ index: Int) -> NearestDecimal? {
      guard index < count else { return nil }
      let cell = bytes(index...index)
      if let number = NearestDecimal(utf8: cell) { return number }
      if cell.isEmpty { return .missing }
      return withTrimmedText(index) { text in
        if text.isEmpty || String(decoding: text, as: UTF8.self).lowercased() == "nan" { return .missing }
        if let number = NearestDecimal(utf8: text) { return number }
        guard dialect.hasDecimalComma, text.contains(UInt8(ascii: ",")), !text.contains(UInt8(ascii: ".")) else {
          return nil
        }
        let pointed = text.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
        return pointed.withUnsafeBufferPointer { NearestDecimal(utf8: $0) }
      }
    }
  }
}
