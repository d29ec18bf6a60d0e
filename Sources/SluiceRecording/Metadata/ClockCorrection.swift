import SluiceReadings

/// The times that a replay gives to its readings.
public enum TraceTimes: String, CaseIterable, Sendable {
  /// The times of the rows.
  case recorded
  /// The times of a wall clock that was always right, as far as the metadata has them.
  case corrected
}

/// The offsets that correct the times of a run, each with the time from which it applies.
///
/// A run adds one offset to a clock that stops during a suspend. If that offset was wrong, all times are wrong by the
/// same amount. They are also wrong by the length of each suspend between them and the moment at which the right offset
/// was measured.
package struct ClockCorrection: Equatable, Sendable {
  /// The offset before the first of `steps`.
  private var shift: Int64 = 0
  /// The offset from each of these times on, in the order of the times.
  private var steps: [Step] = []
  /// Whether the right time was known at some moment of the run.
  package private(set) var isMeasured = false

  private struct Step: Hashable {
    var from: Int64
    var shift: Int64
  }

  /// A correction that changes nothing, for a run without metadata of its clock.
  package init() {}

  package init(_ clocks: TraceMetadata.Clocks?) {
    guard let clocks, let offset = clocks.offset else { return }
    if clocks.isSynchronised == true {
      isMeasured = true
    } else if let index = clocks.changes.firstIndex(where: { $0.cause != .suspend }) {
      isMeasured = true
      shift = clocks.changes[index].offset &- offset
      // The suspends before the measurement are subtracted.
      for suspend in clocks.changes[..<index] { shift &-= suspend.suspended ?? 0 }
    }
    // If the right time was never known, the times are at least right relative to the first one.
    var suspended: Int64 = 0
    let suspends = clocks.changes.filter { $0.cause == .suspend }
    // A damaged file may have any values, so sums wrap, and the list is sorted.
    for suspend in suspends.sorted(by: { $0.time < $1.time }) {
      suspended &+= suspend.suspended ?? 0
      steps.append(Step(from: suspend.time, shift: shift &+ suspended))
    }
  }

  /// Whether it changes no time.
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
  /// The metadata of a single run with corrected times of losses, drops, pauses and marks. Times of gaps and initial levels stay,
  /// because they identify rows.
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
    metadata.ledger = ledger?.map { account in
      var account = account
      account.firstDropped = account.firstDropped.map(correction.corrected)
      account.lastDropped = account.lastDropped.map(correction.corrected)
      return account
    }
    metadata.pauses = pauses?.map { pause in
      Pause(from: correction.corrected(pause.from), to: pause.to.map(correction.corrected))
    }
    metadata.marks = marks?.map { Mark(time: correction.corrected($0.time), text: $0.text) }
    return metadata
  }

  /// The message about times that were not corrected; nil if all could be corrected, and some were.
  /// - Parameter name: The name of the trace.
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
