import SluicePipeline
package import SluiceReadings
import SluiceRecording
import SluiceSystem

/// How many readings a recording has, by its metadata: no row is read of a file whose metadata says that it is whole, and
/// that was not changed since. The rows of every other file are counted.
package struct RecordedCounts {
  package let path: String
  /// The readings of each stream, in the order of the first files that have it.
  package private(set) var streams: [(name: String, readings: Int)] = []
  /// The files of which the metadata was enough.
  package private(set) var described = 0
  /// The files whose rows were counted, and why those of the first were.
  package private(set) var counted = 0
  package private(set) var reason: String?
  /// How the recording ended, if it did not finish; nil if it finished.
  package private(set) var unfinished: String?
  /// The readings that the recording is known to have lost.
  package private(set) var missed = 0
  /// The messages about the files.
  package private(set) var notes: [String] = []
  private var places: [ExactName: Int] = [:]
  private var withChannels: Set<ExactName> = []

  /// The number of readings in all streams.
  package var readings: Int { streams.reduce(0) { Self.sum($0, $1.readings) } }
  package var files: Int { described + counted }

  /// - Parameter path: A recording, the name of one in parts, or a folder of them.
  /// - Throws: If it cannot be read, or a file has no metadata.
  package init(_ path: String) throws(SluiceError) {
    self.path = path
    for series in try Self.series(path) {
      try series.check()
      if let text = series.missingText { notes.append(text) }
      var newest: TraceMetadata?
      for path in series.paths where FileIdentity(path: path)?.isRegular ?? false {
        // A run that was killed before its first write left no metadata.
        if !series.isFile, fileSize(of: path) == 0, !MetadataFile(beside: path).exists { continue }
        newest = try add(path)
      }
      if let newest, newest.state != .finished { unfinished = newest.unfinishedText }
    }
    guard files > 0 else {
      throw SluiceError(
        .notFound, "count the readings of", path, because: "it is a folder without a recording",
        remedy: "give a file, or the folder of a recording")
    }
    // As in a trace: a stage has left out all readings of these.
    streams.removeAll { $0.readings == 0 && !withChannels.contains(ExactName($0.name)) }
  }

  private static func series(_ path: String) throws(SluiceError) -> [RecordedParts] {
    guard let identity = FileIdentity(path: path) else {
      if let parts = RecordedParts(of: path, Compressions.all) { return [parts] }
      throw SluiceError(.notFound, "read", path, because: "there is no such file or folder")
    }
    guard identity.isDirectory else {
      // A part that is given is read alone.
      let (folder, name) = pathParts(path)
      return RecordedParts.all(of: [String(name)], in: String(folder), Compressions.all)
    }
    let folder = path.hasSuffix("/") ? path : path + "/"
    let paths = try recordings(in: path, endingIn: Traces.extensions)
    return RecordedParts.all(of: paths.map { String($0.dropFirst(folder.count)) }, in: folder, Compressions.all)
  }

  private mutating func add(_ path: String) throws(SluiceError) -> TraceMetadata {
    // Without it, the names of the streams may be those of another part.
    guard let metadata = try TraceMetadata(beside: path) else {
      throw SluiceError(
        .unsupported, "count the readings of", path, because: "it has no metadata that says how many there are",
        remedy: "leave out --quick, which reads all rows")
    }
    missed = Self.sum(missed, metadata.missed)
    for stream in metadata.streams ?? [] { add(stream, 0) }
    if let doubt = Self.doubt(path, metadata) {
      counted += 1
      if reason == nil { reason = "\(path): \(doubt)" }
      try count(path)
    } else {
      described += 1
      for account in metadata.ledger ?? [] { add(account.stream, account.written) }
    }
    return metadata
  }

  /// Why the metadata of a file may not say how many readings the file has; nil if it says so.
  private static func doubt(_ path: String, _ metadata: TraceMetadata) -> String? {
    if metadata.state != .finished || metadata.hasUnfinishedRun { return "its recording did not finish" }
    if metadata.repaired != nil { return "it was repaired" }
    if metadata.earlierRuns > 0 || metadata.hasUndescribedRows { return "it has the rows of several runs" }
    guard let ledger = metadata.ledger else { return "its metadata has no account" }
    guard ["csv", "jsonl"].contains(metadata.format) else { return "it is of a format with other metadata" }
    guard ledger.allSatisfy({ $0.written >= 0 }), Set(ledger.map { ExactName($0.stream) }).count == ledger.count else {
      return "its account is not that of a recording"
    }
    // The metadata of a file is written when its rows are on the disk.
    guard let rows = modificationTime(of: path), let described = modificationTime(of: metadata.path), rows <= described
    else { return "it was changed after its metadata was written" }
    let written = ledger.reduce(0) { sum($0, $1.written) }
    // A row has at least two bytes.
    let size = fileSize(of: path) ?? 0
    guard size > 0, Compressions.all.contains(where: { path.hasSuffix(".\($0.ending)") }) || size / 2 >= written else {
      return "it is shorter than its metadata says"
    }
    return nil
  }

  /// Counts the rows of a file.
  private mutating func count(_ path: String) throws(SluiceError) {
    // A recording that was killed may have left nothing.
    if fileSize(of: path) == 0 { return }
    var plan = ReplayPlan("")
    plan.files = [path]
    let trace = try plan.reader(plan.changes, warn: { _ in })
    var counts = Array(repeating: 0, count: trace.streams.count)
    var readings = [Reading](repeating: .empty, count: 512)
    while case let count = try trace.next(into: &readings), count > 0 {
      if trace.streams.count > counts.count {
        counts += Array(repeating: 0, count: trace.streams.count - counts.count)
      }
      for reading in readings[..<count] where counts.indices.contains(Int(reading.stream.index)) {
        counts[Int(reading.stream.index)] += 1
      }
    }
    for (stream, count) in zip(trace.streams, counts) { add(stream, count) }
  }

  private mutating func add(_ stream: StreamDescription, _ count: Int) {
    if !stream.channels.isEmpty { withChannels.insert(ExactName(stream.name)) }
    add(stream.name, count)
  }

  private mutating func add(_ name: String, _ count: Int) {
    if let place = places[ExactName(name)] {
      streams[place].readings = Self.sum(streams[place].readings, count)
    } else {
      places[ExactName(name)] = streams.count
      streams.append((name, count))
    }
  }

  private static func sum(_ a: Int, _ b: Int) -> Int {
    let (sum, isOverflow) = a.addingReportingOverflow(b)
    return isOverflow ? .max : sum
  }
}
