import Dispatch
import SluiceReadings

// Rows on their way to the files. All state is the sink's, under its lock.

extension CSVSink {
  /// Puts readings of one device and time into one row.
  func share(_ readings: UnsafeBufferPointer<Reading>, of output: Output, _ state: inout State) {
    for reading in readings {
      if let last = output.row.last, !output.encoder.isSameRow(reading, as: last, from: output.streams.lowerBound) {
        endRow(of: output, &state)
      }
      output.row.append(reading)
      output.isRowOld = false
    }
  }

  func endRow(of output: Output, _ state: inout State) {
    guard !output.row.isEmpty else { return }
    output.encoder.encodeRow(output.row, from: output.streams.lowerBound, into: output.buffer)
    output.row.removeAll(keepingCapacity: true)
    if state.idle || output.buffer.count >= Self.batch { handOver(output, &state) }
  }

  func encode(_ readings: UnsafeBufferPointer<Reading>, to output: Output, _ state: inout State) {
    var done = 0
    while done < readings.count {
      let rest = UnsafeBufferPointer(rebasing: readings[done...])
      if moreStreams != nil, let grown = output.grown {
        done += grown.encode(rest, into: output.buffer, until: Self.batch)
      } else {
        done += output.encoder.encode(
          rest, from: output.streams.lowerBound, into: output.buffer, until: Self.batch)
      }
      // What comes after a silence is seen at once.
      if output.buffer.count >= Self.batch || state.idle { handOver(output, &state) }
    }
  }

  func handOver(_ output: Output, _ state: inout State) {
    let rows = output.buffer
    let count = rows.count
    guard count > 0 else { return }
    output.buffer = state.spares.popLast() ?? TextBuffer(capacity: Self.capacity)
    state.bytesInFlight += count
    state.idle = false
    state.outgoing.append((output, rows))
    state.wakes = !state.isWaking
  }

  /// - Returns: Whether `queue` is to be woken.
  @inline(__always)
  func wakes(_ state: inout State) -> Bool {
    guard state.wakes else { return false }
    (state.wakes, state.isWaking) = (false, true)
    return true
  }

  func wake() { queue.async { [self] in write() } }

  /// Writes what was handed over, on `queue`.
  func write() {
    while let (output, rows) = state.withLock({ state -> (Output, TextBuffer)? in
      if let next = state.outgoing.popFirst() { return next }
      state.isWaking = false
      return nil
    }) {
      let count = rows.count
      let kept = output.file.write(rows)
      if kept < count {
        let encoder = output.grown ?? output.encoder
        failed(
          rows.withBytes { encoder.readings(in: UnsafeBufferPointer(rebasing: $0[kept...])) }, output.streams.lowerBound
        )
      }
      written(rows, count)
      if output.file.error != nil { cancel() }
    }
  }

  /// Takes back what was counted as written.
  func failed(_ counts: [Int], _ firstStream: Int) {
    state.withLock { state in
      for (index, count) in counts.enumerated() { state.counts[firstStream + index].written -= count }
    }
  }

  func written(_ rows: TextBuffer, _ count: Int) {
    rows.removeAll()
    let caughtUp = state.withLock { state -> Bool in
      state.bytesInFlight -= count
      if state.spares.count < Self.spares { state.spares.append(rows) }
      guard state.behind, state.bytesInFlight <= Self.limit / 2 else { return false }
      state.behind = false
      return true
    }
    // Not on the queue of the writes: upstream may deliver all that it has within the request.
    if caughtUp { requests.async { [weak self] in self?.goOn() } }
  }

  /// - Parameter isLast: Nothing comes any more.
  func flush(isLast: Bool = false) {
    let isToWake = state.withLock { state -> Bool in
      for output in outputs {
        if isLast || output.isRowOld { endRow(of: output, &state) }
        // What still joins it may wait for the end of a pause.
        output.isRowOld = rowsEndByTime && !state.paused && !output.row.isEmpty
      }
      state.idle = outputs.allSatisfy { $0.buffer.count == 0 && $0.row.isEmpty }
      for output in outputs { handOver(output, &state) }
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
      output.file.close { group.leave() }
    }
    group.notify(queue: queue) { [self] in
      receiveCompletion(outputs.lazy.compactMap(\.file.error).first)
    }
  }
}
