import Synchronization

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// Where a trace keeps its time, and in which unit.
public struct TraceFormat: Hashable, Sendable {
  /// A unit of time; its raw value is how it is written.
  public enum Unit: String, CaseIterable, Sendable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"

    /// Nanoseconds are ten to this power times smaller.
    var power: Int {
      switch self {
      case .seconds: 9
      case .milliseconds: 6
      case .microseconds: 3
      case .nanoseconds: 0
      }
    }
  }

  public var timeColumn: String
  public var timeUnit: Unit

  public init(timeColumn: String = "time_ns", timeUnit: Unit = .nanoseconds) {
    self.timeColumn = timeColumn
    self.timeUnit = timeUnit
  }
}

/// Reads a recorded trace: CSV with a header row, one time column and numbers, as this library or anybody else wrote it.
///
/// ```swift
/// let trace = try TraceReader(path: "walk.csv")
/// while let reading = try trace.next() { print(reading.time, reading.values[0]) }
/// ```
///
/// Times become nanoseconds exactly, or are refused; values keep all their digits. An empty cell and `nan` are missing
/// values. Both layouts of ``CSVLayout`` are read; the long one twice, to learn its streams, so it cannot come from a
/// pipe. Times may go backwards, as in a file of several streams. Not for use from two threads at once; what
/// ``Publishers/Replay`` has been given, it alone reads.
public final class TraceReader {
  public let path: String
  /// What the trace holds, in the order of the readings' ``StreamID``.
  public private(set) var streams: [StreamDescription] = []

  private let file: CSVFile
  private let format: TraceFormat
  private let timeIndex: Int
  private let columns: Int
  private let plain: PlainRow
  private let isTaken = Atomic(false)  // looked at by its first owner, while another reads on a queue
  @exclusivity(unchecked) private var long: LongRows?
  @exclusivity(unchecked) private var failure: SluiceError?  // behind the readings returned last

  /// - Parameter path: `-` is standard input.
  public convenience init(path: String, format: TraceFormat = TraceFormat()) throws(SluiceError) {
    try self.init(CSVFile(path: path), path, format) { () throws(SluiceError) in try CSVFile(path: path) }
  }

  /// Reads a trace that is in memory.
  /// - Parameter name: What it is called in errors.
  package convenience init(
    _ bytes: [UInt8], name: String, format: TraceFormat = TraceFormat()
  ) throws(SluiceError) {
    let again = { () throws(SluiceError) -> CSVFile in CSVFile(name, .memory(bytes)) }
    try self.init(again(), name, format, again: again)
  }

