import DequeModule
import Dispatch
import Sluice
package import SluiceReadings

// The end of a recording that does not wait for a disk or a reader without limit.

extension RecordingSink {
  /// No new readings come: takes everything from upstream, however much waits for the outputs. So a stuck output does
  /// not hold up the others.
  package func drain() {
    state.withLock { $0.drains = true }
    // Upstream may deliver all of it within the request.
    requests.perform { [weak self] in self?.goOn() }
  }

  /// Gives up every output that is not finished. What its queue has not written counts as not written, also the batch that
  /// it is writing: nobody knows how much of that the system has taken. A write that is stuck is left behind.
  /// - Parameter error: What is to be said of an output.
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

  /// What outputs miss because they were given up, once upstream has ended.
  /// - Parameter count: Answers how many readings should have come here.
  package func left(of count: () -> Int) -> [(output: Int, name: String, count: Int)] {
    guard abandoned.contains(true) else { return [] }
    // What was on its way meanwhile is counted. A trace that is stuck is not waited for.
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

  /// Outputs that were given up: what they have may be a little more than the counts say, and may end within a row.
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
    // Of one that is tried again, a part may be written.
    for batch in output.outgoing {
      for (stream, count) in batch.unwritten { Self.takeBack(count, of: stream, from: output) }
    }
    for batch in [output.current].compactMap({ $0 }) + output.outgoing {
      for (stream, count) in batch.leftOut { Self.takeBack(count, of: stream, from: output) }
    }
    output.outgoing.removeAll()
    output.bytesInFlight = 0
  }

  /// Notifies the waiter for the end, once.
  func complete() {
    let isFirst = state.withLock { state in
      defer { state.isCompleted = true }
      return !state.isCompleted
    }
    if isFirst { receiveCompletion(state.withLock { _ in outputs.lazy.compactMap(\.failure).first }) }
  }
}
