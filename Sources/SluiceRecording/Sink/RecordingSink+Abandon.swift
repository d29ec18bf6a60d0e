import DequeModule
import Dispatch
import Sluice
package import SluiceReadings

// The end of a recording that does not wait without limit for a disk or a reader.

extension RecordingSink {
  /// Takes everything that upstream still has, however much waits for the outputs. No new readings come. So a stuck
  /// output does not delay the others.
  package func drain() {
    state.withLock { $0.drains = true }
    // Upstream may deliver everything within the request.
    requests.perform { [weak self] in self?.goOn() }
  }

  /// Abandons every output that is not finished. Readings that its queue has not written count as not written. This
  /// includes the current batch, because nobody knows how much of it the system has taken. It does not wait for a write
  /// that is stuck.
  /// - Parameter error: The error for an output with this name.
  package func abandon(_ error: (_ output: String) -> SluiceError) {
    state.withLock { state in
      takeReceived(&state)
      for output in outputs where !output.isClosed && !output.isOver {
        output.unwrittenBefore = output.counts.reduce(0) { $0 + $1.unwritten }
        takeBackAll(of: output)
        output.isAbandoned = true
        output.end(error(output.name))
      }
    }
    cancel()
    complete()
  }

  /// The readings that abandoned outputs lack, after the end of upstream.
  /// - Parameter count: Returns how many readings should have arrived here.
  package func left(of count: () -> Int) -> [(output: Int, name: String, count: Int)] {
    guard abandoned.contains(true) else { return [] }
    // Readings still on their way are counted first. A stuck trace is not waited for.
    let settled = DispatchSemaphore(value: 0)
    requests.perform { settled.signal() }
    _ = settled.wait(timeout: .now() + .seconds(1))
    let total = count()
    return state.withLock { state in
      let discarded = state.discarded.reduce(0, +)
      return outputs.enumerated().filter(\.element.isAbandoned).map { number, output in
        let written = output.counts.reduce(0) { $0 + $1.written + $1.dropped }
        return (number, output.name, max(0, total - discarded - output.unwrittenBefore - written))
      }
    }
  }

  /// Whether each output was abandoned. Its file may have a few more rows than its counts, and may end within a row.
  package var abandoned: [Bool] { state.withLock { _ in outputs.map(\.isAbandoned) } }

  private func takeBackAll(of output: SinkOutput) {
    for store in output.stores {
      store.endRow()
      if let rest = store.batch() { output.outgoing.append(rest) }
    }
    if let batch = output.current {
      var counts: [Int] = []
      batch.count(into: &counts)
      for (stream, count) in counts.enumerated() { Self.takeBack(count, of: stream, from: output) }
    }
    // A batch that is tried again may be partly written.
    for batch in output.outgoing {
      for (stream, count) in batch.unwritten { Self.takeBack(count, of: stream, from: output) }
    }
    for batch in [output.current].compactMap({ $0 }) + output.outgoing {
      for (stream, count) in batch.leftOut { Self.takeBack(count, of: stream, from: output) }
    }
    output.outgoing.removeAll()
    output.bytesInFlight = 0
  }

  /// Signals the end to the waiter, once.
  func complete() {
    let isFirst = state.withLock { state in
      defer { state.isCompleted = true }
      return !state.isCompleted
    }
    if isFirst { receiveCompletion(state.withLock { _ in outputs.lazy.compactMap(\.failure).first }) }
  }
}
