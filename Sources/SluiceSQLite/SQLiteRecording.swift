import CSQLite
package import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Writes readings into a database: one table per stream, one row per reading, one column per channel.
///
/// Other programs can read it during the recording, and see the last commit. The same is true after a crash of this
/// program. After a power cut, the last commits may be missing, but no commit is ever incomplete.
///
/// `id` numbers all readings of the file, so that the order of readings of different streams is known. A value has the
/// same digits as in a CSV file: see ``StoredNumber``.
///
/// One thread at a time uses it.
package final class SQLiteRecording {
  package let path: String
  let database: SQLiteDatabase
  private let isRaw: Bool
  private let timeout: Int32
  private var stored: [StoredStream] = []
  /// Streams of earlier recordings in this file that this recording does not have, by name.
  private var earlier: [[UInt8]: [Int]] = [:]
  private var names = SQLiteNames([])
  private var tables: [StreamTable] = []
  private var nextID: Int64 = 1
  /// The error after which nothing more is written.
  private var failure: SluiceError?
  /// ``nextID`` at the start of the transaction.
  private var firstID: Int64 = 1
  /// Whether the name of the log is on the disk.
  private var hasSyncedFolder = false
  /// Whether the transaction has created tables or columns.
  private var changesTables = false

  /// - Parameters:
  ///   - path: An existing file, either empty or an earlier recording to continue.
  ///   - streams: The streams in the order of their ``StreamID``.
  ///   - raw: Whether values are written without scale and offset.
  ///   - timeout: The longest wait of a call for a lock of another program, in milliseconds.
  ///   - isInterrupted: Asked again and again until it is ready to write; true ends it with the error `interrupted`.
  package init(
    path: String, streams: [StreamDescription], raw: Bool, appends: Bool, timeout: Int32 = 5_000,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) {
    self.path = path
    isRaw = raw
    self.timeout = timeout
    if appends { try DatabaseFiles.checkOwner(of: path, "append to") }
    database = try SQLiteDatabase(
      path: path, mode: .writing, action: appends ? "append to" : "write", timeout: timeout,
      isInterrupted: isInterrupted)
    if try !SQLiteSchema.isEmpty(database) {
      guard appends else {
        throw SluiceError(
          .alreadyExists, "write", path, because: "there is something in it", remedy: "choose another name")
      }
      // Checked before anything is changed.
      try SQLiteSchema.check(database)
    }
    // Without shared memory in the file system, the journal mode stays unchanged, and readers wait for a commit.
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE")
    if try SQLiteSchema.isEmpty(database) {
      try SQLiteSchema.create(in: database)
    } else {
      try SQLiteSchema.check(database)
      try readEarlier()
    }
    let taken = try database.prepare("SELECT name FROM sqlite_master")
    var kept = KeptText()
    while try taken.step() {
      try kept.add(taken, 0..<1, "names of tables")
      names.insert(taken.text(0) ?? "")
    }
    taken.reset()
    try resolve(streams)
    try commit()
    // What is written has no limit, and a run that is asked to stop writes its last readings.
    database.unwatch()
  }

  private func readEarlier() throws(SluiceError) {
    try SQLiteSchema.checkExpressions(of: ["sluice_streams", "sluice_channels", "sluice_metadata"], database)
    stored = try SQLiteSchema.streams(of: database)
    try SQLiteSchema.checkExpressions(of: stored.map(\.table), database)
    var last: Int64 = 0
    for (index, stream) in stored.enumerated() {
      earlier[Array(stream.description.name.utf8), default: []].append(index)
      last = max(last, try database.integer("SELECT max(id) FROM \(SQLiteNames.quoted(stream.table))") ?? 0)
    }
    guard last < .max / 2 else { throw SQLiteSchema.malformed(database, "one of its readings has the id \(last)") }
    nextID = last + 1
  }

  // MARK: Readings

  /// Whether there are written readings without a commit.
  package var isOpen: Bool { database.isInTransaction }

  /// The number of committed readings of each stream, in the order of the streams.
  package var committed: [Int] { tables.map(\.committed) }

  /// Writes readings into the open transaction, or into a new one. A reading of an unknown stream makes no row.
  ///
  /// After an error, nothing of the transaction is written. If the disk is full or away, or another program has locked
  /// the file, the write can be tried again. After any other error, nothing more is written.
  package func write(_ readings: UnsafeBufferPointer<Reading>) throws(SluiceError) {
    try begin()
    do throws(SluiceError) {
      try insert(readings)
    } catch {
      throw fail(error)
    }
  }

  private func insert(_ readings: UnsafeBufferPointer<Reading>) throws(SluiceError) {
    guard let first = readings.baseAddress else { return }
    var next = 0
    while next < readings.count {
      let end = readings.endOfNeighbours(from: next)
      defer { next = end }
      let stream = Int(first[next].stream.index)
      guard stream < tables.count else { continue }
      let table = tables[stream]
      for reading in next..<end {
        try database.check(table.write(first + reading, id: nextID))
        table.pending += 1
        nextID += 1
      }
    }
  }

  private func begin() throws(SluiceError) {
    if let failure { throw failure }
    guard !database.isInTransaction else { return }
    try database.execute("BEGIN IMMEDIATE")
    firstID = nextID
    changesTables = false
  }

  /// Commits: other programs then see the readings, and a crash of this program does not lose them.
  ///
  /// After an error nothing is committed, as with ``write(_:)``. If the transaction is still open, because another
  /// program reads the file, the commit alone can be tried again.
  package func commit() throws(SluiceError) {
    if let failure { throw failure }
    guard database.isInTransaction else { return }
    do throws(SluiceError) {
      try database.execute("COMMIT")
    } catch  where error.code == .busy && database.isInTransaction {
      throw error
    } catch {
      throw fail(error)
    }
    for table in tables {
      table.committed += table.pending
      table.pending = 0
    }
  }

  /// Checks whether readings can be appended. It changes nothing.
  package static func check(
    _ path: String, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) {
    try DatabaseFiles.checkOwner(of: path, "append to")
    let database = try SQLiteDatabase(
      path: path, mode: .reading, action: "append to", isInterrupted: isInterrupted)
    defer { database.close() }
    if try !SQLiteSchema.isEmpty(database) { try SQLiteSchema.check(database) }
  }

  /// Checks whether nobody has locked the file, if it is a database.
  package static func checkIsUnlocked(
    _ path: String, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) {
    do throws(SluiceError) {
      let database = try SQLiteDatabase(
        path: path, mode: .writing, action: "overwrite", isInterrupted: isInterrupted)
      defer { database.close() }
      if try !SQLiteSchema.isEmpty(database) { try database.execute("BEGIN EXCLUSIVE; ROLLBACK") }
    } catch  where error.code == .busy || error.code == .interrupted {
      throw error
    } catch {
      // It is not a database.
    }
  }

  private func fail(_ error: SluiceError) -> SluiceError {
    let comesBack = error.errno.map { $0 == EBUSY || SystemErrno.ofDisk.contains($0) } ?? false
    // The tables of the transaction are gone, but this object would treat them as existing.
    if !comesBack || changesTables { failure = error }
    // SQLite may have rolled back already.
    if database.isInTransaction { try? database.execute("ROLLBACK") }
    nextID = firstID
    for table in tables { table.pending = 0 }
    return error
  }

  /// Syncs: all commits are on the disk when it returns.
  ///
  /// It syncs the log without merging it. After a power cut, SQLite reads the commits from the log.
  package func sync() throws(SluiceError) {
    do throws(SystemErrno) {
      // Not through SQLite, because a sync of SQLite would merge the log. The log has no lock that closing it could
      // release.
      let log = try openFile("\(path)-wal", O_WRONLY)
      defer { closeFile(log) }
      _ = try valueOrErrno { fdatasync(log) }
      if !hasSyncedFolder { try SystemFiles().sync(folder: folder(of: path)) }
      hasSyncedFolder = true
    } catch  where error.code == ENOENT {
      // Either there was nothing to commit yet, or the file system has no shared memory. In the second case each commit
      // is synced.
    } catch {
      throw SluiceError(
        "sync", path, errno: error.code,
        remedy: "what was written since the last sync may be lost; see dmesg, and replace the disk if it fails")
    }
  }

  /// Commits, and merges the database into a single file.
  ///
  /// If another program reads the database, the last program that closes it merges it. Until then, the last readings
  /// are in a file `-wal`.
  package func close() throws(SluiceError) {
    defer {
      tables = []
      database.close()
      failure = failure ?? SluiceError(.usage, "write", path, because: "it has been closed")
    }
    try commit()
    // The recording has ended, so a long wait for a lock has no use any more.
    database.setTimeout(min(timeout, 1_000))
    do throws(SluiceError) {
      // A program that has the file open without reading it prevents the second statement, not the first.
      try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      try database.execute("PRAGMA journal_mode = DELETE")
    } catch {
      guard error.code != .busy else { return }
      throw SluiceError(
        error.code, "finish", path, because: error.cause,
        remedy: "keep the file \(path)-wal beside it, which has its last readings", errno: error.errno)
    }
  }

  // MARK: Metadata

  /// Adds a document about this run, and commits.
  package func appendMetadata(_ document: String) throws(SluiceError) {
    try begin()
    do throws(SluiceError) {
      try SQLiteMetadata.append(document, to: database)
    } catch {
      throw fail(error)
    }
    try commit()
  }

  /// Replaces the last document, and commits.
  package func replaceMetadata(_ document: String) throws(SluiceError) {
    try begin()
    do throws(SluiceError) {
      try SQLiteMetadata.replaceLast(of: database, with: document)
    } catch {
      throw fail(error)
    }
    try commit()
  }

  // MARK: Streams

  /// Creates tables and columns for new streams and channels, in the open transaction or in a new one.
  /// - Parameter streams: All streams: first the known ones, possibly with more channels, and then the new ones.
  package func add(streams: [StreamDescription]) throws(SluiceError) {
    try begin()
    changesTables = true
    do throws(SluiceError) {
      try resolve(streams)
    } catch {
      throw fail(error)
    }
  }

  private func resolve(_ streams: [StreamDescription]) throws(SluiceError) {
    for (number, stream) in streams.enumerated() {
      guard number < tables.count else {
        tables.append(try table(for: stream, at: nil))
        continue
      }
      let old = tables[number]
      guard stream.channels.count > old.channels else { continue }
      tables[number] = try table(for: stream, at: old.stored)
      tables[number].pending = old.pending
      tables[number].committed = old.committed
    }
    // Each table is written at its end. If these pages stay in memory, none is read back. They take at most 64 MiB.
    try database.execute("PRAGMA cache_size = \(min(max(500, 4 * tables.count), 16_384))")
  }

  /// - Parameter index: The index of the stream in the file, if it is known.
  private func table(for stream: StreamDescription, at index: Int?) throws(SluiceError) -> StreamTable {
    guard stream.channels.count <= Values.capacity else { throw tooMany(stream, stream.channels.count) }
    let index = if let known = index ?? takeEarlier(stream) { known } else { try create(stream) }
    // If channels have the same name, the first has the first column.
    var free = Array(stored[index].description.channels.indices)
    var columns: [String] = []
    for channel in stream.channels {
      let position: Int
      if let place = free.firstIndex(where: {
        stored[index].description.channels[$0].name.utf8.elementsEqual(channel.name.utf8)
      }) {
        position = free.remove(at: place)
        try checkMeaning(of: channel, stream, at: position, of: stored[index].description)
      } else {
        position = try addColumn(channel, of: stream, at: index)
      }
      columns.append(stored[index].columns[position].name)
    }
    return try StreamTable(
      stream, isRaw: isRaw, table: stored[index].table, columns: columns, stored: index, of: database)
  }

  private func takeEarlier(_ stream: StreamDescription) -> Int? {
    let name = Array(stream.name.utf8)
    guard let indices = earlier[name], let index = indices.first else { return nil }
    earlier[name] = Array(indices.dropFirst())
    return index
  }

  private func isScaled(_ stream: StreamDescription) -> Bool { !isRaw || stream.isScaled }

  /// Checks that the values of one column always have the same meaning.
  private func checkMeaning(
    of channel: StreamDescription.Channel, _ stream: StreamDescription, at position: Int,
    of earlier: StreamDescription
  ) throws(SluiceError) {
    let before = earlier.channels[position]
    let scaled = isScaled(stream)
    var difference: String?
    if before.unit != channel.unit {
      difference = "has \(before.unit ?? "no unit") there, and \(channel.unit ?? "no unit") now"
    } else if !(before.isPlain && channel.isPlain) {
      if earlier.isScaled != scaled {
        difference = scaled ? "has raw values there, and scaled ones now" : "has scaled values there, and raw ones now"
      } else if !scaled, before.scale != channel.scale || before.offset != channel.offset {
        difference = "has another scale or offset there"
      }
    }
    guard let difference else { return }
    throw SluiceError(
      .malformed, "append to", path, because: "\"\(channel.name)\" of \"\(stream.name)\" \(difference)",
      remedy: "write to another file")
  }

  private func create(_ stream: StreamDescription) throws(SluiceError) -> Int {
    let key = (stored.last?.key ?? -1) + 1
    guard key < SQLiteSchema.streamLimit else {
      throw SluiceError(
        .unsupported, "write", path, because: "it would have more than \(SQLiteSchema.streamLimit) streams")
    }
    var taken = SQLiteNames.columns
    let table = names.distinctTable(stream.name)
    let columns = stream.channels.indices.map { number in
      StoredStream.StoredColumn(
        key: Int64(number), name: taken.distinct(stream.channels[number].name, or: "value"))
    }
    let names = columns.map { ", " + SQLiteNames.quoted($0.name) }.joined()
    try database.execute(
      "CREATE TABLE \(SQLiteNames.quoted(table)) (id INTEGER PRIMARY KEY, time_ns INTEGER NOT NULL\(names), flags INTEGER)"
    )
    var description = stream
    description.isScaled = isScaled(stream)
    let row = try database.prepare("INSERT INTO sluice_streams VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
    try row.bind(key, at: 1)
    let device = stream.device
    for (index, text) in [stream.name, table, device?.path, device?.bus, device?.label, device?.name].enumerated() {
      try row.bind(text, at: index + 2)
    }
    try row.bind(Int64(description.isScaled ? 1 : 0), at: 8)
    try row.bind(Int64(stream.hasForeignColumns ? 1 : 0), at: 9)
    try row.run()
    for (column, channel) in zip(columns, stream.channels) { try describe(channel, column, of: key) }
    stored.append(StoredStream(key: key, table: table, description: description, columns: columns))
    return stored.count - 1
  }

  /// - Returns: The index of the column among the channels of the stream in the file.
  private func addColumn(
    _ channel: StreamDescription.Channel, of stream: StreamDescription, at index: Int
  ) throws(SluiceError) -> Int {
    let table = stored[index].table
    let key = (stored[index].columns.last?.key ?? -1) + 1
    guard key < Values.capacity else { throw tooMany(stream, Int(key) + 1) }
    // Other programs may have added columns to the file.
    var taken = SQLiteNames.columns
    let columns = try database.prepare("SELECT name FROM pragma_table_xinfo(?1)")
    try columns.bind(table, at: 1)
    while try columns.step() { taken.insert(columns.text(0) ?? "") }
    columns.reset()
    let column = StoredStream.StoredColumn(key: key, name: taken.distinct(channel.name, or: "value"))
    try database.execute(
      "ALTER TABLE \(SQLiteNames.quoted(table)) ADD COLUMN \(SQLiteNames.quoted(column.name))")
    try describe(channel, column, of: stored[index].key)
    stored[index].columns.append(column)
    stored[index].description.channels.append(channel)
    return stored[index].columns.count - 1
  }

  private func describe(
    _ channel: StreamDescription.Channel, _ column: StoredStream.StoredColumn, of stream: Int64
  ) throws(SluiceError) {
    let (scale, offset) = (channel.scale.description, channel.offset.description)
    guard ExactDecimal(scale) != nil, ExactDecimal(offset) != nil else {
      throw SluiceError(
        .unsupported, "write", path, because: "scale or offset of \"\(channel.name)\" is no number of 64 bits")
    }
    let row = try database.prepare("INSERT INTO sluice_channels VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
    try row.bind(stream, at: 1)
    try row.bind(column.key, at: 2)
    let texts = [channel.name, column.name, channel.unit, channel.format, scale, offset]
    for (index, text) in texts.enumerated() { try row.bind(text, at: index + 3) }
    try row.run()
  }

  private func tooMany(_ stream: StreamDescription, _ count: Int) -> SluiceError {
    SluiceError(
      .unsupported, "write", path,
      because: "\"\(stream.name)\" would have \(count) channels and \(Values.capacity) is the limit")
  }
}
