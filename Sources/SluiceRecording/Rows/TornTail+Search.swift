import SluiceReadings
package import SluiceSystem

extension TornTail {
  /// Finds the first damage in the rows of the last run.
  /// - Parameters:
  ///   - descriptor: A descriptor for reading the file.
  ///   - lastRun: The last run; nil if nothing is known about it.
  ///   - isWholeFile: Whether to search the whole file, even if the last run is known.
  package static func find(
    _ files: any FileSystem, _ descriptor: Int32, _ shape: RowShape, _ lastRun: LastRun?, isWholeFile: Bool = false
  ) throws(SystemErrno) -> TornTail {
    let search = TailSearch(files, descriptor, shape, size: try files.status(of: descriptor).size)
    return try search.find(lastRun, isWholeFile: isWholeFile)
  }
}

/// Reads a file in large chunks. A row may be longer than a chunk.
private final class TailSearch {
  /// The number of bytes to search at the end if the start of the last run is not known.
  private static let window: Int64 = 1 << 20
  /// The largest distance in bytes between the rows of one reading of the long layout.
  private static let reading = 256 << 10

  private let files: any FileSystem
  private let descriptor: Int32
  private let shape: RowShape
  private let size: Int64
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  private var sawQuotes = false

  init(_ files: any FileSystem, _ descriptor: Int32, _ shape: RowShape, size: Int64) {
    self.files = files
    self.descriptor = descriptor
    self.shape = shape
    self.size = size
  }

  deinit { buffer.deallocate() }

  func find(_ lastRun: LastRun?, isWholeFile: Bool) throws(SystemErrno) -> TornTail {
    let isUnfinished = lastRun?.isUnfinished ?? false
    let whole = try isWholeFile ? endOfWholeRows(from: 0) : endOfWholeRows(lastRun)
    var end = whole
    var rows = 0
    // A finished run has no torn reading, and may have got more channels later.
    if isUnfinished, case .csv(let header, isLong: true) = shape, let lastRun {
      // If not even the bytes are left that the run found, the torn reading is one of an earlier run.
      let began = lastRun.beganAtByte ?? 0
      let first = max(Int64(header), began <= size ? began : 0)
      (end, rows) = try beginOfTornReading(before: whole, notBefore: first, lastRun.channels)
    }
    var tail = TornTail(end: end, size: size, isUnfinished: isUnfinished)
    tail.rowsOfTornReading = rows
    try count(from: whole, into: &tail)
    guard !isWholeFile, lastRun != nil, !isUnfinished, tail.wholeRows > 0 else { return tail }
    // The run was finished, so this is not the trace of a crash. Good rows after later damage are not cut off.
    var last = TornTail(end: try endOfLastRow(), size: size)
    try count(from: last.end, into: &last)
    return last
  }

  /// The offset after the last line end.
  private func endOfLastRow() throws(SystemErrno) -> Int64 {
    var end = size
    while end > 0 {
      let start = max(0, end - Int64(buffer.count))
      let bytes = try read(at: start, Int(end - start))
      if let feed = bytes.lastIndex(of: UInt8(ascii: "\n")) { return start + Int64(feed) + 1 }
      end = start
    }
    return 0
  }

  // MARK: Whole rows

  private func endOfWholeRows(_ lastRun: LastRun?) throws(SystemErrno) -> Int64 {
    if let lastRun, lastRun.isUnfinished {
      let begin = lastRun.beganAtByte ?? 0
      return try endOfWholeRows(from: try isRowStart(begin) ? begin : 0)
    }
    guard size > Self.window, let start = try rowStart(behind: size - Self.window) else {
      return try endOfWholeRows(from: 0)
    }
    let end = try endOfWholeRows(from: start)
    // The row at the start may have been within quotes.
    let isSure = end == size || (end > start && !sawQuotes)
    return isSure ? end : try endOfWholeRows(from: 0)
  }

  private func isRowStart(_ offset: Int64) throws(SystemErrno) -> Bool {
    guard offset > 0, offset <= size else { return offset == 0 }
    return try read(at: offset - 1, 1).first == UInt8(ascii: "\n")
  }

