package import SluiceReadings

/// The metadata documents in a recording: one per run.
package enum SQLiteMetadata {
  /// Adds a document. During a recording use ``SQLiteRecording/appendMetadata(_:)``.
  /// - Returns: The number of the run.
  package static func append(
    _ document: String, to path: String, timeout: Int32 = 5_000
  ) throws(SluiceError) -> Int64 {
    let database = try opened(path, .writing, timeout)
    try append(document, to: database)
    return try database.integer("SELECT last_insert_rowid()") ?? 0
  }

  /// Replaces the document of a run.
  package static func replace(
    _ run: Int64, of path: String, with document: String, timeout: Int32 = 5_000
  ) throws(SluiceError) {
    let database = try opened(path, .writing, timeout)
    let update = try database.prepare("UPDATE sluice_metadata SET document = ?1 WHERE run = ?2")
    try update.bind(document, at: 1)
    try update.bind(run, at: 2)
    try update.run()
    if database.changes == 0 { try append(document, to: database) }
  }

  /// Replaces the last document, or adds the first one.
  package static func replaceLast(
    of path: String, with document: String, timeout: Int32 = 5_000
  ) throws(SluiceError) {
    try replaceLast(of: try opened(path, .writing, timeout), with: document)
  }

  /// All documents of a database that will be continued, the oldest first.
  /// - Parameter isInterrupted: Asked again and again; true ends it with the error `interrupted`.
  package static func documents(
    of path: String, timeout: Int32 = 5_000, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) -> [String] {
    do throws(SluiceError) {
      return try readDocuments(of: path, timeout, isInterrupted)
    } catch  where error.code == .permissionDenied {
      // A run that was killed while it created the file leaves a journal. Only a connection that may write can roll it
      // back.
      try DatabaseFiles.checkOwner(of: path, "append to")
      let database = try SQLiteDatabase(
        path: path, mode: .writing, action: "append to", timeout: timeout, isInterrupted: isInterrupted)
      _ = try SQLiteSchema.isEmpty(database)
      database.close()
      return try readDocuments(of: path, timeout, isInterrupted)
    }
  }

  private static func readDocuments(
    of path: String, _ timeout: Int32, _ isInterrupted: @escaping @Sendable () -> Bool
  ) throws(SluiceError) -> [String] {
    let database = try SQLiteDatabase(path: path, mode: .reading, timeout: timeout, isInterrupted: isInterrupted)
    // A run that was killed at once has created no tables.
    if try SQLiteSchema.isEmpty(database) { return [] }
    try SQLiteSchema.check(database)
    return try documents(of: database)
  }

  private static func opened(
    _ path: String, _ mode: SQLiteDatabase.Mode, _ timeout: Int32
  ) throws(SluiceError) -> SQLiteDatabase {
    let database = try SQLiteDatabase(path: path, mode: mode, timeout: timeout)
    try SQLiteSchema.check(database)
    return database
  }

  static func append(_ document: String, to database: SQLiteDatabase) throws(SluiceError) {
    let insert = try database.prepare("INSERT INTO sluice_metadata (document) VALUES (?1)")
    try insert.bind(document, at: 1)
    try insert.run()
  }

  static func replaceLast(of database: SQLiteDatabase, with document: String) throws(SluiceError) {
    let update = try database.prepare(
      "UPDATE sluice_metadata SET document = ?1 WHERE run = (SELECT max(run) FROM sluice_metadata)")
    try update.bind(document, at: 1)
    try update.run()
    if database.changes == 0 { try append(document, to: database) }
  }

  /// - Parameter limit: The most bytes of all documents.
  static func documents(
    of database: SQLiteDatabase, limit: Int = KeptText.limit
  ) throws(SluiceError) -> [String] {
    let rows = try database.prepareOrdered(
      "SELECT run, document FROM sluice_metadata ORDER BY run", of: "sluice_metadata")
    var documents: [String] = []
    var (last, kept) = (Int64?.none, KeptText(limit))
    while try rows.step() {
      let run = rows.integer(0)
      // In a damaged file, pages may lead back to earlier ones.
      if let last, run <= last {
        throw SQLiteSchema.malformed(database, "in sluice_metadata, run \(run) comes after run \(last)")
      }
      last = run
      try kept.add(rows, 1..<2, "metadata of runs")
      guard rows.kind(1) == .text, let document = rows.text(1) else {
        throw SQLiteSchema.malformed(database, "the document of run \(run) in sluice_metadata is no text")
      }
      documents.append(document)
    }
    return documents
  }
}
