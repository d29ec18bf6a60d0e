import CSQLite
import Sluice
import SluiceReadings
package import SluiceRecording

/// A SQLite database: one table per stream, and a table for the metadata.
package struct SQLiteFormat: RecordingFormat {
  package static let name = "sqlite"
  package static let extensions = ["db", "sqlite", "sqlite3"]
  /// False, because a query can round the exact numbers.
  package static let takesDecimals = false
  package static let hasParts = false
  package static let takesPipes = false

  /// The version of the library; nil if it is not installed.
  package static var libraryVersion: String? { csqlite_load() == nil ? String(cString: sqlite3_libversion()) : nil }

  package init(_ options: FormatOptions) {}

  /// See https://sqlite.org/tempfiles.html
  package func companions(of path: String) -> [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }

  package func metadata(of path: String, _ disk: Disk) -> any MetadataStore { SQLiteMetadataStore(path, disk) }

  package func store(_ file: ClaimedFile, _ streams: EncoderStreams) -> any RecordStore { SQLiteStore(file, streams) }
}

/// Gathers readings and writes them into a database.
private final class SQLiteStore: RecordStore, @unchecked Sendable {
  // The lock of the sink protects the gathered readings. After the beginning, only the queue of the output uses
  // `database`.

  /// The readings per transaction. A transaction costs as much as some hundred readings.
  private static let batch = 2_048

  private let file: ClaimedFile
  private let streams: EncoderStreams
  private var database: SQLiteRecording?
  private var readings: [Reading] = []
  /// All streams, if some were added since the last batch.
  private var news: [StreamDescription]?

  init(_ file: ClaimedFile, _ streams: EncoderStreams) {
    self.file = file
    self.streams = streams
  }

  func check() throws(SluiceError) {
    let isInterrupted = file.disk.isInterrupted
    if file.isContinued { try SQLiteRecording.check(file.path, isInterrupted: isInterrupted) }
    // A database that another program is writing is not emptied.
    if file.existing == .overwrite {
      try SQLiteRecording.checkIsUnlocked(file.path, isInterrupted: isInterrupted)
    }
  }

  func begin(_ found: (OutputEvent) -> Void) throws(SluiceError) {
    // SQLite removes the log of an empty database.
    try file.empty()
    database = try SQLiteRecording(
      path: file.path, streams: streams.streams, raw: streams.raw, appends: file.existing == .append,
      isInterrupted: file.disk.isInterrupted)
  }

  func discard() {
    try? database?.close()
    database = nil
  }

  func append(_ readings: UnsafeBufferPointer<Reading>) -> Int {
    let count = min(readings.count, Self.batch - self.readings.count)
    let start = self.readings.count
    self.readings += readings[..<count]
    // The database knows only its own streams.
    if streams.base > 0 {
      for index in start..<start + count {
        self.readings[index].stream.index -= UInt16(truncatingIfNeeded: streams.base)
      }
    }
    return count
  }

  var isFull: Bool { readings.count >= Self.batch }
  var isEmpty: Bool { readings.isEmpty }

  func batch() -> (any RecordBatch)? {
    guard !readings.isEmpty, let database else { return nil }
    defer {
      readings = []
      news = nil
    }
    return Batch(readings, news, database, streams.base)
  }

  func describe(_ streams: [StreamDescription]) {
    news = streams
  }

  func sync() throws(SluiceError) { try database?.sync() }

  func close() throws(SluiceError) {
    let database = database
    self.database = nil
    // The descriptor is closed last, because closing any descriptor of the file releases all locks of the process.
    let end = Result { () throws(SluiceError) in try database?.close() }
    try file.close()
    try end.get()
  }

  private final class Batch: RecordBatch {
    private let rows: [Reading]
    private let news: [StreamDescription]?
    private let database: SQLiteRecording
    private let base: Int
    private var isInserted = false
    private var isWritten = false

    init(_ readings: [Reading], _ news: [StreamDescription]?, _ database: SQLiteRecording, _ base: Int) {
      rows = readings
      self.news = news
      self.database = database
      self.base = base
    }

    var byteCount: Int { rows.count * MemoryLayout<Reading>.stride }

    func write() throws(SluiceError) {
      if !(isInserted && database.isOpen) {
        if let news { try database.add(streams: news) }
        // Before Swift 6.1, typed throws do not pass through closures of the standard library.
        try rows.withUnsafeBufferPointer { readings in
          Result { () throws(SluiceError) in try database.write(readings) }
        }.get()
        isInserted = true
      }
      try database.commit()
      isWritten = true
    }

    func count(into counts: inout [Int]) {
      for reading in rows {
        let stream = Int(reading.stream.index) + base
        while counts.count <= stream { counts.append(0) }
        counts[stream] += 1
      }
    }

    private var readings: [Int: Int] {
      Dictionary(rows.map { (Int($0.stream.index) + base, 1) }, uniquingKeysWith: +)
    }

    var unwritten: [Int: Int] { isWritten ? [:] : readings }
  }
}

/// The metadata in a database: one document per run.
private final class SQLiteMetadataStore: MetadataStore {
  private let recording: String
  /// The longest wait for a lock at the end of a run, in milliseconds. The user has stopped the run and is waiting, and
  /// already knows about the lock.
  private static let patience: Int32 = 500
  /// The number of the current run.
  private let run = Locked<Int64?>(nil)
  /// Asked while the documents of the earlier runs are read, but not while those of this run are written: at the end of a run
  /// it says true.
  private let isInterrupted: @Sendable () -> Bool

  init(_ recording: String, _ disk: Disk) { (self.recording, isInterrupted) = (recording, disk.isInterrupted) }

  var paths: [String] { [] }

  func read() throws(SluiceError) -> TraceMetadata? {
    try SQLiteTraceKind.metadata(try SQLiteMetadata.documents(of: recording, isInterrupted: isInterrupted), recording)
  }

  func begin(
    isAppending: Bool, hasRows: Bool, _ document: (EarlierMetadata?) -> String
  ) throws(SluiceError) -> EarlierMetadata? {
    // Documents of earlier runs stay.
    let number = try SQLiteMetadata.append(document(nil), to: recording)
    run.withLock { $0 = number }
    return nil
  }

  func end(_ document: String, short: () -> String) throws(SluiceError) {
    if let run = run.withLock({ $0 }) {
      try SQLiteMetadata.replace(run, of: recording, with: document, timeout: Self.patience)
    } else {
      _ = try SQLiteMetadata.append(document, to: recording, timeout: Self.patience)
    }
  }

  func remove() {}
}
