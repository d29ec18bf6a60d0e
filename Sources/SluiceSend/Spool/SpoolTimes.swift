import SluiceLog
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The latest time of each stream in a spool, over all runs: `times.json` in its folder.
///
/// It is written when a segment ends, and at the end. What came behind it is read from the log, so that a start after a kill
/// reads little.
struct SpoolTimes {
  private struct Document: Codable {
    /// The sequence number of the first reading that it does not cover.
    var next: UInt64
    /// By the name of the stream, in nanoseconds since the epoch.
    var streams: [String: Int64]
  }

  static let name = SegmentLog.noteName

  private static func document(_ bytes: [UInt8]) -> Document? { try? JSON(parsing: bytes).decode() }

  private var document: Document
  private let path: String
  private let disk: Disk
  private var names: [String]
  /// By stream of this run.
  private var latest: [Int64]

  /// Reads the times of a log.
  init(_ log: SegmentLog, _ streams: [StreamDescription], _ disk: Disk) {
    path = "\(log.folder)/\(Self.name)"
    self.disk = disk
    (names, latest) = (streams.map(\.name), Array(repeating: Int64.min, count: streams.count))
    let bytes = try? disk.files.contents(of: path, limit: 1 << 22)
    let known = bytes.flatMap(Self.document)
    // If the file names readings behind the end of the log, the log had them and they are lost.
    if let known { log.had(before: known.next) }
    // Without the file, the last two segments say enough, as times grow.
    let first = log.endedSegments.last?.lowerBound ?? log.oldest
    document = known ?? Document(next: first, streams: [:])
    for group in log.describedGroups where group.numbers.upperBound > document.next {
      let described = (try? TraceMetadata(group.streams, path: log.folder).streams) ?? nil
      add(log, group.numbers.clamped(to: document.next..<max(document.next, log.next)), described?.map(\.name) ?? [])
    }
    document.next = log.next
  }

  private mutating func add(_ log: SegmentLog, _ numbers: Range<UInt64>, _ names: [String]) {
    var latest = Array(repeating: Int64.min, count: names.count)
    var reader = log.reader(from: numbers.lowerBound)
    defer { reader.close() }
    reading: while true {
      switch try? reader.next() {
      case .readings(let first, let readings)?:
        guard first < numbers.upperBound else { break reading }
        Self.note(readings, in: &latest)
      case .lost(let gap)?: guard gap.upperBound < numbers.upperBound else { break reading }
      case .end?, nil: break reading
      }
    }
    merge(latest, names)
  }

  private static func note(_ readings: [Reading], in latest: inout [Int64]) {
    for reading in readings {
      let stream = Int(reading.stream.index)
      if stream < latest.count, reading.time > latest[stream] { latest[stream] = reading.time }
    }
  }

  private mutating func merge(_ latest: [Int64], _ names: [String]) {
    for (name, time) in zip(names, latest) where time > .min {
      document.streams[name] = max(document.streams[name] ?? .min, time)
    }
  }

  /// By stream of this run, the latest time of all earlier runs.
  func earlier(_ streams: [StreamDescription]) -> [Int64] { streams.map { document.streams[$0.name] ?? .min } }

  /// Notes readings that were appended.
  mutating func note(_ readings: [Reading]) { Self.note(readings, in: &latest) }

  mutating func describe(_ streams: [StreamDescription]) {
    names = streams.map(\.name)
    while latest.count < names.count { latest.append(.min) }
  }

  /// Writes the file. Without it, the log says the same.
  /// - Parameter next: The sequence number behind what was noted, and is synced.
  mutating func write(_ next: UInt64) {
    merge(latest, names)
    document.next = next
    write(document, to: path)
  }

  /// Writes the file of a new spool, whose board has already sent readings with these times.
  func begin(in folder: String) { write(Document(next: 0, streams: document.streams), to: "\(folder)/\(Self.name)") }

  private func write(_ document: Document, to path: String) {
    // Encoding texts and numbers cannot fail.
    let text = (try? JSON(encoding: document))?.lines() ?? ""
    // Synced, or a power cut could leave an empty file.
    try? disk.files.replace(path, with: Array((text + "\n").utf8), syncs: disk.syncs)
  }
}
