package import SluiceReadings
package import SluiceSystem

/// Readings on a disk, in the order in which they came, until they have gone on: what lies under a spill, a spool and a ring.
///
/// ```swift
/// let log = try SegmentLog("spill", streams: descriptions)
/// try log.append(readings)
/// try log.sync()
/// var reader = log.reader()
/// while case .readings(let first, let readings) = try reader.next() { send(readings) }
/// try log.advance(LogWatermark(next: reader.position))
/// ```
///
/// A log is a folder of segments, which are appended and never rewritten. Their records are the only truth: what is in the
/// log is found from them, however it ended. Damage costs the records in it; it is counted in readings, because each record
/// has the sequence number of its first one, and it never keeps a log from being opened. A segment in which damage was found
/// is set aside under another name when its readings have gone on.
///
/// The watermark says how far they have. It stands in two files, one written after the other, so that one of them is whole
/// at any moment. A segment is removed only after the watermark behind it is on the disk. Without any watermark, everything
/// that is there waits still.
package final class SegmentLog {
  package struct Limits: Sendable {
    /// The bytes after which another segment begins.
    package var segment = 8 << 20
    package init() {}
  }

  /// A segment, by the sequence number of its first reading, which is its name.
  struct Segment {
    var first: UInt64
    /// The bytes that are read.
    var size: Int64
    var isDamaged = false
  }

  /// A segment that is appended to.
  private struct Current {
    let descriptor: Int32
    var size: Int64
    var hasReadings = false
    /// A write has left bytes behind that could not be cut off.
    var isTorn = false
  }

  /// The largest sequence number: what is larger is of another program.
  static let mostReadings: UInt64 = 1 << 62
  static let ending = ".log"
  static let damagedEnding = ".damaged"

  package let folder: String
  let files: any FileSystem
  private let limits: Limits
  private let streams: [UInt8]
  private let lock: Int32
  /// In the order of their numbers; the last is the current one, if there is one.
  private(set) var segments: [Segment] = []
  private var current: Current?
  /// The sequence number of the next reading that is appended.
  package private(set) var next: UInt64 = 0
  package private(set) var watermark: LogWatermark
  /// Whether a watermark was there when the log was opened.
  package private(set) var hadWatermark = false

  /// Opens the log in a folder, which is there.
  /// - Parameters:
  ///   - streams: What the streams are, in the form of the owner; it stands at the beginning of each segment.
  /// - Throws: ``SluiceError/Code/busy`` if another process has it open.
  package init(
    _ folder: String, files: any FileSystem = SystemFiles(), limits: Limits = Limits(), streams: [UInt8] = []
  ) throws(SluiceError) {
    (self.folder, self.files, self.limits, self.streams) = (folder, files, limits, streams)
    watermark = LogWatermark(next: 0)
    do throws(SystemErrno) {
      lock = try files.open("\(folder)/lock", O_RDWR | O_CREAT)
    } catch {
      throw SluiceError("open the log in", folder, errno: error.code)
    }
    do throws(SystemErrno) {
      // Some file systems have no locks.
      do throws(SystemErrno) { try files.lock(lock) } catch where error.code != EWOULDBLOCK {}
    } catch {
      try? files.close(lock)
      throw SluiceError(
        .busy, "open the log in", folder, because: "another recording has it open",
        remedy: "stop that one, or give this one another folder", errno: error.code)
    }
    do throws(SystemErrno) {
      try find()
    } catch {
      try? files.close(lock)
      throw SluiceError("read the log in", folder, errno: error.code)
    }
  }

  /// Whether the first reading that has not gone on may be in it, by the number of its first segment.
  package var isWholeFromWatermark: Bool { segments.first.map { $0.first <= watermark.next } ?? true }
  /// The bytes of all segments.
  package var byteCount: Int64 { segments.reduce(0) { $0 + $1.size } }

  /// Closes it. What was not synced may be lost at a power cut.
  package func close() {
    if let current { try? files.close(current.descriptor) }
    current = nil
    try? files.close(lock)
  }

  /// Closes it, and removes its files. What is damaged stays.
  package func remove() {
    if let current { try? files.close(current.descriptor) }
    current = nil
    for segment in segments {
      if segment.isDamaged { try? setAside(segment) } else { try? files.remove(path(segment.first)) }
    }
    for slot in 0...1 { try? files.remove(slotPath(slot)) }
    // At last: before, nobody else may open the log.
    try? files.remove("\(folder)/lock")
    try? files.close(lock)
    try? files.removeFolder(folder)
  }

  // MARK: Start

  static func path(_ first: UInt64, _ folder: String) -> String {
    let number = String(first)
    return "\(folder)/\(String(repeating: "0", count: 20 - number.count))\(number)\(ending)"
  }

  private func path(_ first: UInt64) -> String { Self.path(first, folder) }

  /// Whether a folder with these files is a log.
  package static func isLog(_ names: [String]) -> Bool { names.contains { number($0) != nil } }

  private static func number(_ name: String) -> UInt64? {
    guard name.hasSuffix(ending), name.utf8.count == 20 + ending.utf8.count else { return nil }
    return UInt64(name.dropLast(ending.count)).flatMap { $0 <= mostReadings ? $0 : nil }
  }

  /// Looks at the names, the watermark and the last segment: the time of a start does not depend on what waits.
  private func find() throws(SystemErrno) {
    let numbers = try files.names(in: folder).compactMap { Self.number($0) }
    for first in numbers.sorted() {
      let status = try files.status(at: path(first))
      if status.isRegular { segments.append(Segment(first: first, size: status.size)) }
    }
    let marks = (0...1).compactMap { slot -> LogWatermark? in
      (try? files.contents(of: slotPath(slot), limit: LogWatermark.size + 1)).flatMap { LogWatermark($0) }
    }
    if let mark = marks.max(by: { $0.number < $1.number }) {
      (watermark, hadWatermark) = (mark, true)
    } else if let first = segments.first {
      watermark.next = first.first
    }
    next = watermark.next
    if let last = segments.last { next = max(next, try end(of: last)) }
  }

  /// The sequence number behind the last record whose head is there.
  private func end(of segment: Segment) throws(SystemErrno) -> UInt64 {
    let descriptor = try files.open(path(segment.first), O_RDONLY | O_NOFOLLOW)
    defer { try? files.close(descriptor) }
    // A killed process may have left it in memory alone, and a sync of what comes next would not mean it. Those before it
    // were synced before it was begun.
    try? files.sync(descriptor)
    try? files.sync(folder: folder)
    var reader = SegmentReader(files, descriptor, size: segment.size, from: 0)
    var end: UInt64 = 0
    while true {
      switch try reader.next() {
      // Numbers only grow, so what is smaller is of another log.
      case .record(let record, _), .lost(let record):
        if record.first >= max(segment.first, end), record.end <= Self.mostReadings { end = record.end }
      case .damage, .torn: break
      case .end: return end
      }
    }
  }

  /// What the streams are, by the newest segment whose beginning is whole; nil if there is none.
  package var describedStreams: [UInt8]? {
    for segment in segments.reversed() {
      guard let descriptor = try? open(segment) else { continue }
      defer { try? files.close(descriptor) }
      // It is the first record. Nothing is searched, however large the segment is.
      let size = min(segment.size, Int64(LogRecord.longest + 2 * LogRecord.headSize))
      var reader = SegmentReader(files, descriptor, size: size, from: 0)
      if case .record(let record, let payload)? = try? reader.next(), record.kind == .streams { return payload }
    }
    return nil
  }

  private func slotPath(_ slot: Int) -> String { "\(folder)/watermark-\(slot)" }

  // MARK: Writing

  /// Writes a run of readings as one record. After an error nothing of it counts as written.
  package func append(_ readings: some Collection<Reading>) throws(SystemErrno) {
    guard !readings.isEmpty else { return }
    var encoder = ReadingEncoder()
    encoder.append(readings)
    let record = LogRecord.bytes(.readings, first: next, count: readings.count, payload: encoder.take())
    if let current,
      current.isTorn || current.hasReadings && current.size + Int64(record.count) > Int64(limits.segment)
    {
      try endSegment()
    }
    if current == nil { try beginSegment() }
    try write(record)
    current?.hasReadings = true
    next += UInt64(readings.count)
  }

  private func endSegment() throws(SystemErrno) {
    guard let current else { return }
    try files.sync(current.descriptor)
    self.current = nil
    try files.close(current.descriptor)
  }

  private func beginSegment() throws(SystemErrno) {
    let path = path(next)
    if let last = segments.last, last.first == next {
      // Nothing in it could be read, so its place is wanted.
      try setAside(last)
      segments.removeLast()
    }
    let descriptor: Int32
    do throws(SystemErrno) {
      descriptor = try files.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
    } catch  where error.code == EEXIST {
      // One that could not be begun, and could not be removed.
      try files.rename(path, to: path + Self.damagedEnding)
      descriptor = try files.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
    }
    current = Current(descriptor: descriptor, size: 0)
    segments.append(Segment(first: next, size: 0))
    do throws(SystemErrno) {
      try write(LogRecord.bytes(.streams, first: next, count: 0, payload: streams))
      // The name is there after a power cut, too.
      try files.sync(folder: folder)
    } catch {
      try? files.close(descriptor)
      try? files.remove(path)
      current = nil
      segments.removeLast()
      throw error
    }
  }

  private func write(_ bytes: [UInt8]) throws(SystemErrno) {
    guard var current else { return }
    let (written, error) = bytes.withUnsafeBytes { files.write(all: $0, to: current.descriptor) }
    guard let error else {
      current.size += Int64(written)
      self.current = current
      segments[segments.count - 1].size = current.size
      return
    }
    if written > 0 {
      do throws(SystemErrno) { try files.truncate(current.descriptor, to: current.size) } catch {
        current.isTorn = true
      }
    }
    self.current = current
    throw error
  }

  /// What was appended is on the disk when this returns.
  package func sync() throws(SystemErrno) { if let current { try files.sync(current.descriptor) } }

  // MARK: Reading

  /// Reads from the watermark, or from a sequence number on.
  package func reader(from first: UInt64? = nil) -> LogReader { LogReader(self, from: first ?? watermark.next) }

  func found(damageIn first: UInt64) {
    if let index = segments.firstIndex(where: { $0.first == first }) { segments[index].isDamaged = true }
  }

  /// Opens a segment to read it.
  func open(_ segment: Segment) throws(SystemErrno) -> Int32 {
    try files.open(path(segment.first), O_RDONLY | O_NOFOLLOW)
  }

  // MARK: Going on

  /// Notes that readings have gone on, and removes the segments that have no others.
  /// - Parameter mark: Its number is set here.
  package func advance(_ mark: LogWatermark) throws(SystemErrno) {
    var mark = mark
    mark.number = watermark.number &+ 1
    let path = slotPath(Int(mark.number % 2))
    let descriptor = try files.open(path, O_WRONLY | O_CREAT)
    do throws(SystemErrno) {
      try files.truncate(descriptor, to: 0)
      if let error = mark.bytes.withUnsafeBytes({ files.write(all: $0, to: descriptor) }).error { throw error }
      try files.sync(descriptor)
    } catch {
      try? files.close(descriptor)
      throw error
    }
    try files.close(descriptor)
    if mark.number <= 2 { try files.sync(folder: folder) }
    watermark = mark
    hadWatermark = true
    // One that cannot be removed is read again by the next run, and its readings are known to have gone on.
    while segments.count > 1, segments[1].first <= mark.next { removeFirst() }
    guard segments.count == 1, mark.next >= next else { return }
    if let current { try? files.close(current.descriptor) }
    current = nil
    removeFirst()
  }

  private func removeFirst() {
    let first = segments.removeFirst()
    if first.isDamaged { try? setAside(first) } else { try? files.remove(path(first.first)) }
  }

  private func setAside(_ segment: Segment) throws(SystemErrno) {
    let path = path(segment.first)
    try files.rename(path, to: path + Self.damagedEnding)
  }
}