  /// The first row that begins after an offset; nil if there is none within a chunk, or if NUL bytes come before it.
  private func rowStart(behind offset: Int64) throws(SystemErrno) -> Int64? {
    let bytes = try read(at: offset, buffer.count)
    guard let feed = bytes.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == 0 }), bytes[feed] != 0 else {
      return nil
    }
    return offset + Int64(feed) + 1
  }

  /// The end of the last whole row before the first NUL byte.
  private func endOfWholeRows(from start: Int64) throws(SystemErrno) -> Int64 {
    var (offset, end) = (start, start)
    var isQuoted = false
    while offset < size {
      let bytes = try read(at: offset, buffer.count)
      guard let base = bytes.baseAddress, bytes.count > 0 else { break }
      let nul = memchr(base, 0, bytes.count).map { UnsafeRawPointer($0) - base }
      let limit = nul ?? bytes.count
      if shape.hasQuotes, isQuoted || memchr(base, 0x22, limit) != nil {
        sawQuotes = true
        for index in 0..<limit {
          if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
          if bytes[index] == UInt8(ascii: "\n"), !isQuoted { end = offset + Int64(index) + 1 }
        }
      } else {
        var index = limit
        while index > 0, bytes[index - 1] != UInt8(ascii: "\n") { index -= 1 }
        if index > 0 { end = offset + Int64(index) }
      }
      if nul != nil { break }
      offset += Int64(bytes.count)
    }
    return end
  }

  // MARK: The long layout

  /// The start of a reading whose last rows are missing, and the number of its rows.
  private func beginOfTornReading(
    before end: Int64, notBefore first: Int64, _ channels: [ExactName: [String]]
  ) throws(SystemErrno) -> (Int64, Int) {
    guard first < end else { return (end, 0) }
    let start = max(first, end - Int64(Self.reading))
    var rest = try read(at: start, Int(end - start))[...]
    guard let last = Self.lastRow(of: rest).flatMap({ LongRow(rest[$0]) }),
      let names = channels[ExactName(last.stream)],
      let index = names.firstIndex(where: { $0.isExactly(last.channel) }), index < names.count - 1
    else { return (end, 0) }
    // Each reading has one row per channel, in the order of the channels.
    for name in names[...index].reversed() {
      guard let start = Self.lastRow(of: rest), let row = LongRow(rest[start]), row.channel.isExactly(name),
        row.stream.isExactly(last.stream), row.time == last.time
      else { return (end, 0) }
      rest = rest[..<start.lowerBound]
    }
    return (start + Int64(rest.endIndex), index + 1)
  }

  /// The last of whole rows. An odd number of quotes means that the row begins earlier.
  private static func lastRow(of rows: Slice<UnsafeRawBufferPointer>) -> Range<Int>? {
    guard rows.last == UInt8(ascii: "\n") else { return nil }
    var start = rows.endIndex - 1
    var quotes = 0
    while start > rows.startIndex, rows[start - 1] != UInt8(ascii: "\n") || quotes % 2 == 1 {
      start -= 1
      if rows[start] == UInt8(ascii: "\"") { quotes += 1 }
    }
    // The first row may have begun before the bytes that were read.
    return quotes % 2 == 0 ? start..<rows.endIndex : nil
  }

  // MARK: The rest

  private func count(from end: Int64, into tail: inout TornTail) throws(SystemErrno) {
    var offset = end
    var (length, hasNULs, isQuoted) = (0, false, false)
    while offset < size {
      let bytes = try read(at: offset, buffer.count)
      guard bytes.count > 0 else { break }
      for byte in bytes {
        if byte == 0 {
          tail.nuls += 1
          if length > 0 { tail.tornRows += 1 }
          (length, hasNULs, isQuoted) = (0, true, false)
        } else if byte == UInt8(ascii: "\n"), !isQuoted {
          if length > 0 {
            if hasNULs { tail.tornRows += 1 } else { tail.wholeRows += 1 }
          }
          (length, hasNULs) = (0, false)
        } else {
          length += 1
          // After NUL bytes, it is not known whether text is within quotes.
          if byte == UInt8(ascii: "\""), shape.hasQuotes, tail.nuls == 0 { isQuoted.toggle() }
        }
      }
      offset += Int64(bytes.count)
    }
    if length > 0 { tail.tornRows += 1 }
  }

  /// - Returns: Bytes that are valid until the next call.
  private func read(at offset: Int64, _ count: Int) throws(SystemErrno) -> UnsafeRawBufferPointer {
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(count, buffer.count)])
    let count = try files.read(descriptor, at: offset, fill: room)
    return UnsafeRawBufferPointer(rebasing: room[..<count])
  }
}

/// The cells that identify the reading of a row of the long layout.
private struct LongRow {
  let time, stream, channel: String

  init?(_ row: Slice<UnsafeRawBufferPointer>) {
    var cells: [[UInt8]] = [[]]
    var isQuoted = false
    for (index, byte) in zip(row.indices, row) {
      switch byte {
      case UInt8(ascii: "\""):
        isQuoted.toggle()
        // A doubled quote is a quote.
        let isInCell = isQuoted && index > row.startIndex && row[index - 1] == byte
        if isInCell { cells[cells.count - 1].append(byte) }
      case UInt8(ascii: ",") where !isQuoted: cells.append([])
      default: cells[cells.count - 1].append(byte)
      }
    }
    guard cells.count == 1 + CSVLayout.longColumns.count else { return nil }
    (time, stream, channel) = (
      String(decoding: cells[0], as: UTF8.self), String(decoding: cells[1], as: UTF8.self),
      String(decoding: cells[2], as: UTF8.self)
    )
  }
}
