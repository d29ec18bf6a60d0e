import CSQLite
package import SluiceReadings
import SluiceSystem

/// A connection to a database: a thin wrapper with errors as sentences.
///
/// One thread at a time uses it and its statements. The locks of SQLite belong to the whole process. Code that opens
/// and closes the file by other means during a connection releases them.
package final class SQLiteDatabase {
  package enum Mode { case reading, writing }

  package let path: String
  /// The action in errors: `write`.
  let action: String
  private var connection: OpaquePointer?
  private let watch: Watch

  /// The length of the longest text or row, for any file.
  static let longest: Int32 = 65 << 20

  /// Opens an existing file.
  /// - Parameters:
  ///   - timeout: The longest wait of a call for a lock of another program, in milliseconds.
  ///   - isInterrupted: Asked during each call, until ``unwatch()``; true ends the call with the error `interrupted`.
  package init(
    path: String, mode: Mode, action: String? = nil, timeout: Int32 = 5_000,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) {
    self.path = path
    watch = Watch(Self.mostSteps(of: path), isInterrupted)
    self.action = action ?? (mode == .reading ? "read" : "write")
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SluiceError(.notFound, self.action, path, because: "no file can have this name")
    }
    if let identity = FileIdentity(path: path), !identity.isRegular {
      throw SluiceError(
        .unsupported, self.action, path,
        because: identity.isDirectory
          ? "it is a folder" : "a database cannot be read from or written to a pipe or device")
    }
    try DatabaseFiles.check(beside: path, mode, self.action)
    if let failure = csqlite_load() {
      throw SluiceError(loading: "SQLite", because: failure, package: "libsqlite3-0")
    }
    // `:memory:` and `file:` have other meanings in SQLite.
    let name = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    let flags = (mode == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(name, &connection, flags, nil)
    guard code == SQLITE_OK, let connection else {
      defer { close() }
      throw error(connection.map { sqlite3_extended_errcode($0) } ?? code)
    }
    sqlite3_extended_result_codes(connection, 1)
    sqlite3_busy_timeout(connection, timeout)
    csqlite_distrust(connection)
    sqlite3_progress_handler(
      connection, Watch.interval,
      { $0.map { Unmanaged<Watch>.fromOpaque($0).takeUnretainedValue().goesOn() ? 0 : 1 } ?? 0 },
      Unmanaged.passUnretained(watch).toOpaque())
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Self.longest)
    // If the file is not writable, SQLite opens it for reading without an error.
    guard mode == .reading || sqlite3_db_readonly(connection, "main") == 0 else {
      close()
      throw SluiceError(self.action, path, errno: EACCES, remedy: "choose a file that you may write")
    }
  }

  deinit { close() }

  /// Closes the connection. Statements that still exist keep what they need.
  package func close() {
    if let connection { sqlite3_close_v2(connection) }
    connection = nil
  }

  /// Sets the longest wait for a lock, in milliseconds.
  func setTimeout(_ timeout: Int32) {
    if let connection { sqlite3_busy_timeout(connection, timeout) }
  }

  /// Asks no more whether to end, and limits the steps of no further call. After the opening, rows are read or written one by one,
  /// and each of them takes few steps.
  func unwatch() {
    if let connection { sqlite3_progress_handler(connection, 0, nil, nil) }
  }

  /// Runs statements without values.
  package func execute(_ sql: String) throws(SluiceError) {
    let connection = try opened()
    beginCall()
    try check(sqlite3_exec(connection, sql, nil, nil, nil))
  }

  package func prepare(_ sql: String) throws(SluiceError) -> SQLiteStatement {
    let connection = try opened()
    var statement: OpaquePointer?
    beginCall()
    try check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw error(SQLITE_MISUSE) }
    return SQLiteStatement(statement, of: self)
  }

  /// Prepares a query of a table whose rows are in the order of a key. A table of somebody else may have no such key. SQLite
  /// would sort its rows before the first one comes, and in a damaged file these have no end.
  func prepareOrdered(_ sql: String, of table: String) throws(SluiceError) -> SQLiteStatement {
    let plan = try prepare("EXPLAIN QUERY PLAN " + sql)
    while try plan.step() {
      if plan.text(3)?.contains("TEMP B-TREE") ?? false {
        throw SQLiteSchema.malformed(
          self, "its table \"\(table)\" has no key by which its rows are in order")
      }
    }
    return try prepare(sql)
  }

  /// The first value of the first row; nil if there is none, or if it is NULL.
  package func integer(_ sql: String) throws(SluiceError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() && statement.kind(0) != .null ? statement.integer(0) : nil
  }

  /// Counts the steps anew.
  @inline(__always)
  func beginCall() { watch.steps = 0 }

  /// Whether a transaction is open. SQLite ends a transaction by itself after some errors.
  package var isInTransaction: Bool { connection.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// The number of rows that the last statement changed.
  var changes: Int { connection.map { Int(sqlite3_changes($0)) } ?? 0 }

  private func opened() throws(SluiceError) -> OpaquePointer {
    guard let connection else { throw SluiceError(.usage, action, path, because: "it has been closed") }
    return connection
  }

  // MARK: Errors

  @inline(__always)
  func check(_ code: Int32) throws(SluiceError) {
    if code != SQLITE_OK { throw error(code) }
  }

  /// The error of a failed call.
  /// - Parameter code: The code, extended or not.
  func error(_ code: Int32) -> SluiceError {
    if code & 0xff == SQLITE_INTERRUPT {
      return watch.isTooLong
        ? SQLiteDatabase.error(
          SQLITE_CORRUPT, action, path, said: "there is more to read than its size allows", system: 0)
        : SluiceError(.interrupted, action, path, because: "it was asked to stop", errno: EINTR)
    }
    let said = connection.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    let system = connection.map { sqlite3_system_errno($0) } ?? 0
    return SQLiteDatabase.error(code, action, path, said: said, system: system)
  }

  /// - Parameters:
  ///   - said: The message of SQLite.
  ///   - system: The error number of the last failed system call, or 0.
  static func error(
    _ code: Int32, _ action: String, _ path: String, said: String, system: Int32
  ) -> SluiceError {
    switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED:
      return SluiceError(
        .busy, action, path, because: "another program has locked it",
        remedy: "close it in that program, or try again later", errno: EBUSY)
    case SQLITE_NOTADB:
      return SluiceError(.malformed, action, path, because: "it is not a database")
    case SQLITE_FULL:
      return full(action, path)
    case SQLITE_CORRUPT:
      return SluiceError(
        .malformed, action, path, because: "it is damaged (\(said))",
        remedy: "save what can be read with sqlite3 and its .recover")
    case SQLITE_READONLY where code == readOnlyMoved:
      return SluiceError(.failed, action, path, because: "it was moved or removed after it had been opened")
    case SQLITE_READONLY where action == "read":
      return SluiceError(
        .permissionDenied, action, path,
        because: "the program that wrote it last did not close it, so that it can be read only where it can be written",
        remedy: "copy it, with all files whose names begin like its own, to a folder that you may write to",
        errno: EROFS)
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      return SluiceError(
        .permissionDenied, action, path, because: "it cannot be written", remedy: "choose a file that you may write",
        errno: EACCES)
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      if SystemErrno.ofFullDisk.contains(system) { return full(action, path) }
      if system != 0 { return SluiceError(action, path, errno: system, remedy: remedy(system, action)) }
      return SluiceError(
        .failed, action, path, because: said,
        remedy: code & 0xff == SQLITE_CANTOPEN ? "check that you may read and write it and its folder" : nil)
    case SQLITE_NOMEM:
      return SluiceError(.failed, action, path, because: "there is not enough memory", errno: ENOMEM)
    case SQLITE_TOOBIG:
      return SluiceError(.malformed, action, path, because: "a text or a row in it is too long")
    case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_CONSTRAINT:
      // The statements are correct, so the tables are wrong.
      return SluiceError(.malformed, action, path, because: "its tables are not as they should be (\(said))")
    default:
      return SluiceError(.failed, action, path, because: said)
    }
  }

  /// What SQLite asks during a call, in the thread of this call.
  private final class Watch {
    /// The steps of the machine of SQLite between two questions: a fraction of a millisecond.
    static let interval: Int32 = 1_000

    /// The steps of this call.
    var steps: Int64 = 0
    private(set) var isTooLong = false
    private let most: Int64
    private let isInterrupted: @Sendable () -> Bool

    init(_ most: Int64, _ isInterrupted: @escaping @Sendable () -> Bool) {
      (self.most, self.isInterrupted) = (most, isInterrupted)
    }

    func goesOn() -> Bool {
      steps += Int64(Self.interval)
      isTooLong = steps > most
      return !isTooLong && !isInterrupted()
    }
  }

  /// The most steps of one call, for a file of this size. A call reads a table a few times at most, mostly that of the schema. Each
  /// of its rows has 60 bytes or more, and takes some 20 steps. But in a damaged file, a tree can have a page any number of times.
  private static func mostSteps(of path: String) -> Int64 {
    let sizes = [path, path + "-wal"].map { (try? SystemFiles().status(at: $0))?.size ?? 0 }
    return 4_000_000 + 8 * min(sizes.reduce(0, +), 1 << 50)
  }

  private static let readOnlyMoved = SQLITE_READONLY | (4 << 8)

  private static func full(_ action: String, _ path: String) -> SluiceError {
    SluiceError(action, path, errno: ENOSPC, remedy: "free some space")
  }

  private static func remedy(_ errno: Int32, _ action: String) -> String? {
    switch errno {
    case EACCES, EPERM, EROFS:
      action == "read"
        ? "read it as a user who may, or copy it to a folder that you may write to" : "choose a file that you may write"
    default: nil
    }
  }
}
