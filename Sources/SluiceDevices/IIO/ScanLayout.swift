/// The offsets of the channels in a scan. They are in the order of their indices, each aligned to its own size, and the
/// length of a scan is padded to a multiple of the largest channel (`iio_compute_scan_bytes` in drivers/iio/industrialio-buffer.c).
package struct ScanLayout: Hashable, Sendable {
  package struct Element: Hashable, Sendable {
    package var format: ScanFormat
    package var offset: Int
  }

  /// The channels with values, in the given order.
  package private(set) var channels: [Element] = []
  package private(set) var timestamp: Element?
  /// The bytes of one scan.
  package private(set) var size = 0

  /// - Parameters:
  ///   - channels: Enabled channels with their scan indices, without the timestamp.
  ///   - timestamp: The timestamp channel, if it is enabled.
  package init(channels: [(index: Int, format: ScanFormat)], timestamp: (index: Int, format: ScanFormat)?) {
    let count = channels.count
    var enabled = channels.enumerated().map { (place: $0.offset, index: $0.element.index, format: $0.element.format) }
    if let timestamp { enabled.append((count, timestamp.index, timestamp.format)) }
    var largest = 1
    var elements = [Element?](repeating: nil, count: enabled.count)
    for (place, _, format) in enabled.sorted(by: { $0.index < $1.index }) {
      size = Self.align(size, format.bytes)
      elements[place] = Element(format: format, offset: size)
      size += format.bytes
      largest = max(largest, format.bytes)
    }
    size = Self.align(size, largest)
    self.channels = elements.prefix(count).compactMap { $0 }
    if timestamp != nil { self.timestamp = elements.last ?? nil }
  }

  private static func align(_ offset: Int, _ size: Int) -> Int { (offset + size - 1) / size * size }
}
