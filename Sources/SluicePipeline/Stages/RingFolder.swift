import Sluice
import SluiceLog
import SluiceReadings
import SluiceStages
import SluiceSystem

/// The folder for readings that wait for an event: the rings of ``AroundStage``, each a log in a folder of its own.
///
/// A ring is made when memory is too small. It is removed when its stage ends. What a killed run has left is removed by the next
/// one, because no window has readings of two runs.
package final class RingFolder: Sendable {
  let path: String
  private let files: any FileSystem
  private let count = Locked(0)

  static let ending = "-ring"
  /// The bytes of a ring: more than 150 million readings of a sensor with four channels.
  static let mostBytes: Int64 = 1 << 30

  init(_ path: String, files: any FileSystem) { (self.path, self.files) = (path, files) }

  /// A ring. Nothing is on the disk until readings come.
  func ring() -> Ring {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return Ring("\(path)/\(number)", in: self)
  }

  fileprivate func open(_ ring: String) -> SegmentLog? {
    for folder in [path, ring] {
      do throws(SystemErrno) { try files.makeFolder(folder) } catch  where error.code == EEXIST {
      } catch {
        return nil
      }
    }
    guard (try? files.checkOwner(of: path, "keep readings in")) != nil else { return nil }
    return try? SegmentLog(ring, files: files)
  }

  /// Removes the folder if no ring is in it.
  fileprivate func removeIfEmpty() { try? files.removeFolder(path) }

  /// Removes what a killed run has left.
  func removeLeft() {
    guard let names = try? files.names(in: path) else { return }
    for name in names where UInt32(name) != nil {
      // Another recording may have it open.
      if let log = try? SegmentLog("\(path)/\(name)", files: files) { log.remove() }
    }
    removeIfEmpty()
  }
}

/// Readings that wait on a disk: a log whose oldest readings go first.
final class Ring: ReadingStore, @unchecked Sendable {
  // One stage has it, and calls it for one reading at a time.

  private let path: String
  private let folder: RingFolder
  private var log: SegmentLog?
  /// Whether no log is opened any more.
  private var isBroken = false
  /// The sequence number of the first reading that waits.
  private var first: UInt64 = 0
  /// At `first`, if readings were read there last.
  private var reader: LogReader?

  fileprivate init(_ path: String, in folder: RingFolder) { (self.path, self.folder) = (path, folder) }

  deinit { close() }

  func close() {
    reader?.close()
    reader = nil
    isBroken = true
    guard let log else { return }
    log.remove()
    self.log = nil
    folder.removeIfEmpty()
  }

  func append(_ readings: [Reading]) -> Bool {
    if log == nil, !isBroken {
      log = folder.open(path)
      isBroken = log == nil
      first = log?.next ?? 0
    }
    guard let log, log.byteCount < RingFolder.mostBytes else { return false }
    do throws(SystemErrno) {
      try log.append(readings)
      return true
    } catch {
      return false
    }
  }

  func takeFirst(_ count: Int) -> [Reading]? {
    guard let log else { return nil }
    var reader = self.reader ?? log.reader(from: first)
    let item = try? reader.next()
    guard case .readings(first, let readings)? = item, readings.count == count else {
      reader.close()
      removeFirst(count)
      return nil
    }
    self.reader = reader
    advance(count)
    return readings
  }

  func removeFirst(_ count: Int) {
    reader?.close()
    reader = nil
    advance(count)
  }

  private func advance(_ count: Int) {
    first += UInt64(count)
    guard let log, let oldest = log.oldestSegment, oldest.upperBound <= first else { return }
    // If this fails, the segment is removed with the next one.
    try? log.advance(LogWatermark(next: first))
  }
}
