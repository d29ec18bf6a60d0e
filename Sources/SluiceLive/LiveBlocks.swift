/// Memory of a fixed size for the last readings of all streams, in blocks.
///
/// A block belongs to one stream. It has the times of its readings, their values channel by channel, their flags, and
/// the values of its summary. If no block is free, the stream that has the most gives its oldest one away: so a slow
/// stream keeps its readings for long beside a fast one.
final class LiveBlocks {
  static let bytes = 8_192

  private let memory: UnsafeMutableRawPointer
  let count: Int
  private var free: [Int] = []
  private var used = 0

  /// - Parameter bytes: The size of the memory. The system gives it page by page, when it is first used.
  init(bytes: Int) {
    count = max(4, bytes / Self.bytes)
    memory = UnsafeMutableRawPointer.allocate(byteCount: count * Self.bytes, alignment: 64)
  }

  deinit { memory.deallocate() }

  /// A block that nobody has; nil if there is none.
  func take() -> Int? {
    if let block = free.popLast() { return block }
    guard used < count else { return nil }
    used += 1
    return used - 1
  }

  func give(_ block: Int) { free.append(block) }

  /// The place of its numbers in a block.
  struct Layout {
    let channels: Int
    let rows: Int

    init(channels: Int) {
      self.channels = channels
      rows = (LiveBlocks.bytes - channels * LiveSummary.width * 8) / (8 * (1 + channels) + 1)
    }
  }

  private func base(_ block: Int) -> UnsafeMutableRawPointer { memory + block &* Self.bytes }

  /// The values of the summary.
  func summary(_ block: Int) -> UnsafeMutablePointer<Double> { base(block).assumingMemoryBound(to: Double.self) }

  func times(_ block: Int, _ layout: Layout) -> UnsafeMutablePointer<Int64> {
    (base(block) + layout.channels &* LiveSummary.width &* 8).assumingMemoryBound(to: Int64.self)
  }

  /// The values of the first channel; those of the next one are `layout.rows` further.
  func values(_ block: Int, _ layout: Layout) -> UnsafeMutablePointer<Double> {
    UnsafeMutableRawPointer(times(block, layout) + layout.rows).assumingMemoryBound(to: Double.self)
  }

  func flags(_ block: Int, _ layout: Layout) -> UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(values(block, layout) + layout.rows &* layout.channels).assumingMemoryBound(to: UInt8.self)
  }
}
