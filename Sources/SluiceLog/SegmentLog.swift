package import SluiceReadings
package import SluiceSystem

/// A log of readings on a disk, in the order in which they came. A reading stays until ``advance(_:)`` says that it
/// is not needed.
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
/// A log is a folder of segments. Records are appended to a segment, and never rewritten. What is in the log is read from its
/// records alone, however the log ended. Damage costs the damaged records. The lost readings are counted, because each record
/// has the sequence number of its first reading. A damaged log can always be opened. When the readings of a damaged segment
/// are not needed any more, the segment is renamed, and not removed.
///
/// The watermark is the sequence number of the first reading that is still needed. It is in two files, which are written in
/// turn, so that one of them is whole at any moment. A segment is removed only after a watermark behind it is on the disk. If
/// there is no watermark, all readings in the log are needed.
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
    /// The bytes after which another segment begins.
    var end: Int64
    var hasReadings = false
    /// Whether the next readings have another description than the one at its beginning.
    var isOfOtherStreams = false
    /// A failed write has left bytes at the end, which could not be cut off.
    var isTorn = false
  }

  /// The largest sequence number. A record with a larger number is of another program.
  package static let mostReadings: UInt64 = 1 << 62
  /// The largest number of a segment. So a file of another program never leaves less than half of the numbers.
  static let lastSegment: UInt64 = 1 << 61
  /// The most readings that a spill gives to ``append(_:)`` at once.
  package static let longestRun = 1_024
  static let ending = ".log"
  static let damagedEnding = ".damaged"

  package let folder: String
  let files: any FileSystem
  private let limits: Limits
  private var streams: [UInt8]
  /// The random number of the run that appends; 0 if the owner of the log gives none.
  package let run: UInt64
  /// Nil if the log is only read.
  private var lock: Int32?
  /// In the order of their numbers. If a segment is open for writing, it is the last.
  private(set) var segments: [Segment] = []
  private var current: Current?
  /// The sequence number of the next reading that is appended.
  package private(set) var next: UInt64 = 0
  package private(set) var watermark: LogWatermark
  /// The readings behind the watermark.
  package var waiting: Int { Int(next - min(next, watermark.next)) }
  /// Whether a watermark was there when the log was opened.
  package private(set) var hadWatermark = false
  /// The segments that were left out when the log was opened, because their numbers are not those of their names.
  package private(set) var faults: [SluiceError] = []

  /// Opens the log in an existing folder.
  /// - Parameters:
  ///   - streams: What the streams are, in the form of the owner; it stands at the beginning of each segment.
  ///   - run: A random number of the run that appends. Two runs with copies of one log give the same sequence numbers
  ///     to different readings; with this number, a reader can tell these readings apart.
  ///   - first: The sequence number of the first reading of a new log. At most this number of readings can be put
  ///     before it (``prepend(_:)``).
  ///   - isReading: Whether it is only read. Then nothing in the folder changes, and a recording may open it meanwhile.
  ///   - besideWriter: Whether it is read although another process has it open to write. What that process appends
  ///     later is not seen.
  /// - Throws: ``SluiceError/Code/busy`` if another process has it open to write.
  package init(
    _ folder: String, files: any FileSystem = SystemFiles(), limits: Limits = Limits(), streams: [UInt8] = [],
    run: UInt64 = 0, first: UInt64 = 0, isReading: Bool = false, besideWriter: Bool = false
  ) throws(SluiceError) {
    (self.folder, self.files, self.limits, self.streams, self.run) = (folder, files, limits, streams, run)
    watermark = LogWatermark(next: first)
    if !isReading { try files.checkOwner(of: folder, "open the log in") }
    lock = besideWriter && isReading ? nil : try Self.lock(folder, files, isReading: isReading)
    do throws(SystemErrno) {
      try find()
    } catch {
      if let lock { try? files.close(lock) }
      throw SluiceError("read the log in", folder, errno: error.code)
    }
  }

  /// Locks the log.
  /// - Returns: Nil if it is only read: then it is asked only whether a recording has locked it.
  private static func lock(
    _ folder: String, _ files: any FileSystem, isReading: Bool
  ) throws(SluiceError) -> Int32? {
    let lock: Int32
    do throws(SystemErrno) {
      lock = try files.open("\(folder)/lock", isReading ? O_RDONLY | O_NOFOLLOW : O_RDWR | O_CREAT | O_NOFOLLOW)
    } catch {
      if isReading { return nil }
      throw SluiceError("open the log in", folder, errno: error.code)
    }
    do throws(SystemErrno) {
      try files.lock(lock)
    } catch  where error.code == EWOULDBLOCK {
      try? files.close(lock)
      throw SluiceError(
        .busy, "open the log in", folder, because: "another process has it open",
        remedy: isReading ? "wait until its recording has ended" : "stop that process, or use another folder",
        errno: error.code)
    } catch {
      // Some file systems have no locks.
    }
    guard isReading else { return lock }
    try? files.close(lock)
    return nil
  }

  /// Whether no segment is missing between the watermark and the first segment, by the number of the first segment.
  package var isWholeFromWatermark: Bool { segments.first.map { $0.first <= watermark.next } ?? true }
  /// The number of segments.
  package var segmentCount: Int { segments.count }
  /// The bytes of all segments.
  package var byteCount: Int64 { segments.reduce(0) { $0 + $1.size } }

  /// The number of segments in which a reader has found damage.
  package var damagedCount: Int { segments.count { $0.isDamaged } }
  /// The sequence number of the first reading in the last segment; 0 if there is no segment.
  package var firstOfLastSegment: UInt64 { segments.last?.first ?? 0 }

  /// Closes the log. A power cut may lose what was not synced.
  package func close() {
    if let current {
      try? files.truncate(current.descriptor, to: current.size)
      try? files.close(current.descriptor)
    }
    current = nil
    if let lock { try? files.close(lock) }
    lock = nil
  }

  /// Closes the log, and removes its files. Damaged segments stay under another name.
  package func remove() {
    if let current { try? files.close(current.descriptor) }
    current = nil
    for segment in segments {
      if segment.isDamaged { try? setAside(segment) } else { try? files.remove(path(segment.first)) }
    }
    for slot in 0...1 { try? files.remove(slotPath(slot)) }
    // Last, because until now nobody else may open the log.
    try? files.remove("\(folder)/lock")
    if let lock { try? files.close(lock) }
    lock = nil
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
    return UInt64(name.dropLast(ending.count)).flatMap { $0 <= lastSegment ? $0 : nil }
  }

  /// Reads the names, the watermark and the last segment only, so that the time of a start does not depend on the size of
  /// the log.
  private func find() throws(SystemErrno) {
    let numbers = try files.names(in: folder).compactMap { Self.number($0) }
    for first in numbers.sorted() {
      do throws(SystemErrno) {
        let status = try files.status(at: path(first))
        guard status.isRegular else { continue }
        let segment = Segment(first: first, size: status.size)
        guard let own = ownFirst(of: segment), own != first else {
          segments.append(segment)
          continue
        }
        leaveOut(segment, because: "it begins with the number \(own), so it is the segment \(fileName(of: path(own)))")
      } catch {
        // A recording beside this reader has removed it since its name was read.
        guard error.code == ENOENT else { throw error }
      }
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
    while let last = segments.last {
      if let end = try end(of: last) {
        next = max(next, end)
        break
      }
      segments.removeLast()
      leaveOut(last, because: "all its records have smaller numbers than the one in its name")
    }
  }

  /// The number of the first record of a segment, which its name should have; nil if it cannot be read.
  private func ownFirst(of segment: Segment) -> UInt64? {
    guard let descriptor = try? open(segment) else { return nil }
    defer { try? files.close(descriptor) }
    return (try? SegmentReader(files, descriptor, size: segment.size, from: 0).firstHead())?.first
  }

  /// Somebody has copied or renamed it. If its name counted, readings that never existed would count as lost or dropped.
  private func leaveOut(_ segment: Segment, because cause: String) {
    let path = path(segment.first)
    let isAside = lock != nil && (try? setAside(segment)) != nil
    faults.append(
      SluiceError(
        .malformed, "use the segment", path, because: cause,
        remedy: (isAside ? "it is \(fileName(of: path))\(Self.damagedEnding) now, and its" : "its")
          + " readings are left out; if the log lacks them, rename it to the name that it had"))
  }

  /// The file in which the owner of a log may note how far it has come: the member `next` of an object.
  package static let noteName = "times.json"

  /// The number behind the last reading that the log had, also if it has lost its end, as far as its owner has noted this.
  package var nextNoted: UInt64 {
    struct Note: Decodable { var next: UInt64 }
    let bytes = try? files.contents(of: "\(folder)/\(Self.noteName)", limit: 1 << 22)
    let note: Note? = bytes.flatMap { try? JSON(parsing: $0).decode() }
    // The file may be damaged, so the number is limited to what a few segments can hold.
    return max(next, min(note?.next ?? 0, next + 1 << 26, Self.mostReadings))
  }

  /// Notes that the log had readings before this number, as another file says. Readings that are not in the log are
  /// lost, and their numbers are not used again.
  package func had(before number: UInt64) {
    guard number > next, number <= Self.mostReadings else { return }
    next = number
  }

  /// The sequence number behind the last record; a torn one does not count. If nothing can be read, the name says how many
  /// readings came before. Nil if all its records have smaller numbers than its name: it is a copy of another segment.
  private func end(of segment: Segment) throws(SystemErrno) -> UInt64? {
    let descriptor = try files.open(path(segment.first), O_RDONLY | O_NOFOLLOW)
    defer { try? files.close(descriptor) }
    // A killed process may not have synced this segment, and a later sync of the next segment does not sync this one. The
    // segments before it were synced when they ended.
    try? files.sync(descriptor)
    try? files.sync(folder: folder)
    var reader = SegmentReader(files, descriptor, size: segment.size, from: 0)
    var (end, isOwn, isOther) = (segment.first, false, false)
    while true {
      let item: SegmentReader.Item
      do throws(SystemErrno) { item = try reader.next() } catch {
        // A sector that cannot be read must not prevent a start. What is behind it has at most a reading per byte.
        let behind = segment.size - reader.offset
        if !reader.leaveOut() { return min(Self.mostReadings, end + UInt64(max(0, behind))) }
        continue
      }
      switch item {
      // Numbers only grow, so what is smaller is of another log.
      case .record(let record, _), .lost(let record):
        if record.first >= segment.first { isOwn = true } else { isOther = true }
        if record.first >= end, record.end <= Self.mostReadings { end = record.end }
      case .damage, .torn: break
      case .end: return isOther && !isOwn ? nil : end
      }
    }
  }

  /// The description of the streams in the newest segment whose first record is whole; nil if there is none.
  package var describedStreams: [UInt8]? {
    // This does not use a lazy `compactMap`, because that asks twice. The disk may give another answer the second time,
    // and then `first` would trap.
    for segment in segments.reversed() {
      if let streams = described(segment) { return streams }
    }
    return nil
  }

  /// The numbers of all readings, in groups of neighbouring segments that describe their streams in the same way. A segment
  /// whose first record is damaged belongs to the group before it; the first segments, to the group behind them. If no segment
  /// has a description, there is no group.
  package var describedGroups: [(numbers: Range<UInt64>, streams: [UInt8])] {
    var groups: [(numbers: Range<UInt64>, streams: [UInt8])] = []
    for (place, segment) in segments.enumerated() {
      let end = place + 1 < segments.count ? segments[place + 1].first : max(next, segment.first)
      let described = described(segment)
      guard let last = groups.last, described == nil || described == last.streams else {
        if let described { groups.append(((groups.isEmpty ? oldest : segment.first)..<end, described)) }
        continue
      }
      groups[groups.count - 1].numbers = last.numbers.lowerBound..<end
    }
    return groups
  }

  private func described(_ segment: Segment) -> [UInt8]? {
    guard let descriptor = try? open(segment) else { return nil }
    defer { try? files.close(descriptor) }
    var reader = SegmentReader(files, descriptor, size: segment.size, from: 0)
    guard case .record(let record, let payload)? = try? reader.first(), record.kind == .streams else { return nil }
    return payload
  }

  private func slotPath(_ slot: Int) -> String { "\(folder)/watermark-\(slot)" }

  // MARK: Writing

  /// Writes a run of readings as one record. After an error nothing of it counts as written.
  /// - Parameter ordinals: Those of the readings whose stream has others of the same time.
  package func append(
    _ readings: some Collection<Reading>, _ ordinals: ReadingOrdinals = ReadingOrdinals()
  ) throws(SystemErrno) {
    guard !readings.isEmpty else { return }
    var encoder = ReadingEncoder()
    encoder.append(readings)
    let record = LogRecord.bytes(
      ordinals.isEmpty ? .readings : .numberedReadings, first: next, count: readings.count,
      payload: ordinals.isEmpty ? encoder.take() : ordinals.bytes + encoder.take())
    if let current,
      current.isTorn || current.isOfOtherStreams
        || current.hasReadings && current.size + Int64(record.count) > current.end
    {
      try endSegment()
    }
    if current == nil { try beginSegment() }
    try write(record)
    current?.hasReadings = true
    next += UInt64(readings.count)
  }

  /// Puts readings before all readings behind the watermark, in a segment of their own, and syncs this segment. The new
  /// readings count only after ``advance(_:keeps:)`` has put the watermark before them.
  /// - Returns: The sequence number of the first of them; nil if there are no numbers for them.
  package func prepend(_ readings: [Reading]) throws(SystemErrno) -> UInt64? {
    // After a power cut, a segment that was removed can be there again.
    removeSettled()
    let end = watermark.next
    guard segments.first.map({ $0.first == end }) ?? (next == end), end >= UInt64(readings.count) else { return nil }
    let first = end - UInt64(readings.count)
    var bytes = LogRecord.bytes(.streams, first: first, count: 0, payload: streams)
    for start in stride(from: 0, to: readings.count, by: Self.longestRun) {
      let run = readings[start..<min(start + Self.longestRun, readings.count)]
      var encoder = ReadingEncoder()
      encoder.append(run)
      bytes += LogRecord.bytes(.readings, first: first + UInt64(start), count: run.count, payload: encoder.take())
    }
    let path = path(first)
    let descriptor = try files.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
    do throws(SystemErrno) {
      if let error = bytes.withUnsafeBytes({ files.write(all: $0, to: descriptor) }).error { throw error }
      try files.sync(descriptor)
      try files.sync(folder: folder)
    } catch {
      try? files.close(descriptor)
      try? files.remove(path)
      throw error
    }
    try? files.close(descriptor)
    segments.insert(Segment(first: first, size: Int64(bytes.count)), at: 0)
    return first
  }

  private func endSegment() throws(SystemErrno) {
    guard let current else { return }
    // Gives back the room behind its last record.
    try? files.truncate(current.descriptor, to: current.size)
    try files.sync(current.descriptor)
    self.current = nil
    try files.close(current.descriptor)
  }

  private func beginSegment() throws(SystemErrno) {
    let path = path(next)
    if let last = segments.last, last.first == next {
      // Nothing in it could be read, so the new segment has the same name.
      try setAside(last)
      segments.removeLast()
    }
    let descriptor: Int32
    do throws(SystemErrno) {
      descriptor = try files.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
    } catch  where error.code == EEXIST {
      // A segment whose first record could not be written, and which could not be removed.
      try files.rename(path, to: path + Self.damagedEnding)
      descriptor = try files.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
    }
    current = Current(descriptor: descriptor, size: 0, end: Int64(limits.segment))
    segments.append(Segment(first: next, size: 0))
    do throws(SystemErrno) {
      current?.end = try allocate(descriptor)
      try write(LogRecord.bytes(.streams, first: next, count: 0, payload: streams))
      if run != 0 { try write(LogRecord.bytes(.run, first: next, count: 0, payload: LogRecord.payload(ofRun: run))) }
      // So that the name is there after a power cut.
      try files.sync(folder: folder)
    } catch {
      try? files.close(descriptor)
      try? files.remove(path)
      current = nil
      segments.removeLast()
      throw error
    }
  }

  /// The room of a segment that no other program can take. On a disk that is almost full, the segment is smaller.
  /// - Returns: Its bytes. On a file system that cannot allocate, they are not there for sure.
  private func allocate(_ descriptor: Int32) throws(SystemErrno) -> Int64 {
    var bytes = Int64(limits.segment)
    while true {
      do throws(SystemErrno) {
        try files.allocate(descriptor, bytes)
        return bytes
      } catch {
        guard SystemErrno.ofFullDisk.contains(error.code) else { return Int64(limits.segment) }
        guard bytes > Self.leastAllocated else { throw error }
        bytes /= 2
      }
    }
  }

  private static let leastAllocated: Int64 = 4_096

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

  /// Describes the streams in another way from now on.
  package func describe(_ streams: [UInt8]) throws(SystemErrno) {
    guard streams != self.streams else { return }
    self.streams = streams
    // If the segment cannot be ended now, the next append tries it again.
    current?.isOfOtherStreams = true
    try endSegment()
  }

  /// What was appended is on the disk when this returns.
  package func sync() throws(SystemErrno) { if let current { try files.sync(current.descriptor) } }

  /// The most bytes of a record of readings that all have this number of values.
  package static func mostBytes(of count: Int, values: Int) -> Int {
    2 * LogRecord.headSize + 1 + ReadingEncoder.longestNumber + count * ReadingEncoder.mostBytes(values: values)
  }

  // MARK: Reading

  /// Reads from the watermark, or from a sequence number on.
  package func reader(from first: UInt64? = nil) -> LogReader { LogReader(self, from: first ?? watermark.next) }

  /// The number before which the readings of a segment have to end: the first number of the next segment.
  func limit(of first: UInt64) -> UInt64 { segments.first { $0.first > first }?.first ?? next }

  func found(damageIn first: UInt64) {
    if let index = segments.firstIndex(where: { $0.first == first }) { segments[index].isDamaged = true }
  }

  /// Whether the disk can read the beginning of a segment.
  func canRead(_ segment: Segment) -> Bool {
    guard let descriptor = try? open(segment) else { return false }
    defer { try? files.close(descriptor) }
    var reader = SegmentReader(files, descriptor, size: segment.size, from: 0)
    return (try? reader.next()) != nil
  }

  /// Opens a segment to read it.
  func open(_ segment: Segment) throws(SystemErrno) -> Int32 {
    try files.open(path(segment.first), O_RDONLY | O_NOFOLLOW)
  }

  // MARK: The watermark

  /// Writes the watermark, and removes the segments with no reading behind it.
  /// - Parameters:
  ///   - mark: Its number is set here.
  ///   - keeps: Whether these segments stay, as a ring: ``removeOldest()``.
  package func advance(_ mark: LogWatermark, keeps: Bool = false) throws(SystemErrno) {
    var mark = mark
    mark.number = watermark.number &+ 1
    try write(mark, slot: Int(mark.number % 2))
    if mark.number <= 2 {
      // Both slots have their room from now on: a log on a full disk must be emptied.
      if mark.number == 1 { try write(mark, slot: 0) }
      try files.sync(folder: folder)
    }
    watermark = mark
    hadWatermark = true
    if !keeps { removeSettled() }
  }

  /// Removes the segments with no reading behind the watermark.
  private func removeSettled() {
    // The next run finds a segment that cannot be removed here, and the watermark says that it is not needed.
    while segments.count > 1, segments[1].first <= watermark.next { removeFirst() }
    guard segments.count == 1, watermark.next >= next else { return }
    if let current { try? files.close(current.descriptor) }
    current = nil
    removeFirst()
  }

  private func write(_ mark: LogWatermark, slot: Int) throws(SystemErrno) {
    let descriptor = try files.open(slotPath(slot), O_WRONLY | O_CREAT | O_NOFOLLOW)
    do throws(SystemErrno) {
      // Over the last one, which has the same size. A full disk may have no room for the same bytes elsewhere.
      if let error = mark.bytes.withUnsafeBytes({ files.write(all: $0, to: descriptor) }).error { throw error }
      try files.truncate(descriptor, to: Int64(LogWatermark.size))
      try files.sync(descriptor)
    } catch {
      try? files.close(descriptor)
      throw error
    }
    try files.close(descriptor)
  }

  /// The sequence number of the oldest reading; ``next`` if there is none.
  package var oldest: UInt64 { segments.first?.first ?? next }

  /// The sequence numbers of the readings in the oldest segment; nil if it is the last one.
  package var oldestSegment: Range<UInt64>? {
    guard segments.count > 1 else { return nil }
    return segments[0].first..<segments[1].first
  }

  /// The sequence numbers of the readings in each segment but the last.
  package var endedSegments: [Range<UInt64>] {
    zip(segments, segments.dropFirst()).map { $0.first..<$1.first }
  }

  /// Removes the oldest segment. Its readings must be before the watermark, or else the next run finds a gap there.
  package func removeOldest() { if segments.count > 1 { remove(at: 0) } }

  /// Removes the segment with these numbers, which is not the last. The next run finds a gap there.
  package func remove(_ numbers: Range<UInt64>) {
    if let place = segments.dropLast().firstIndex(where: { $0.first == numbers.lowerBound }) { remove(at: place) }
  }

  private func removeFirst() { remove(at: 0) }

  private func remove(at place: Int) {
    let segment = segments.remove(at: place)
    if segment.isDamaged { try? setAside(segment) } else { try? files.remove(path(segment.first)) }
  }

  private func setAside(_ segment: Segment) throws(SystemErrno) {
    let path = path(segment.first)
    try files.rename(path, to: path + Self.damagedEnding)
  }
}
