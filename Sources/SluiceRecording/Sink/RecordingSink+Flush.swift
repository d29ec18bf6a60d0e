import Sluice
package import SluiceReadings

extension RecordingSink {
  /// What became of what an output had when it was asked to write all of it.
  package enum Flushed: Equatable, Sendable {
    /// It is written, and as safe as this output makes it: synced, if it is a file.
    case written
    /// Its disk is full or away. What it has is written when the disk is back.
    case away
    /// The output has ended. It writes nothing more.
    case ended
    case failed(SluiceError)
  }

  /// Whether it requests nothing because an output has more to write than it should.
  package var isBehind: Bool { state.withLock { $0.machine.delay == .behind } }

  /// Whether the disk of an output is full or away.
  package var isAway: Bool { state.withLock { _ in outputs.contains(where: \.machine.isAway) } }

  /// By stream, the readings whose fate is decided here: without those that a pause holds.
  package var settled: [Int] {
    let (discarded, shares) = standing
    return discarded.indices.map { stream in
      let count = shares.first.flatMap { stream < $0.counts.count ? $0.counts[stream] : nil } ?? OutputCount()
      return discarded[stream] + count.written + count.unwritten + count.dropped
    }
  }

  /// Writes and syncs what every output has, also where the policy syncs nothing. A row that waits for more readings of its
  /// time ends.
  /// - Parameters:
  ///   - holdsAll: Whether nothing is flushed in a pause, which may hold a row that has not ended.
  ///   - done: Called once with what became of each output, in their order, on any queue; with none if nothing was flushed.
  ///     A write that hangs keeps it away.
  package func flush(holdsAll: Bool = false, _ done: @escaping @Sendable ([Flushed]) -> Void) {
    let isHeld = waking { state in
      if holdsAll, state.machine.pausing != nil { return true }
      takeReceived(&state)
      for output in outputs where !output.machine.isOver {
        for store in output.stores {
          if state.machine.pausing == nil { store.endRow() }
          handOver(store, of: output, &state)
        }
      }
      return false
    }
    if isHeld { return done([]) }
    flush(0, [], done)
  }

  private func flush(_ number: Int, _ flushed: [Flushed], _ done: @escaping @Sendable ([Flushed]) -> Void) {
    guard number < outputs.count else { return done(flushed) }
    let output = outputs[number]
    // Behind the writes that it waits for already.
    output.queue.perform { [self] in flush(number + 1, flushed + [flush(output)], done) }
  }

  /// On the queue of the output.
  private func flush(_ output: SinkOutput) -> Flushed {
    let (isOver, isAway) = state.withLock { _ in
      (output.machine.isOver || output.machine.isClosed, output.machine.isAway)
    }
    if isOver { return .ended }
    if isAway { return .away }
    if let error = syncNow(output) { return .failed(error) }
    guard !output.syncs.hasFailed else {
      // The kernel tells the loss of what was written only once.
      return .failed(SluiceError(.failed, "sync", output.name, because: "an earlier sync has failed"))
    }
    return .written
  }
}
