package import SluiceReadings

/// The capacity of the buffer of each stream in readings, and the memory of all buffers.
package struct BufferSize: Equatable {
  /// Readings per stream.
  package var readings: Int
  /// The memory of all buffers when they are full.
  package var bytes: Int

  /// The memory that the buffers of a recording share without `--buffer`. It holds at least half a minute of one stream
  /// at 1 kHz, and the command stays below 24 MB.
  package static let budget = 8 << 20

  /// - Parameters:
  ///   - given: The value of `--buffer`.
  ///   - budget: Bytes for all streams; nil for no buffer without `--buffer`.
  package init(_ given: Int?, for streams: [StreamDescription], budget: Int?) {
    let bytes = streams.reduce(0) { $0 + Self.bytes($1) }
    readings = given ?? budget.map { max(1, $0 / max(1, bytes)) } ?? 0
    let (product, isOverflow) = readings.multipliedReportingOverflow(by: bytes)
    self.bytes = isOverflow ? .max : product
  }

  /// The bytes per reading. The queue grows by half at a time, so half of its size may be unused.
  private static func bytes(_ stream: StreamDescription) -> Int {
    Reading.bytes(channels: stream.channels.count) * 3 / 2
  }
}

extension BufferSize {
  /// `the buffers may take 218.1 MB (64 streams, 32,768 readings each)`
  package func text(streams: Int) -> String {
    let size =
      switch bytes {
      case ..<(1 << 10): "\(bytes) bytes"
      case ..<(1 << 20): "\(grouped(bytes >> 10)) KB"
      default: "\(grouped(Double(bytes) / Double(1 << 20), 1)) MB"
      }
    let each = "\(grouped(readings)) reading\(readings == 1 ? "" : "s")"
    return streams == 1
      ? "the buffer may take \(size) (\(each))" : "the buffers may take \(size) (\(streams) streams, \(each) each)"
  }
}
