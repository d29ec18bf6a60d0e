import Synchronization

/// How full the kernel's FIFO of a device was found: what is between ``capacity`` and ``highest`` is the headroom.
///
/// ```swift
/// let scans = try Publishers.IIOScans(device: "bmi160")
/// print(scans.fifo.capacity - scans.fifo.highest)
/// ```
///
/// May be read from any thread, while readings come.
public final class FIFOLevel: Sendable {
  /// Readings that the kernel keeps; for GPIO with libgpiod 1 those of one line, each of which has a FIFO of its own.
  public let capacity: Int
  /// Readings that gather before the device becomes readable; nil where each makes it so.
  public let watermark: Int?
  private let highestLevel = Atomic(0)
  private let run = Atomic(0)  // readings of the reads before, each of which took all that it could

  init(capacity: Int, watermark: Int? = nil) {
    self.capacity = capacity
    self.watermark = watermark
  }

  /// The most readings that were waiting when the device was read; as a read takes only so many, those of several in a
  /// row count as one as long as each leaves something behind.
  public var highest: Int { highestLevel.load(ordering: .relaxed) }

  /// To be called after each read, by the one thread that reads.
  /// - Parameter limit: The most that this read could take.
  func add(read count: Int, of limit: Int) {
    let level = min(run.load(ordering: .relaxed) + count, capacity)
    run.store(count < limit ? 0 : level, ordering: .relaxed)
    if level > highest { highestLevel.store(level, ordering: .relaxed) }
  }
}
