import Dispatch
import Sluice
import SluiceReadings
@_spi(Preview) package import SluiceRecording

extension Recording {
  /// What a flush has reached.
  package struct FlushReport: Sendable {
    /// By output, its path, and what became of what it had.
    package var outputs: [(path: String, flushed: RecordingSink.Flushed)]
    /// The readings of the time of the call that have not reached the outputs: in a buffer, or in a stage that waits for
    /// more of them.
    package var held: Int
  }

  /// Writes and syncs what was received so far.
  ///
  /// What is on its way to the outputs is waited for: as long as the merge of several sources may keep it, and longer if a
  /// slow output holds it up. What a stage keeps, such as a group that is not full, stays there, because the rows of a
  /// recording must not depend on who looks at it.
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
  /// By branch and stream, the readings that are in its outputs or on their way to them.
  var outgoing: [[Int]] { branches.map { branch in ledgers.indices.map { branch.outgoing(of: $0) } } }

  /// How many of the readings that were on their way have not reached the outputs.
  /// - Parameter targets: By branch and stream, the number of readings that had to reach it. The readings of one stream stay
  ///   in their order, those of several do not.
  func held(of targets: [[Int]]) -> Int {
    zip(branches, targets).map { branch, targets in
      branch.sink.settled.enumerated().reduce(0) { sum, settled in
        let (stream, count) = (settled.offset, settled.element)
        return sum + (stream < targets.count ? max(0, min(targets[stream], branch.outgoing(of: stream)) - count) : 0)
      }
    }.max() ?? 0
  }

  /// Whether an output has more to write than it should.
  var isBehind: Bool { branches.contains(where: \.sink.isBehind) }

  /// Writes and syncs what the outputs have.
  /// - Parameter done: Called with what became of each output, by its number.
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
