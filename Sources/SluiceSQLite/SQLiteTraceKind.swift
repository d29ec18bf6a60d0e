package import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// A recording in a SQLite database.
package enum SQLiteTraceKind: TraceKind {
  package static let form = "a SQLite database that sluice has written"
  package static let extensions = SQLiteFormat.extensions

  /// See https://sqlite.org/fileformat2.html, section 1.2
  private static let magic = Array("SQLite format 3\0".utf8)

  package static func recognizes(_ beginning: [UInt8]) -> Bool { beginning.starts(with: magic) }

  package static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    try file.checkPath("a database")
    let input = file.input
    // The last readings of another program may be in its log.
    let companions = ["-wal", "-shm", "-journal"].compactMap { ending in
      FileIdentity(path: file.path + ending).map { TraceInput(identity: $0, path: file.path + ending) }
    }
    // SQLite opens the file itself. Its locks would end when this process closes any other descriptor of the file.
    file.close()
    let trace = try SQLiteTrace(path: file.path, isInterrupted: options.isInterrupted)
    trace.sayRounded(options.warn)
    let metadata = try metadata(try trace.documents(), file.path, options.times)
    return OpenTrace(
      decoder: SQLiteDecoder(trace, metadata), metadata: metadata, inputs: [input] + companions, hasFlags: true)
  }

  /// The metadata of all runs; nil if there is none.
  static func metadata(
    _ documents: [String], _ path: String, _ times: TraceTimes = .recorded
  ) throws(SluiceError) -> TraceMetadata? {
    var all: [TraceMetadata] = []
    for document in documents { all.append(try TraceMetadata(Array(document.utf8), path: path).timed(times)) }
    return all.popLast().map { TraceMetadata(newest: $0, earlier: all) }
  }
}

/// Decodes a database. It is read once, and never waits.
private final class SQLiteDecoder: TraceDecoder {
  private let trace: SQLiteTrace
  private var marks: TraceMarks

  init(_ trace: SQLiteTrace, _ metadata: TraceMetadata?) {
    self.trace = trace
    marks = TraceMarks(metadata, trace.streams, rowsHaveFlags: true)
    list = StreamList(trace.streams)
  }

  let list: StreamList
  var hasNext: Bool { true }
  var mayWait: Bool { false }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    let count = try trace.read(into: target)
    marks.flag(UnsafeMutableBufferPointer(rebasing: target[..<count]))
    return count
  }
}
