package import SluiceReadings
package import SluiceSystem

/// What earlier runs have left of a recording in parts. All code that continues the recording asks here which part is
/// continued.
///
/// That is the newest part with a reading. There may be later parts without a reading: a run was killed after it had
/// opened a part and before its first write, or it began on a full disk. Such parts say nothing about what the
/// recording has.
package struct EarlierParts {
  /// All parts, in order.
  package var all: [PartName] = []
  /// The newest part with a reading; nil if there is none.
  package private(set) var newest: PartName?
  /// The parts behind it, in order.
  package private(set) var empty: [PartName] = []

  /// A file with more bytes than this has a reading, because no header is that long.
  private static let limit = 2 << 20

  package init() {}

  /// - Parameters:
  ///   - all: All parts, in order.
  ///   - cuts: By file, the length to which it is cut back. What is behind it does not count.
  /// - Throws: If a file without a reading is not of this recording.
  package init(
    _ all: [PartName], of series: PartSeries, _ files: any FileSystem, cuts: [FileIdentity: Int64] = [:]
  ) throws(SluiceError) {
    self.all = all
    for name in all.reversed() {
      if try Self.mayHaveReading(name, series, files, cuts) {
        newest = name
        break
      }
      empty.insert(name, at: 0)
    }
    try checkNumbers(series, files)
  }

  private static func mayHaveReading(
    _ name: PartName, _ series: PartSeries, _ files: any FileSystem, _ cuts: [FileIdentity: Int64]
  ) throws(SluiceError) -> Bool {
    let path = series.path(of: name)
    // A file that cannot be read is not taken for empty. The code that opens it says why it cannot be read.
    guard let status = try? files.status(at: path) else { return true }
    guard status.isRegular else {
      throw SluiceError(
        .malformed, "append to", series.path, because: "\(path) has the name of a part, but is not a regular file",
        remedy: "move it away")
    }
    let length = min(status.size, cuts[status.identity] ?? .max)
    guard length <= Int64(limit), let bytes = try? files.contents(of: path, limit: Int(length)) else { return true }
    return series.mayHaveReading(bytes)
  }

  /// Throws if the numbers of the parts without a reading do not follow the numbers before them: a run numbers its
  /// parts one after the other.
  private func checkNumbers(_ series: PartSeries, _ files: any FileSystem) throws(SluiceError) {
    guard let first = empty.first else { return }
    let bytes = try? files.contents(of: series.index, limit: 64 << 10)
    let indexed = bytes.flatMap { PartIndex($0) }?.last ?? 0
    var last = newest?.number ?? (indexed > 0 ? min(indexed, first.number - 1) : first.number - 1)
    for name in empty {
      guard name.number > last, name.number <= max(last, indexed) + 1 else {
        let before = all.last { $0 != name && $0.number <= name.number }
        throw SluiceError(
          .malformed, "append to", series.path,
          because: "\(series.path(of: name)) has no row, and its number does not follow that of "
            + (before.map { series.path(of: $0) } ?? "the last part, \(indexed)"),
          remedy: "move it away, because no run of this recording made it")
      }
      last = name.number
    }
  }
}
