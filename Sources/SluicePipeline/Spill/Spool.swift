import SluiceLog
package import SluiceReadings
import SluiceRecording
import SluiceSystem

/// A log of readings on the disk that no recording has open, as `sluice spool` shows it.
package struct Spool {
  /// The readings of a stream.
  package struct Stream {
    package var name: String
    package var readings = 0
    /// The number of readings that follow a gap.
    package var gaps = 0
  }

  package let path: String
  /// The sequence numbers of the readings that their output does not have.
  package let numbers: Range<UInt64>
  /// The number behind the last reading that is in the log.
  private let next: UInt64
  package let segments: Int
  package let bytes: Int64
  /// By sequence numbers, the readings that are missing; nil if it was not verified.
  package private(set) var lost: [Range<UInt64>]?
  /// The number of segments with damage; nil if it was not verified.
  package private(set) var damagedSegments: Int?
  /// Without a count of readings, if it was not verified; empty if they are not described.
  package private(set) var streams: [Stream]
  /// The times of the first and the last reading that can be read.
  package private(set) var times: ClosedRange<Int64>?
  /// Whether the output may already have some of the readings.
  package let mayBeInOutput: Bool
  /// The segments that are left out.
  package let faults: [SluiceError]

  package var readings: Int { numbers.count }
  package var lostCount: Int { lost?.reduce(0) { $0 + $1.count } ?? 0 }

  /// Reads what is in a log.
  /// - Parameter isVerified: Whether all records are read, and not only the first and those of the last segment.
  /// - Throws: If the folder has no log, or if a recording has it open.
  package init(_ path: String, isVerified: Bool) throws(SluiceError) {
    let log = try Self.open(path, isReading: true)
    defer { log.close() }
    let described = log.describedStreams.flatMap { try? TraceMetadata($0, path: path).streams } ?? []
    self.path = path
    // If the end of the log is lost, its owner may have noted what it had.
    numbers = log.watermark.next..<max(log.nextNoted, log.watermark.next)
    next = log.next
    (segments, bytes) = (log.segmentCount, log.byteCount)
    faults = log.faults
    mayBeInOutput = !log.hadWatermark || log.watermark.isDraining
    streams = described.map { Stream(name: $0.name) }
    do throws(SystemErrno) {
      if isVerified { try verify(log) } else { try readEnds(log) }
    } catch {
      throw SluiceError("read", path, errno: error.code)
    }
  }

  private static func open(_ path: String, isReading: Bool) throws(SluiceError) -> SegmentLog {
    let names: [String]
    do throws(SystemErrno) { names = try SystemFiles().names(in: path) } catch {
      throw SluiceError(
        "read", path, errno: error.code,
        remedy: error.code == ENOTDIR ? "give the folder of a spill, such as walk.csv-spill" : nil)
    }
    // Opening it would make files.
    // If all segments are lost, the note beside them says so.
    guard SegmentLog.isLog(names) || names.contains(SegmentLog.noteName) else {
      // The folder of --spool has a folder for each server.
      let logs = names.sorted().map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }.filter {
        (try? SystemFiles().names(in: $0)).map { SegmentLog.isLog($0) } ?? false
      }
      throw SluiceError(
        .notFound, "read", path, because: "this folder has no log",
        remedy: logs.isEmpty
          ? "give the folder of a spill, such as walk.csv-spill"
          : "give \(logs.count == 1 ? "the folder in it that has one" : "one of the folders in it"): "
            + logs.map(quotedForShell).joined(separator: ", "))
    }
    return try SegmentLog(path, isReading: isReading)
  }

  private mutating func add(_ readings: [Reading]) {
    for reading in readings {
      let stream = Int(reading.stream.index)
      if streams.indices.contains(stream) {
        streams[stream].readings += 1
        if reading.flags.contains(.gapBefore) { streams[stream].gaps += 1 }
      }
      let times = times ?? reading.time...reading.time
      self.times = min(times.lowerBound, reading.time)...max(times.upperBound, reading.time)
    }
  }

  private mutating func verify(_ log: SegmentLog) throws(SystemErrno) {
    var (reader, lost) = (log.reader(), [Range<UInt64>]())
    defer { reader.close() }
    func lose(_ numbers: Range<UInt64>) {
      if let last = lost.last, last.upperBound == numbers.lowerBound {
        lost[lost.count - 1] = last.lowerBound..<numbers.upperBound
      } else {
        lost.append(numbers)
      }
    }
    reading: while true {
      switch try reader.next() {
      case .readings(_, let readings): add(readings)
      case .lost(let numbers): lose(numbers)
      case .end: break reading
      }
    }
    let end = max(next, numbers.lowerBound)
    if end < numbers.upperBound { lose(end..<numbers.upperBound) }
    self.lost = lost
    damagedSegments = log.damagedCount
  }

  /// The first reading, and those of the last segment.
  private mutating func readEnds(_ log: SegmentLog) throws(SystemErrno) {
    try read(log, from: numbers.lowerBound, isFirstOnly: true)
    try read(log, from: max(numbers.lowerBound, log.firstOfLastSegment), isFirstOnly: false)
    for index in streams.indices { (streams[index].readings, streams[index].gaps) = (0, 0) }
  }

  private mutating func read(_ log: SegmentLog, from start: UInt64, isFirstOnly: Bool) throws(SystemErrno) {
    var reader = log.reader(from: start)
    defer { reader.close() }
    while true {
      let item = try reader.next()
      if item == .end { return }
      guard case .readings(_, let readings) = item else { continue }
      add(readings)
      if isFirstOnly { return }
    }
  }

  /// Removes the log, whose readings are in a file now. A damaged segment stays under another name.
  /// - Throws: If it is not as it was when it was read.
  package func remove() throws(SluiceError) {
    let log = try Self.open(path, isReading: false)
    guard log.next == next, log.watermark.next == numbers.lowerBound else {
      log.close()
      throw SluiceError(
        .busy, "remove", path, because: "a recording has used it meanwhile",
        remedy:
          "the file has the readings up to number \(numbers.upperBound - 1); the recording may have written some, too")
    }
    // What is damaged is known when it was read.
    if lostCount > 0 {
      var reader = log.reader()
      while let item = try? reader.next(), item != .end {}
      reader.close()
    }
    log.remove()
  }
}