  /// - Parameter again: Opens it a second time.
  private init(
    _ file: CSVFile, _ path: String, _ format: TraceFormat, again: () throws(SluiceError) -> CSVFile
  ) throws(SluiceError) {
    self.path = path
    self.format = format
    self.file = file
    guard let header = try file.nextRow() else {
      throw SluiceError(
        .malformed, "read", path, because: "it is empty", remedy: "a trace begins with a row of column names")
    }
    guard !header.hasStrayReturn else {
      throw SluiceError(
        .malformed, "read", path, because: "its first line has a carriage return that does not end it",
        remedy: "end its lines with a line feed, with or without a carriage return before it")
    }
    let names = (0..<header.count).map { header.text($0) }
    columns = names.count
    guard let timeIndex = names.firstIndex(of: format.timeColumn) else {
      throw SluiceError(
        .malformed, "read", path, because: "it has no column \"\(format.timeColumn)\"",
        remedy: "its columns are \(names.map { "\"\($0)\"" }.joined(separator: ", ")); name one with --time-column")
    }
    // It would be a channel of the name that the time has in every recording.
    if let other = names.indices.first(where: { $0 != timeIndex && [format.timeColumn, "time_ns"].contains(names[$0]) })
    {
      throw SluiceError(
        .malformed, "read", path,
        because: names[other] == format.timeColumn
          ? "it has two columns \"\(names[other])\""
          : "it has a column \"\(names[other])\" beside the time column \"\(format.timeColumn)\"",
        remedy: "rename one of them, or leave it out")
    }
    self.timeIndex = timeIndex
    plain = PlainRow(columns: columns, timeIndex: timeIndex, power: format.timeUnit.power)
    if names == ["time_ns", "stream", "channel", "value"] {
      guard path != "-" else {
        throw SluiceError(
          .unsupported, "read", "standard input", because: "a trace in the long layout is read twice",
          remedy: "give it as a file")
      }
      let survey = try LongRows.survey(again(), plain)
      streams = survey.streams
      long = survey
    } else {
      guard names.count - 1 <= Values.capacity else {
        throw SluiceError(
          .unsupported, "read", path, because: "it has \(names.count - 1) channels and \(Values.capacity) is the limit")
      }
      let channels = names.enumerated().filter { $0.offset != timeIndex }.map {
        StreamDescription.Channel(name: $0.element, unit: Self.unit($0.element))
      }
      streams = [StreamDescription(name: Self.stem(path), channels: channels)]
    }
  }

  /// What stands in parentheses at the end of a column's name.
  static func unit(_ name: String) -> String? {
    guard name.hasSuffix(")"), let open = name.lastIndex(of: "(") else { return nil }
    return String(name[name.index(after: open)...].dropLast())
  }

  private static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// The next reading; nil at the end.
  public func next() throws(SluiceError) -> Reading? {
    var readings = [Reading.empty]
    return try next(into: &readings) == 1 ? readings[0] : nil
  }

  /// The next readings, as many as there are without waiting for the file, but for the first; none at the end.
  ///
  /// ```swift
  /// var readings = [Reading](repeating: Reading(time: 0, stream: StreamID(0), values: []), count: 512)
  /// while case let count = try trace.next(into: &readings), count > 0 { print(readings[count - 1].time) }
  /// ```
  ///
  /// Several times as fast as reading by reading.
  /// - Parameter readings: Its first elements become the next readings; an array that nobody else holds is not copied.
  /// - Returns: How many.
  /// - Throws: What is wrong with the row behind the readings returned before.
  public func next(into readings: inout [Reading]) throws(SluiceError) -> Int {
    guard !isTaken.load(ordering: .relaxed) else { throw isTakenError }
    return try read(into: &readings)
  }

  /// For whoever has it from ``take()``.
  func read(into readings: inout [Reading]) throws(SluiceError) -> Int {
    if let failure { throw failure }
    let count = readings.withUnsafeMutableBufferPointer { target -> Int in
      guard let start = target.baseAddress else { return 0 }
      var count = 0
      while count < target.count {
        if long == nil { count += plainRows(start + count, target.count - count) }
        if count == target.count || (count > 0 && !file.hasRow) { break }
        do throws(SluiceError) {
          guard let reading = try nextRow() else { break }
          start[count] = reading
          count += 1
        } catch {
          failure = error
          break
        }
      }
      return count
    }
    if count == 0, let failure { throw failure }
    return count
  }

  /// Whether there are readings, or an end, without waiting for the file.
  var hasNext: Bool { file.hasRow }
  /// Whether the file is one that may keep its reader waiting: a pipe, a terminal.
  var mayWait: Bool { file.mayWait }

  // MARK: Ownership

  /// - Returns: Whether the caller is the first, and so the only one, to read it from now on.
  func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }

  var isTakenError: SluiceError {
    SluiceError(
      .usage, "read", path, because: "a trace can be read once, and a replay reads it or has read it",
      remedy: "make another TraceReader for each that reads it")
  }

  /// - Returns: How many readings there are before a row that needs ``nextRow()``.
  private func plainRows(_ target: UnsafeMutablePointer<Reading>, _ limit: Int) -> Int {
    var next = file.next
    var count = 0
    while count < limit, let end = plain.decode(next, into: target + count) {
      next = end
      count += 1
    }
    file.skip(to: next, lines: count)
    return count
  }

  private func nextRow() throws(SluiceError) -> Reading? {
    if long != nil { return try nextLong() }
    guard let row = try file.nextRow() else { return nil }
    try check(row)
    var reading = Reading(time: try time(row), stream: StreamID(0), values: Values())
    for index in 0..<columns where index != timeIndex { reading.values.append(try value(row, index)) }
    return reading
  }

  // MARK: Cells

  private func check(_ row: CSVFile.Row) throws(SluiceError) {
    guard row.count != columns else { return }
    throw file.malformed(
      column: min(row.count, columns) + 1, "the row has \(row.count) cells and the header \(columns)")
  }

  private func time(_ row: CSVFile.Row) throws(SluiceError) -> Int64 {
    guard let value = row.number(timeIndex), !value.isMissing else {
      throw file.malformed(column: timeIndex + 1, "\"\(row.text(timeIndex))\" is not a time")
    }
    guard let time = value.whole(power: format.timeUnit.power) else {
      throw file.malformed(
        column: timeIndex + 1,
        "\(row.text(timeIndex)) \(format.timeUnit.rawValue) is no whole number of nanoseconds in 64 bits")
    }
    return time
  }

  private func value(_ row: CSVFile.Row, _ index: Int) throws(SluiceError) -> ExactDecimal {
    guard let value = row.number(index) else {
      throw file.malformed(column: index + 1, "\"\(row.text(index))\" is not a number whose digits fit in 64 bits")
    }
    return value
  }

  // MARK: The long layout

  /// Rows of one instant and stream make one reading.
  private func nextLong() throws(SluiceError) -> Reading? {
    while true {
      if let row = plain.decodeLong(file.next), let place = long?.place(row.name) {
        file.skip(to: row.next, lines: 1)
        if let complete = long?.add(row.value, at: row.time, place) { return complete }
        continue
      }
      guard let row = try file.nextRow() else { return long?.flush() }
      try check(row)
      let time = try time(row)
      let value = try value(row, 3)
      guard let place = long?.place(row) else {
        throw file.malformed(column: 2, "stream \(row.text(1)) was not there when the file was read first")
      }
      if let complete = long?.add(value, at: time, place) { return complete }
    }
  }
}
