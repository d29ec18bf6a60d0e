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
  /// row count as one as long as each leaves something behind. A read that takes less because less is demanded says
  /// nothing about what it leaves, and counts for itself.
  public var highest: Int { highestLevel.load(ordering: .relaxed) }

  /// To be called after each read, by the one thread that reads, where the kernel says what it left behind.
  /// - Parameter level: How many were waiting before the read.
  func add(level: Int) {
    let level = min(level, capacity)
    if level > highest { highestLevel.store(level, ordering: .relaxed) }
  }

  /// To be called after each read, by the one thread that reads.
  /// - Parameters:
  ///   - limit: The most that this read could take.
  ///   - most: The most that any read can take, however much is demanded.
  func add(read count: Int, of limit: Int, most: Int = DescriptorSource.batchLimit) {
    let level = min((limit < most ? 0 : run.load(ordering: .relaxed)) + count, capacity)
    run.store(count < most ? 0 : level, ordering: .relaxed)
    add(level: level)
  }
}