extension Spool {
  /// Its lines for a person.
  package var text: String {
    let count = "\(grouped(readings)) reading\(readings == 1 ? "" : "s")"
    var lines = [
      "\(path): \(count) in \(grouped(segments)) segment\(segments == 1 ? "" : "s"), \(byteText(Int(bytes)))"
    ]
    if let times { lines.append("from \(utcTime(times.lowerBound)) to \(utcTime(times.upperBound))") }
    if !streams.isEmpty {
      let listed = streams.map { stream in
        guard lost != nil else { return stream.name }
        let gaps = stream.gaps > 0 ? " (\(grouped(stream.gaps)) gap\(stream.gaps == 1 ? "" : "s"))" : ""
        return "\(stream.name) \(grouped(stream.readings))\(gaps)"
      }
      lines.append("streams: \(listed.joined(separator: ", "))")
    }
    if !numbers.isEmpty {
      lines.append("sequence numbers: \(grouped(Int(numbers.lowerBound))) to \(grouped(Int(numbers.upperBound - 1)))")
      if mayBeInOutput { lines.append("the output may have some of them already") }
    }
    lines += faults.map { "\($0)" }
    if let lost {
      lines += lost.map { numbers in
        "damaged: \(grouped(numbers.count)) reading\(numbers.count == 1 ? "" : "s") from number \(grouped(Int(numbers.lowerBound))) on "
          + "cannot be read"
      }
      if lost.isEmpty { lines.append("every reading can be read") }
      if let damagedSegments, damagedSegments > 0, lost.isEmpty {
        lines.append(
          "\(grouped(damagedSegments)) segment\(damagedSegments == 1 ? " has" : "s have") damage that costs no reading")
      }
    }
    return lines.asLines
  }

  /// The same for programs.
  package var json: JSON {
    func number(_ value: some BinaryInteger) -> JSON { .number("\(value)") }
    var members: [(String, JSON)] = [
      ("path", .string(path)), ("readings", number(readings)), ("first", number(numbers.lowerBound)),
      ("next", number(numbers.upperBound)), ("segments", number(segments)), ("bytes", number(bytes)),
      ("may_be_in_output", .bool(mayBeInOutput)),
    ]
    if let times {
      members += [("from_ns", number(times.lowerBound)), ("to_ns", number(times.upperBound))]
    }
    members.append(
      (
        "streams",
        .array(
          streams.map { stream in
            .object(
              [("name", .string(stream.name))]
                + (lost == nil ? [] : [("readings", number(stream.readings)), ("gaps", number(stream.gaps))]))
          })
      ))
    if let lost {
      members.append(
        ("lost", .array(lost.map { .object([("first", number($0.lowerBound)), ("next", number($0.upperBound))]) })))
    }
    if !faults.isEmpty { members.append(("faults", .array(faults.map { .string("\($0)") }))) }
    if let damagedSegments { members.append(("damaged_segments", number(damagedSegments))) }
    return .object(members)
  }
}
