package import SluiceReadings

/// Keeps readings that wait so long that they do not fit into memory. What comes first goes first.
///
/// Readings come and go in blocks. A block that goes has as many readings as it had when it came.
package protocol ReadingStore: AnyObject, Sendable {
  /// Takes a block behind the others.
  /// - Returns: Whether there was room for it; if not, none of it was taken.
  func append(_ readings: [Reading]) -> Bool
  /// Removes the first block.
  /// - Returns: Nil if it cannot be read.
  func takeFirst(_ count: Int) -> [Reading]?
  /// Removes the first block without reading it.
  func removeFirst(_ count: Int)
  /// Removes everything. No block comes any more.
  func close()
}
