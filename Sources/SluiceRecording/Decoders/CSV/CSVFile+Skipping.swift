import SluiceReadings
import SluiceSystem

extension CSVFile {
  /// Begins to count unreadable rows and to print messages.
  func begin(_ options: OpenTrace.Options) {
    skipped = SkippedOfFile(options.skipped)
    warn = options.warn
  }

  /// Continues after an unreadable row, if these rows are left out. If the row has several lines, only the first is
  /// left out, because the quote that joins them may be wrong.
  /// - Parameter error: The fault. It is thrown again if it is not about a row.
  func leaveOut(_ error: SluiceError) throws(SluiceError) {
    guard skipsBad, error.code == .malformed, error != sourceFault else { throw error }
    skipped.add(error)
    more = 0
    if isTooLong {
      isTooLong = false
      return try skipLine()
    }
    if let feed = feed(from: row), feed + 1 < start { start = feed + 1 }
  }

  /// Goes to the byte after the next line feed, at any distance.
  func skipLine() throws(SluiceError) {
    while true {
      if let feed = feed(from: start) {
        start = feed + 1
        return
      }
      start = end
      if atEnd { return }
      try fill()
    }
  }

  private func feed(from offset: Int) -> Int? {
    guard offset < end, let found = memchr(buffer + offset, 0x0a, end - offset) else { return nil }
    return UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(buffer)
  }

  /// Reports once the rows that were left out.
  func saySkipped() {
    if let sentence = skipped.said(of: name) { warn(sentence) }
  }
}
