@_spi(Preview) import SluicePipeline
import SluiceReadings
@_spi(Preview) package import SluiceRecording

/// The data of one trace in a plot. The trace is read once.
package struct PlotTrace {
  package let path: String
  package private(set) var streams: [PlotStream] = []
  package let metadata: TraceMetadata?
  /// The process that still writes the recording; nil if there is none.
  let running: RunningRecording?
  private let reader: TraceReader
  private var block = [Reading](repeating: .empty, count: 512)
  private var count = 0

  /// Opens a trace, and reads up to its first reading.
  init(path: String, _ reader: TraceReader, _ running: RunningRecording? = nil) throws(SluiceError) {
    (self.path, self.reader, metadata, self.running) = (path, reader, reader.metadata, running)
    count = try reader.next(into: &block)
  }

  /// The time of the first reading; nil if there is none.
  var first: Int64? { count > 0 ? block[0].time : nil }
  /// Whether it may get streams while it is read.
  var isGrowing: Bool { reader.isGrowing }
  /// Whether all streams come from a file of another program. Then columns are channels with their own names.
  var hasForeignColumns: Bool { streams.allSatisfy(\.description.hasForeignColumns) }

  /// The name of the trace in messages.
  package var name: String { OpenTrace.name([path]) }
  /// The name without its folders.
  package var title: String { name.split(separator: "/").last.map(String.init) ?? name }

  /// Adds the streams that are known now.
  mutating func describe(_ selection: inout PlotSelection, window: ClosedRange<Int64>?, capacity: Int) {
    for (index, description) in reader.streams.enumerated() {
      if index == streams.count { streams.append(PlotStream(window: window, capacity: capacity)) }
      streams[index].describe(description) { channel in
        selection.takes(description.channels[channel], of: description)
      }
    }
  }

  /// Adds the next readings.
  /// - Returns: Whether there were any.
  mutating func addNext() throws(SluiceError) -> Bool {
    guard count > 0 else { return false }
    let count = count
    block.withUnsafeBufferPointer { readings in
      guard let first = readings.baseAddress else { return }
      for index in 0..<count {
        let stream = Int(first[index].stream.index)
        if stream < streams.count { streams[stream].add(first + index) }
      }
    }
    self.count = try reader.next(into: &block)
    return true
  }

  /// The times of the earliest and the latest reading of all its streams.
  var times: ClosedRange<Int64>? { Self.hull(streams.compactMap(\.times)) }

  static func hull(_ ranges: [ClosedRange<Int64>]) -> ClosedRange<Int64>? {
    guard let first = ranges.map(\.lowerBound).min(), let last = ranges.map(\.upperBound).max() else { return nil }
    return first...last
  }
}
