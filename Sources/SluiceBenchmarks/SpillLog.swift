import SluiceLog
package import SluiceReadings
import SluiceSystem

/// Readings that go through the log of a spill.
package final class SpillLog {
  /// The readings of one record of the log.
  package static let run = 1_024
  private let folder: String
  private let log: SegmentLog

  /// - Parameter folder: A folder that is not there yet.
  package init(_ folder: String) throws(SluiceError) {
    self.folder = folder
    do throws(SystemErrno) {
      try SystemFiles().makeFolder(folder)
    } catch {
      throw SluiceError("make the folder", folder, errno: error.code)
    }
    log = try SegmentLog(folder)
  }

  deinit { log.remove() }

  /// The bytes in its segments.
  package var byteCount: Int64 { log.byteCount }

  /// Appends the readings in runs, and syncs the log after each.
  package func append(_ readings: [Reading]) throws(SluiceError) {
    do throws(SystemErrno) {
      for start in stride(from: 0, to: readings.count, by: Self.run) {
        try log.append(readings[start..<min(start + Self.run, readings.count)])
        try log.sync()
      }
    } catch {
      throw SluiceError("write the log in", folder, errno: error.code)
    }
  }

  /// Reads everything that is in the log.
  /// - Returns: The number of readings.
  package func read() throws(SluiceError) -> Int {
    var count = 0
    var reader = log.reader()
    defer { reader.close() }
    do throws(SystemErrno) {
      while true {
        switch try reader.next() {
        case .readings(_, let readings): count += readings.count
        case .lost: break
        case .end: return count
        }
      }
    } catch {
      throw SluiceError("read the log in", folder, errno: error.code)
    }
  }

  /// Forgets what is in the log, so that its segments are removed.
  package func removeAll() throws(SluiceError) {
    do throws(SystemErrno) {
      try log.advance(LogWatermark(next: log.next))
    } catch {
      throw SluiceError("write the log in", folder, errno: error.code)
    }
  }
}
