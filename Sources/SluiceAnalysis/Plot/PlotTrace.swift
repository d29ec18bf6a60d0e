import SluicePipeline
import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// The data of one trace in a plot. The trace is read once.
package struct PlotTrace {
  package let path: String
  package private(set) var streams: [PlotStream] = []
  package let metadata: TraceMetadata?
  let pauses: [Pause]
  let losses: [Loss]
  let marks: [Mark]
  /// The process that still writes the recording; nil if there is none.
  let running: RunningRecording?
  /// Nil for a recording that runs in this process.
  private let reader: TraceReader?
  private var block: [Reading]
  private var count = 0
  /// The times of all its streams, if not all of them are here.
  private var whole: ClosedRange<Int64>?

  /// Opens a trace, and reads up to its first reading.
  init(path: String, _ reader: TraceReader, _ running: RunningRecording? = nil) throws(SluiceError) {
    (self.path, self.reader, metadata, self.running) = (path, reader, reader.metadata, running)
    (pauses, losses, marks) = (metadata?.pauses ?? [], metadata?.losses ?? [], metadata?.marks ?? [])
    block = [Reading](repeating: .empty, count: 512)
    count = try reader.next(into: &block)
  }

  /// A recording that runs in this process, of which one stream is drawn.
  init(_ feed: PlotFeed, _ happened: PlotFeed.Happened) {
    (path, reader, metadata, running, block) = (feed.stream.description.name, nil, nil, nil, [])
    (pauses, losses, marks) = (happened.pauses, happened.losses, happened.marks)
    (streams, whole) = ([feed.stream], happened.times)
  }

  /// The time of the first reading; nil if there is none.
  var first: Int64? { reader == nil ? times?.lowerBound : count > 0 ? block[0].time : nil }
  /// Whether it may get streams while it is read.
  var isGrowing: Bool { reader?.isGrowing ?? false }
  /// Whether all streams come from a file of another program. Then columns are channels with their own names.
  var hasForeignColumns: Bool { streams.allSatisfy(\.description.hasForeignColumns) }

  /// The name of the trace in messages.
  package var name: String { OpenTrace.name([path]) }
  /// The name without its folders.
  package var title: String { fileName(of: name) }

  /// Adds the streams that are known now.
  mutating func describe(_ selection: inout PlotSelection, window: ClosedRange<Int64>?, capacity: Int) {
    for (index, description) in (reader?.streams ?? []).enumerated() {
      if index == streams.count { streams.append(PlotStream(window: window, capacity: capacity)) }
      streams[index].describe(description) { channel in
        selection.takes(description.channels[channel], of: description)
      }
    }
  }

  /// Adds the next readings.
  /// - Returns: Whether there were any.
  mutating func addNext() throws(SluiceError) -> Bool {
    guard count > 0, let reader else { return false }
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
  var times: ClosedRange<Int64>? { whole ?? Self.hull(streams.compactMap(\.times)) }

  static func hull(_ ranges: [ClosedRange<Int64>]) -> ClosedRange<Int64>? {
    guard let first = ranges.map(\.lowerBound).min(), let last = ranges.map(\.upperBound).max() else { return nil }
    return first...last
  }
}
