import Sluice
package import SluiceReadings
package import SluiceRecording

/// The streams, times, values and gaps of a trace, and its metadata. The whole trace is read once.
package struct TraceInfo {
  package let path: String
  package private(set) var streams: [StreamStatistics] = []
  package let metadata: TraceMetadata?
  /// The messages about the trace that a replay would print.
  package private(set) var notes: [String] = []
  /// The error, if the rest could not be read. Everything else is about the readings before it.
  package private(set) var error: SluiceError?

  /// - Parameter path: A file, a folder, the name of a recording in parts, or `-` for standard input.
  /// - Throws: If nothing can be read.
  package init(
    path: String, format: TraceFormat = TraceFormat(), isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) {
    self.path = path
    let said = Locked<[String]>([])
    let trace = try TraceReader(
      path: path, format: format, kinds: Traces.all, compressions: Compressions.all,
      warn: { sentence in said.withLock { $0.append(sentence) } },
      isInterrupted: isInterrupted)
    metadata = trace.metadata
    do throws(SluiceError) {
      try read(trace)
    } catch {
      self.error = error
    }
    notes = said.withLock { $0 }
  }

  private mutating func read(_ trace: TraceReader) throws(SluiceError) {
    var readings = [Reading](repeating: .empty, count: 512)
    streams = trace.streams.map { StreamStatistics($0) }
    while case let count = try trace.next(into: &readings), count > 0 {
      if trace.isGrowing { describe(trace.streams) }
      readings.withUnsafeBufferPointer { readings in
        guard let first = readings.baseAddress else { return }
        for index in 0..<count {
          let stream = Int(first[index].stream.index)
          if stream < streams.count { streams[stream].add(first + index) }
        }
      }
    }
    describe(trace.streams)
    // A stage of the recording left them out.
    streams.removeAll { $0.count == 0 && $0.description.channels.isEmpty }
  }

  private mutating func describe(_ descriptions: [StreamDescription]) {
    for (index, description) in descriptions.enumerated() {
      if index == streams.count {
        streams.append(StreamStatistics(description))
      } else {
        streams[index].describe(description)
      }
    }
  }

  /// Of all streams.
  package var readings: Int { streams.reduce(0) { $0 + $1.count } }
  /// The times of the earliest and of the latest reading; nil if there is none.
  package var times: ClosedRange<Int64>? {
    let used = streams.filter { $0.count > 0 }
    guard let first = used.map(\.first).min(), let last = used.map(\.last).max() else { return nil }
    return first...last
  }
}
