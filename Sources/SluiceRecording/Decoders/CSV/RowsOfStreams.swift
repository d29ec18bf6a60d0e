import SluiceReadings

/// Rows that may have readings of several streams.
protocol RowsOfStreams: TraceRows {
  /// Readings of the last row that did not fit into the buffer.
  var pending: PendingReadings { get set }
  /// Decodes a row without quotes or other special cases.
  /// - Returns: The time, and the start of the next row; nil if `CSVRow` must read the row.
  mutating func decode(_ start: UnsafePointer<UInt8>) -> (Int64, UnsafePointer<UInt8>)?
  /// Makes readings from the decoded row. Readings that do not fit become ``pending``.
  mutating func deliver(_ time: Int64, _ target: UnsafeMutableBufferPointer<Reading>) -> Int
}

extension RowsOfStreams {
  var hasPending: Bool { !pending.isEmpty }

  mutating func readPlain(_ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>) -> Int {
    guard file.ends.isPlain else { return 0 }
    var count = pending.take(into: target)
    var next = file.next
    var lines = 0
    while count < target.count, let (time, end) = decode(next) {
      next = end
      lines += 1
      count += deliver(time, UnsafeMutableBufferPointer(rebasing: target[count...]))
    }
    file.skip(to: next, lines: lines)
    return count
  }
}

/// Readings that wait for the next call.
struct PendingReadings {
  private var readings: [Reading] = []
  private var taken = 0  // the number already taken

  var isEmpty: Bool { taken == readings.count }

  mutating func append(_ reading: Reading) { readings.append(reading) }

  mutating func take(into target: UnsafeMutableBufferPointer<Reading>) -> Int {
    var count = 0
    while !isEmpty, count < target.count {
      target[count] = readings[taken]
      taken += 1
      count += 1
    }
    if isEmpty, taken > 0 {
      readings.removeAll(keepingCapacity: true)
      taken = 0
    }
    return count
  }
}
