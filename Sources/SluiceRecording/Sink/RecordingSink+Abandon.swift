import Dispatch
import Sluice
package import SluiceReadings

// The end of a recording that does not wait without limit for a disk or a reader.

extension RecordingSink {
  /// Takes everything that upstream still has, however much waits for the outputs. No new readings come. So a stuck
  /// output does not delay the others.
  package func drain() {
    state.withLock { $0.machine.drain() }
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
      for output in outputs where !output.machine.isClosed && !output.machine.isOver {
        output.machine.abandon(
          error(output.name), output.rest(), losesUnsafe: output.stores.contains { $0.losesWhatIsNotSafe })
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
      return outputs.enumerated().filter(\.element.machine.isAbandoned).map { number, output in
        let written = output.machine.counts.reduce(0) { $0 + $1.written + $1.dropped }
        return (number, output.name, max(0, total - discarded - output.machine.unwrittenBefore - written))
      }
    }
  }

  /// Whether each output was abandoned. Its file may have a few more rows than its counts, and may end within a row.
  package var abandoned: [Bool] { state.withLock { _ in outputs.map(\.machine.isAbandoned) } }

  /// Signals the end to the waiter, once.
  func complete() {
    let (isFirst, error) = state.withLock { state in
      (state.machine.complete(), outputs.lazy.compactMap(\.machine.failure).first)
    }
    if isFirst { receiveCompletion(error) }
  }
}
