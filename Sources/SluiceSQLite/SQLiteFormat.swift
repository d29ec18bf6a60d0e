import CSQLite
import SluiceReadings
import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// A SQLite database: a table for each stream, and the metadata in a table of its own.
package struct SQLiteFormat: OutputFormat {
  package static let name = "sqlite"
  package static let extensions = ["db", "sqlite", "sqlite3"]
  package static let takesPipes = false

  /// That of the library that is linked.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  package init(_ options: FormatOptions) {}

  package func metadata(of path: String) -> any MetadataStore { SQLiteMetadataStore(recording: path) }

  package func store(_ file: ClaimedFile, _ streams: EncoderStreams) -> any RecordStore { SQLiteStore(file, streams) }
}

/// Readings on their way into a database.
private final class SQLiteStore: RecordStore, @unchecked Sendable {
  // The lock of the sink protects what is gathered; `database` is used by the queue of the output alone once it has begun.

  /// Readings of a transaction. Each costs as much as some hundred readings.
  private static let batch = 2_048

  let file: ClaimedFile
  private let streams: EncoderStreams
  private var database: SQLiteRecording?
  private var readings: [Reading] = []
  private var described: [StreamDescription]
  /// Those that came since the last batch.
  private var news: [StreamDescription]?

  init(_ file: ClaimedFile, _ streams: EncoderStreams) {
    self.file = file
    self.streams = streams
    described = streams.streams
  }

  func begin() throws(SluiceError) {
    if file.existing == .overwrite {
      do throws(SystemErrno) {
        _ = try valueOrErrno { ftruncate(file.descriptor, 0) }
      } catch {
        throw SluiceError("overwrite", file.path, errno: error.code, remedy: "choose another name")
      }
      // Of the database that was there.
      for ending in ["-wal", "-shm", "-journal"] { unlink(file.path + ending) }
    }
    database = try SQLiteRecording(
      path: file.path, streams: streams.streams, raw: streams.raw, appends: file.existing == .append)
  }

  func append(_ readings: UnsafeBufferPointer<Reading>) -> Int {
    let count = min(readings.count, Self.batch - self.readings.count)
    let start = self.readings.count
    self.readings += readings[..<count]
    // The database knows its own streams only.
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

  func channels(of stream: Int) -> Int {
    let index = stream - streams.base
    return described.indices.contains(index) ? described[index].channels.count : 0
  }

  func describe(_ streams: [StreamDescription]) {
    described = streams
    news = streams
  }

  func close() throws(SluiceError) {
    let database = database
    self.database = nil
    // The descriptor last: the first that is closed takes the locks of all, for they belong to the process.
    let end = Result { () throws(SluiceError) in try database?.close() }
    try file.close()
    try end.get()
  }

  private final class Batch: RecordBatch {
    private let readings: [Reading]
    private let news: [StreamDescription]?
    private let database: SQLiteRecording
    private let base: Int
    private var isWritten = false

    init(_ readings: [Reading], _ news: [StreamDescription]?, _ database: SQLiteRecording, _ base: Int) {
      self.readings = readings
      self.news = news
      self.database = database
      self.base = base
    }

    var byteCount: Int { readings.count * MemoryLayout<Reading>.stride }

    func write() throws(SluiceError) {
      if let news { try database.add(streams: news) }
      // Typed throws do not go through a closure of the standard library before Swift 6.1.
      try readings.withUnsafeBufferPointer { readings in
        Result { () throws(SluiceError) in try database.write(readings) }
      }.get()
      try database.commit()
      isWritten = true
    }

    var unwritten: [Int: Int] {
      isWritten ? [:] : Dictionary(readings.map { (Int($0.stream.index) + base, 1) }, uniquingKeysWith: +)
    }
  }
}

/// The metadata in a database: one document for each run.
private struct SQLiteMetadataStore: MetadataStore {
  let recording: String
  var path: String? { nil }

  func read() throws(SluiceError) -> TraceMetadata? {
    try SQLiteTraceKind.metadata(try SQLiteMetadata.documents(of: recording), recording)
  }

  func begin(
    isAppending: Bool, hasRows: Bool, _ document: (EarlierMetadata?) -> String
  ) throws(SluiceError) -> EarlierMetadata? {
    // Those of earlier runs stay where they are.
    try SQLiteMetadata.append(document(nil), to: recording)
    return nil
  }

  func end(_ document: String) throws(SluiceError) { try SQLiteMetadata.replaceLast(of: recording, with: document) }

  func remove() {}
}
