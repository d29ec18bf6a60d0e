package import SluiceReadings
package import SluiceRecording
package import SluiceStages

/// A stage that passes the readings of windows, and numbers the windows. The next run of a recording continues the numbers.
package protocol WindowStage: TotalStage where Processor: WindowedProcessor {
  /// The number of the last window of an earlier run; not in the plan.
  var last: Int64 { get set }
  /// The processor, which numbers windows from 1.
  func numbering(for inputs: InputStreams) throws(SluiceError) -> Processor
}

extension WindowStage {
  package static var leavesOut: Bool { true }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> Processor {
    var processor = try numbering(for: inputs)
    processor.windowed.goOn(after: last)
    return processor
  }

  // Nil, because nobody needs to know that the numbers continue.
  package func text(of total: TraceMetadata.Total) -> String? { nil }
  package func reason(againstGoingOnFrom total: TraceMetadata.Total) -> String? { nil }
  package static var cutOffText: String { "later windows are missing" }
  package var startText: String? { nil }

  package func total(
    ofRow row: TraceMetadata.Total, from start: TraceMetadata.Total?, scaled: Set<String>, isRounded: Bool
  ) -> TraceMetadata.Total? {
    row.window.map { TraceMetadata.Total(stream: row.stream, window: $0) }
  }

  package func goingOn(from totals: [TraceMetadata.Total]) -> Self {
    var stage = self
    stage.last = totals.compactMap(\.window).max() ?? last
    return stage
  }
}

extension TraceMetadata.Total {
  /// The number of the last window of a stream.
  init(stream: String, window: Int64) {
    self.init(stream: stream, values: [WindowedStreams.channel: ExactDecimal(significand: window)], isAtLeast: false)
  }

  /// Nil if it has no windows. The channel has another name behind ``ReduceStage``.
  var window: Int64? {
    let channel = WindowedStreams.channel
    // A file may have any number.
    return (count(channel) ?? count("\(channel)_max")).flatMap { (0..<1 << 62).contains($0) ? $0 : nil }
  }

  /// This total with the newer values of another one of the same stream; the number of the window never goes back.
  func merging(_ newer: TraceMetadata.Total) -> TraceMetadata.Total {
    var merged = newer
    merged.values = values.merging(newer.values) { $1 }
    if let window = [window, newer.window].compactMap({ $0 }).max() {
      merged.values[WindowedStreams.channel] = ExactDecimal(significand: window)
    }
    return merged
  }
}
