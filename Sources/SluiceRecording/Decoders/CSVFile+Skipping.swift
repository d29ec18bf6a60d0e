import SluiceReadings

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

extension CSVFile {
  /// From here on rows that cannot be read are counted, and what the user should know is said.
  func begin(_ options: OpenTrace.Options) {
    skipped = SkippedOfFile(options.skipped)
    warn = options.warn
  }

  /// Goes on behind a row that cannot be read, if such rows are left out. Of a row of several lines only the first is: the
  /// quote that joins them may be what is wrong.
  /// - Parameter error: What is wrong; thrown again if it is not about a row.
  func leaveOut(_ error: SluiceError) throws(SluiceError) {
    guard skipsBad, error.code == .malformed else { throw error }
    skipped.add(error)
    more = 0
    if isTooLong {
      isTooLong = false
      return try skipLine()
    }
    if let feed = feed(from: row), feed + 1 < start { start = feed + 1 }
  }

  /// Goes behind the next line feed, however far it is.
  private func skipLine() throws(SluiceError) {
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

  /// Says, once, which rows were left out.
  func saySkipped() {
    if let sentence = skipped.said(of: name) { warn(sentence) }
  }
}
