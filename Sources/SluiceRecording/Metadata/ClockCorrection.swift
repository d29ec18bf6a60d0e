import SluiceReadings

/// Which times a replay gives its readings.
public enum TraceTimes: String, CaseIterable, Sendable {
  /// Those of the rows.
  case recorded
  /// The times of a wall clock that is always right, as far as the metadata has them.
  case corrected
}

/// The offsets that correct the times of a run, each with the time from which it applies.
///
/// A run adds one offset to a clock that stands still during a suspend. So its times are wrong by a constant if that
/// offset was, and by the length of each suspend between them and the moment at which the true offset was measured.
package struct ClockCorrection: Hashable, Sendable {
  /// Before the first of `steps`.
  private var shift: Int64 = 0
  /// In the order of their times: what is to be added from then on.
  private var steps: [Step] = []
  /// The right time was known at some moment of the run.
  package private(set) var isMeasured = false

  private struct Step: Hashable {
    var from: Int64
    var shift: Int64
  }

  /// For a run without metadata of its clock: changes nothing.
  package init() {}

  package init(_ clocks: TraceMetadata.Clocks?) {
    guard let clocks, let offset = clocks.offset else { return }
    if clocks.isSynchronised == true {
      isMeasured = true
    } else if let index = clocks.changes.firstIndex(where: { $0.cause != .suspend }) {
      isMeasured = true
      shift = clocks.changes[index].offset &- offset
      // Less the time that the clock of the run had stood still before the measurement.
      for suspend in clocks.changes[..<index] { shift &-= suspend.suspended ?? 0 }
    }
    // If the right time was never known, times are right at least relative to the first one.
    var suspended: Int64 = 0
    let suspends = clocks.changes.filter { $0.cause == .suspend }
    // A damaged file may have any values, so sums wrap, and the list is sorted.
    for suspend in suspends.sorted(by: { $0.time < $1.time }) {
      suspended &+= suspend.suspended ?? 0
      steps.append(Step(from: suspend.time, shift: shift &+ suspended))
    }
  }

  /// Whether it leaves every time as it is.
  package var isNothing: Bool { shift == 0 && steps.allSatisfy { $0.shift == 0 } }

  package func corrected(_ time: Int64) -> Int64 {
    guard let first = steps.first, time >= first.from else { return time &+ shift }
    var (low, high) = (0, steps.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if steps[middle].from <= time { low = middle } else { high = middle }
    }
    return time &+ steps[low].shift
  }
}

extension TraceMetadata {
  /// With the times of losses and pauses corrected, of a single run. Those of gaps and initial levels stay: by them the
  /// rows are found.
  package func timed(_ times: TraceTimes) -> TraceMetadata {
    guard times == .corrected, let run = runs.last else { return self }
    let correction = ClockCorrection(run.clocks)
    var metadata = self
    metadata.losses = losses?.map { loss in
      var loss = loss
      loss.first = loss.first.map(correction.corrected)
      loss.last = loss.last.map(correction.corrected)
      return loss
    }
    metadata.pauses = pauses?.map { pause in
      Pause(from: correction.corrected(pause.from), to: pause.to.map(correction.corrected))
    }
    return metadata
  }

  /// The message about times that could not be corrected; nil if all could, and some were.
  /// - Parameter name: What the trace is called.
  package func notCorrected(_ name: String) -> String? {
    let corrections = runs.map { ClockCorrection($0.clocks) }
    let unknown = zip(runs, corrections).filter { !$0.1.isMeasured }
    guard !unknown.isEmpty else {
      guard corrections.allSatisfy(\.isNothing) else { return nil }
      return "no time of \(name) is corrected, because its clock was right from the beginning"
    }
    let isOne = runs.count == unknown.count
    let cause =
      unknown.allSatisfy { $0.0.clocks?.isSynchronised == nil }
      ? "\(isOne ? "its" : "their") metadata does not say whether the clock was right"
      : "\(isOne ? "its" : "their") clock was not synchronised, and was not set during the recording"
    if isOne, corrections.allSatisfy(\.isNothing) { return "no time of \(name) is corrected, because \(cause)" }
    let which = isOne ? name : "\(unknown.count) of the \(runs.count) runs in \(name)"
    let what = unknown.allSatisfy(\.1.isNothing) ? "not corrected" : "corrected for suspends only"
    return "the times of \(which) are \(what), because \(cause)"
  }
}
