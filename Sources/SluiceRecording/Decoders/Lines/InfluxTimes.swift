import SluiceReadings

/// The times of line protocol, which are nanoseconds unless the writer and the database agreed on another unit.
enum InfluxTimes {
  /// What a user can do about a unit, in the words of `--lines` and of sources.
  static let remedy = "say it: time=time:s, :ms, :us or :ns"

  /// - Parameter times: The first times.
  /// - Throws: If all of them are dates from 2000 to 2100 in another unit. Taken as nanoseconds, they would be of 1970, without
  ///   a word. Other numbers are those of a recording that counts from zero.
  static func unit(of times: [String], in name: String) throws(SluiceError) -> TraceFormat.Unit {
    let numbers = times.compactMap { Int64($0) }
    guard let first = numbers.first else { return .nanoseconds }
    for (unit, power) in [("seconds", 1), ("milliseconds", 1_000), ("microseconds", 1_000_000)] as [(String, Int64)]
    where numbers.allSatisfy({ (946_684_800 * power..<4_102_444_800 * power).contains($0) }) {
      throw SluiceError(
        .usage, "read the lines of", name,
        because: "the unit of its times is not known: \(first) may be \(unit) since 1970, or nanoseconds",
        remedy: remedy)
    }
    return .nanoseconds
  }

  /// The error for lines that all leave out the time.
  static func missing(in name: String) -> SluiceError {
    SluiceError(
      .malformed, "read the lines of", name, because: "its lines have no times",
      remedy: "write a time behind the fields of each line, or record them with the time at which they come")
  }
}

/// The tag `n=1`, `n=2`, which ``InfluxEncoder`` writes last in lines that have the time of the line before.
enum InfluxOrdinal {
  /// The number of bytes of a series before this tag; nil if it has none.
  static func count(before series: UnsafeBufferPointer<UInt8>) -> Int? {
    let tag = Array(",\(InfluxEncoder.ordinal)=".utf8)
    var start = series.count
    while start > 0, series[start - 1] &- 0x30 < 10 { start -= 1 }
    let count = start - tag.count
    guard (1...10).contains(series.count - start), series[start] != UInt8(ascii: "0"), count > 0,
      series[count..<start].elementsEqual(tag), series[count - 1] != UInt8(ascii: "\\")
    else { return nil }
    return count
  }
}
