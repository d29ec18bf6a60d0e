package import SluiceReadings

/// Reads the readings of a recording in the order in which they were written.
///
/// It shows the recording as it was at the opening, even if it is still being written. Each stream has a cursor, and
/// one row in memory. One thread at a time uses it.
package final class SQLiteTrace {
  package let path: String
  /// The streams. Their values are raw or scaled, as they were written.
  package let streams: [StreamDescription]
  private let database: SQLiteDatabase
  private var cursors: [TableCursor] = []
  /// The next row of each stream that has one: a heap with the smallest id at its root.
  private var heads: [Head] = []
  private var hasBegun = false
  private var failure: SluiceError?

  private struct Head {
    var id: Int64
    var cursor: Int

    static func < (a: Head, b: Head) -> Bool { a.id == b.id ? a.cursor < b.cursor : a.id < b.id }
  }

  /// - Parameters:
  ///   - timeout: The longest wait of a call for a lock of another program, in milliseconds.
  ///   - isInterrupted: Asked again and again before the first reading is read; true ends it with the error `interrupted`.
  package init(
    path: String, timeout: Int32 = 5_000, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) {
    self.path = path
    database = try SQLiteDatabase(path: path, mode: .reading, timeout: timeout, isInterrupted: isInterrupted)
    // The transaction fixes the state that is read.
    try database.execute("BEGIN; PRAGMA cell_size_check = ON")
    try SQLiteSchema.check(database)
    let stored = try SQLiteSchema.streams(of: database)
    streams = stored.map(\.description)
    for (index, stream) in stored.enumerated() {
      cursors.append(try TableCursor(stream, StreamID(UInt16(truncatingIfNeeded: index)), of: database))
    }
  }

  /// Reports a number with more digits than a reading can hold, but only the first one.
  func sayRounded(_ warn: @escaping (String) -> Void) {
    var isSaid = false
    for cursor in cursors {
      cursor.sayRounded = { [path, name = cursor.table] id in
        guard !isSaid else { return }
        isSaid = true
        warn(
          "\(path): table \"\(name)\", id \(id): a number has more digits than fit in 64 bits; such numbers are rounded"
        )
      }
    }
  }

  /// The metadata documents of the runs, the oldest first.
  package func documents() throws(SluiceError) -> [String] { try SQLiteMetadata.documents(of: database) }

  /// Closes the file.
  package func close() {
    cursors = []
    heads = []
    hasBegun = true
    failure = failure ?? SluiceError(.usage, "read", path, because: "it has been closed")
    database.close()
  }

  /// - Parameter target: A buffer for the readings. Its old readings are replaced.
  /// - Returns: The number of readings; 0 at the end.
  /// - Throws: The fault after the readings returned before, each time it is called.
  package func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    guard let start = target.baseAddress else { return 0 }
    var count = 0
    if failure == nil {
      do throws(SluiceError) {
        try read(into: start, target.count, &count)
      } catch {
        failure = error
      }
    }
    if count == 0, let failure { throw failure }
    return count
  }

  private func read(
    into target: UnsafeMutablePointer<Reading>, _ capacity: Int, _ count: inout Int
  ) throws(SluiceError) {
    if !hasBegun {
      hasBegun = true
      // From now on, whoever reads can stop between two readings.
      database.unwatch()
      for index in cursors.indices where try cursors[index].advance() {
        heads.append(Head(id: cursors[index].id, cursor: index))
      }
      for index in heads.indices.reversed() { sink(index) }
    }
    while count < capacity, let head = heads.first {
      let cursor = cursors[head.cursor]
      // A run of one stream ends before the next reading of any other stream.
      let end = min(heads.count > 1 ? heads[1].id : .max, heads.count > 2 ? heads[2].id : .max)
      var hasNext = true
      repeat {
        try cursor.decode(into: target + count)
        count += 1
        hasNext = try cursor.advance()
      } while hasNext && count < capacity && cursor.id < end
      if hasNext {
        heads[0].id = cursor.id
      } else {
        let last = heads.removeLast()
        if heads.isEmpty { break }
        heads[0] = last
      }
      sink(0)
    }
  }

  /// Moves a head down to its place in the heap.
  private func sink(_ index: Int) {
    var index = index
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < heads.count && heads[child] < heads[least] {
        least = child
      }
      guard least != index else { return }
      heads.swapAt(index, least)
      index = least
    }
  }
}
