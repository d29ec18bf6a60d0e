package import SluiceReadings

/// How many readings the buffer of each stream keeps, and what that takes.
package struct BufferSize: Hashable {
  /// Per stream.
  package var readings: Int
  /// What all buffers may take when they are full.
  package var bytes: Int

  /// What the buffers of a recording share unless `--buffer` says how many readings each keeps: half a minute of one
  /// stream at 1 kHz and more, and the command stays below 24 MB.
  package static let budget = 8 << 20

  /// - Parameters:
  ///   - given: What `--buffer` said.
  ///   - budget: In bytes, for all streams; nil for no buffer unless one is asked for.
  package init(_ given: Int?, for streams: [StreamDescription], budget: Int?) {
    let bytes = streams.reduce(0) { $0 + Self.bytes($1) }
    readings = given ?? budget.map { max(1, $0 / max(1, bytes)) } ?? 0
    let (product, isOverflow) = readings.multipliedReportingOverflow(by: bytes)
    self.bytes = isOverflow ? .max : product
  }

  /// Per reading of a stream. The queue grows by half at a time, and so may have half as much in reserve.
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
