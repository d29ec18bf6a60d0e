import Synchronization

/// The peak fill of the kernel's FIFO of a device. The difference between ``capacity`` and ``highest`` is the headroom.
///
/// ```swift
/// let scans = try Publishers.IIOScans(device: "bmi160")
/// print(scans.fifo.capacity - scans.fifo.highest)
/// ```
///
/// Any thread may read it while readings come.
public final class FIFOLevel: Sendable {
  /// The readings that the kernel keeps. With libgpiod 1 each GPIO line has its own FIFO, and this is the capacity of
  /// one.
  public let capacity: Int
  /// The watermark: the readings that gather before the device becomes readable; nil if each reading makes it readable.
  public let watermark: Int?
  private let highestLevel = Atomic(0)
  private let run = Atomic(0)  // the readings of consecutive full reads so far

  init(capacity: Int, watermark: Int? = nil) {
    self.capacity = capacity
    self.watermark = watermark
  }

  /// The highest number of readings waiting at a read. A read takes a limited number, so consecutive full reads count
  /// as one. A read that takes less because of a small demand does not show what it leaves, so it counts alone.
  public var highest: Int { highestLevel.load(ordering: .relaxed) }

  /// Adds a level, if the kernel reports how many readings a read left. The one thread that reads calls it after each
  /// read.
  /// - Parameter level: The number of readings that were waiting before the read.
  func add(level: Int) {
    let level = min(level, capacity)
    if level > highest { highestLevel.store(level, ordering: .relaxed) }
  }

  /// Adds a read. The one thread that reads calls it after each read.
  /// - Parameters:
  ///   - limit: The largest number that this read could take.
  ///   - most: The largest number that any read can take with unlimited demand.
  func add(read count: Int, of limit: Int, most: Int = DescriptorSource.batchLimit) {
    let level = min((limit < most ? 0 : run.load(ordering: .relaxed)) + count, capacity)
    run.store(count < most ? 0 : level, ordering: .relaxed)
    add(level: level)
  }
}
