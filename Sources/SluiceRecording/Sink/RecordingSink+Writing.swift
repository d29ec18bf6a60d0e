import Dispatch
import SluiceReadings

// Readings on their way to the outputs. All state is the sink's, under its lock.

extension RecordingSink {
  func append(
    _ readings: UnsafeBufferPointer<Reading>, of stream: Int, to output: SinkOutput, _ state: inout State
  ) {
    guard let first = readings.baseAddress else { return }
    let store = output.store(of: stream)
    var done = 0
    while done < readings.count {
      done += store.append(UnsafeBufferPointer(start: first + done, count: readings.count - done))
      // What comes after a silence is seen at once.
      if state.idle || store.isFull { handOver(store, of: output, &state) }
    }
  }

  func handOver(_ store: any RecordStore, of output: SinkOutput, _ state: inout State) {
    guard !output.isOver, let batch = store.batch() else { return }
    output.bytesInFlight += batch.byteCount
    state.idle = false
    if output.bytesInFlight > Self.limit { state.behind = true }
    output.outgoing.append(batch)
    if !output.isWaking {
      output.wakes = true
      state.wakes = true
    }
  }

  /// Whether queues are to be woken.
  @inline(__always)
  func wakes(_ state: inout State) -> Bool {
    guard state.wakes else { return false }
    state.wakes = false
    return true
  }

  /// Wakes the queues, without the lock.
  func wake() {
    for output in outputs {
      let isToWake = state.withLock { _ in
        guard output.wakes else { return false }
        (output.wakes, output.isWaking) = (false, true)
        return true
      }
      if isToWake { output.queue.async { [self] in write(output) } }
    }
  }

  /// Writes what was handed over, on the queue of the output.
  func write(_ output: SinkOutput) {
    while let batch = state.withLock({ _ -> (any RecordBatch)? in
      output.writing = output.outgoing.popFirst()
      if output.writing == nil { output.isWaking = false }
      return output.writing
    }) {
      do throws(SluiceError) {
        try batch.write()
        written(batch, by: output)
      } catch {
        fail(output, error, at: batch)
      }
    }
  }

  private func written(_ batch: any RecordBatch, by output: SinkOutput) {
    let isCaughtUp = state.withLock { state -> Bool in
      output.writing = nil
      guard !output.isAbandoned else { return false }
      for (stream, count) in batch.leftOut { Self.takeBack(count, of: stream, from: output) }
      output.bytesInFlight -= batch.byteCount
      return endsDelay(&state)
    }
    // Not on the queue of the writes, because upstream may deliver all its readings within the request.
    if isCaughtUp { requests.async { [weak self] in self?.goOn() } }
  }

  /// Whether the slowest output has caught up just now.
  private func endsDelay(_ state: inout State) -> Bool {
    guard state.behind, outputs.allSatisfy({ $0.bytesInFlight <= Self.limit / 2 }) else { return false }
    state.behind = false
    return true
  }

  static func takeBack(_ count: Int, of stream: Int, from output: SinkOutput) {
    output.counts[stream].written -= count
    output.counts[stream].unwritten += count
  }

  /// Ends one output. Readings that it has not written are counted, and the other outputs go on.
  private func fail(_ output: SinkOutput, _ error: SluiceError, at batch: (any RecordBatch)? = nil) {
    let told = state.withLock { state -> (isLast: Bool, isCaughtUp: Bool)? in
      guard !output.isAbandoned else { return nil }
      output.end(error)
      for store in output.stores {
        store.endRow()
        if let rest = store.batch() { output.outgoing.append(rest) }
      }
      for batch in [batch].compactMap({ $0 }) + output.outgoing {
        for (stream, count) in batch.unwritten { Self.takeBack(count, of: stream, from: output) }
        for (stream, count) in batch.leftOut { Self.takeBack(count, of: stream, from: output) }
      }
      output.outgoing.removeAll()
      output.bytesInFlight = 0
      return (outputs.allSatisfy(\.isOver), endsDelay(&state))
    }
    guard let told else { return }
    if let number = outputs.firstIndex(where: { $0 === output }) { outputFailed(number, error) }
    if told.isLast {
      cancel()
    } else if told.isCaughtUp {
      requests.async { [weak self] in self?.goOn() }
    }
  }

  /// - Parameter isLast: No more readings come.
  func flush(isLast: Bool = false) {
    let isToWake = state.withLock { state -> Bool in
      takeReceived(&state)
      var isEmpty = true
      for output in outputs where !output.isOver {
        for (index, store) in output.stores.enumerated() {
          if isLast || output.hasOldRow[index] { store.endRow() }
          // What still joins it may wait for the end of a pause.
          output.hasOldRow[index] = rowsEndByTime && !state.paused && store.hasOpenRow
          if !store.isEmpty { isEmpty = false }
        }
      }
      state.idle = isEmpty
      for output in outputs {
        for store in output.stores { handOver(store, of: output, &state) }
      }
      return wakes(&state)
    }
    if isToWake { wake() }
  }

  func finish() {
    flush(isLast: true)
    ticker.cancel()
    let group = DispatchGroup()
    for output in outputs {
      group.enter()
      // Behind the batches.
      output.queue.async { [self] in
        // Whoever is to wake the queue may not have done so yet.
        write(output)
        for store in output.stores {
          do throws(SluiceError) {
            try store.close()
          } catch {
            if state.withLock({ _ in !output.isOver }) { fail(output, error) }
          }
        }
        state.withLock { _ in output.isClosed = true }
        group.leave()
      }
    }
    group.notify(queue: queue) { [self] in complete() }
  }
}
