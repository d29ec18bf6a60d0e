import Dispatch
import Sluice
import SluiceReadings
package import SluiceRecording

extension Recording {
  /// The result of a flush.
  package struct FlushReport: Sendable {
    /// For each output, its path, and whether its readings were written.
    package var outputs: [(path: String, flushed: RecordingSink.Flushed)]
    /// How many readings from before the call have not reached the outputs, because they wait in a buffer, or in a
    /// stage that waits for more readings.
    package var held: Int
  }

  /// Writes and syncs the readings that were received so far.
  ///
  /// A flush waits for readings that are on their way to the outputs: as long as the merge of several sources may keep
  /// them, and longer if a slow output delays them. Readings that a stage keeps, such as a group that is not full, stay
  /// there: the rows of a recording must not depend on requests to flush.
  /// - Parameters:
  ///   - limit: How long to wait for outputs that are behind.
  ///   - done: Called once, or never if a write hangs, on any queue.
  package func flush(within limit: TimeSpan = .seconds(20), _ done: @escaping @Sendable (FlushReport) -> Void) {
    let targets = pipeline.outgoing
    let now = DispatchTime.now()
    // The merge of several sources keeps readings for their lateness, and until its next mark.
    let lateness = pipeline.input.devices.map(\.lateness).max() ?? 0
    let soon = now + .nanoseconds(Int(clamping: lateness)) + .milliseconds(250)
    let late = now + .nanoseconds(Int(clamping: limit.nanoseconds))
    wait(for: targets, soon, late) { [self] held in
      pipeline.flush { [self] flushed in
        done(FlushReport(outputs: Array(zip(plan.outputs.map(\.path), flushed)), held: held))
      }
    }
  }

  private func wait(
    for targets: [[Int]], _ soon: DispatchTime, _ late: DispatchTime, _ done: @escaping @Sendable (_ held: Int) -> Void
  ) {
    let held = pipeline.held(of: targets)
    let now = DispatchTime.now()
    let isSlow = pipeline.isBehind && !isPaused
    guard held > 0, now < (isSlow ? late : soon) else { return done(held) }
    queue.asyncAfter(deadline: now + .milliseconds(10)) { [self] in wait(for: targets, soon, late, done) }
  }
}

extension Pipeline {
  /// For each branch and stream, the number of readings that are in the outputs or on their way to them.
  var outgoing: [[Int]] { branches.map { branch in ledgers.indices.map { branch.outgoing(of: $0) } } }

  /// How many of the readings that were on their way have not reached the outputs.
  /// - Parameter targets: For each branch and stream, the number of readings that must reach the outputs. Only readings
  ///   of the same stream keep their order.
  func held(of targets: [[Int]]) -> Int {
    zip(branches, targets).map { branch, targets in
      branch.sink.settled.enumerated().reduce(0) { sum, settled in
        let (stream, count) = (settled.offset, settled.element)
        return sum + (stream < targets.count ? max(0, min(targets[stream], branch.outgoing(of: stream)) - count) : 0)
      }
    }.max() ?? 0
  }

  /// Whether an output is too far behind with its writes.
  var isBehind: Bool { branches.contains(where: \.sink.isBehind) }

  /// Writes and syncs the readings that the outputs have.
  /// - Parameter done: Called with the result for each output, in the order of their numbers.
  func flush(_ done: @escaping @Sendable ([RecordingSink.Flushed]) -> Void) {
    Self.flush(branches.map { ($0.outputs, $0.sink) }[...], [:], done)
  }

  private static func flush(
    _ sinks: ArraySlice<(outputs: [Int], sink: RecordingSink)>, _ flushed: [Int: RecordingSink.Flushed],
    _ done: @escaping @Sendable ([RecordingSink.Flushed]) -> Void
  ) {
    guard let first = sinks.first else { return done(flushed.sorted { $0.key < $1.key }.map(\.value)) }
    first.sink.flush { of in
      flush(sinks.dropFirst(), flushed.merging(zip(first.outputs, of)) { first, _ in first }, done)
    }
  }
}
