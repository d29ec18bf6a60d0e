import DequeModule
import Sluice
import SluiceReadings
import SluiceSystem

// Readings on their way to the outputs. The lock of the sink protects all state.

extension RecordingSink {
  /// - Returns: The number of readings taken. It is all of them, unless the output ends.
  func append(
    _ readings: UnsafeBufferPointer<Reading>, of stream: Int, to output: SinkOutput, _ state: inout State
  ) -> Int {
    guard let first = readings.baseAddress else { return 0 }
    let store = output.store(of: stream)
    var done = 0
    var isStuck = false
    while done < readings.count {
      let count = store.append(UnsafeBufferPointer(start: first + done, count: readings.count - done))
      done += count
      // A store may take nothing once, to end its batch.
      if count == 0, isStuck {
        giveUp(output)
        break
      }
      isStuck = count == 0
      // After a silence, readings are written at once.
      if (state.idle && output.writesByTime) || store.isFull { handOver(store, of: output, &state) }
    }
    return done
  }

  /// Ends an output whose store takes no more readings: a fault of this program. Otherwise the sink would call it for
  /// ever, under its lock.
  @inline(never)
  private func giveUp(_ output: SinkOutput) {
    let error = SluiceError(
      .failed, "write", output.name, because: "it takes no more readings, which is a fault of sluice",
      remedy: "report the command and its input")
    output.end(error)
    output.queue.perform { [self] in fail(output, error) }
  }

  func handOver(_ store: any RecordStore, of output: SinkOutput, _ state: inout State) {
    guard !output.isOver, let batch = store.batch() else { return }
    output.bytesInFlight += batch.byteCount
    state.idle = false
    if output.bytesInFlight > Self.limit { fallBehind(output, &state) }
    output.outgoing.append(batch)
    if !output.isWaking {
      output.wakes = true
      state.wakes = true
    }
  }

  /// Handles an output with more bytes waiting than allowed. If its disk is away and another output's disk is not, it
  /// takes no more readings, so that the other output gets all of them. Otherwise the sink requests nothing more.
  private func fallBehind(_ output: SinkOutput, _ state: inout State) {
    if output.isAway, !state.drains, outputs.contains(where: { !$0.isOver && !$0.isAway }) {
      output.takesNone = true
    } else {
      state.behind = true
    }
  }

  /// Lets outputs take readings again that took none for the sake of others, when all outputs are away. Then the sink
  /// requests nothing more, and the buffer keeps what it can.
  private func takeAgain(_ state: inout State) {
    guard !outputs.contains(where: { !$0.isOver && !$0.isAway }) else { return }
    for output in outputs where output.takesNone && !output.isOver {
      output.takesNone = false
      if output.bytesInFlight > Self.limit { state.behind = true }
    }
  }

  /// Whether queues must be woken.
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
      if isToWake { output.queue.perform { [self] in write(output) } }
    }
  }

  // MARK: On the queue of the output

  private enum Step {
    case write(any RecordBatch)
    case close
    /// Nothing to do. Each call that hands over a batch wakes the queue.
    case rest
  }

  /// Writes the batches that were handed over, and closes the output after the last.
  func write(_ output: SinkOutput) {
    while true {
      switch state.withLock({ _ in next(output) }) {
      case .write(let batch):
        do throws(SluiceError) {
          try batch.write()
          written(batch, by: output)
        } catch {
          if comesBack(from: error, output) { return wait(for: output, error, with: batch) }
          fail(output, error, at: batch)
        }
      case .close: return close(output)
      case .rest: return
      }
    }
  }

  private func next(_ output: SinkOutput) -> Step {
    output.current = output.outgoing.popFirst()
    if let batch = output.current { return .write(batch) }
    output.isWaking = false
    return output.isEnding && !output.isClosed ? .close : .rest
  }

  private func written(_ batch: any RecordBatch, by output: SinkOutput) {
    batch.count(into: &output.writing.unsynced)
    let away = output.writing.away
    output.writing.away = nil
    let isCaughtUp = state.withLock { state -> Bool in
      output.current = nil
      guard !output.isAbandoned else { return false }
      for (stream, count) in batch.leftOut { Self.takeBack(count, of: stream, from: output) }
      output.bytesInFlight -= batch.byteCount
      output.isAway = false
      return endsDelay(&state)
    }
    if away?.isSaid ?? false { output.writing.isSaidBack = true }
    if let away, away.isSaid { report(output, .back(nanoseconds: output.queue.now - away.since)) }
    // On another queue, because upstream may deliver all its readings within the request.
    if isCaughtUp { requests.perform { [weak self] in self?.goOn() } }
    switch sync {
    case .every(let time): scheduleSync(of: output, after: time)
    case .batch: syncNow(output)
    case .never: break
    }
  }

  /// Whether the slowest output has just caught up.
  private func endsDelay(_ state: inout State) -> Bool {
    for output in outputs where output.takesNone && !output.isOver && output.bytesInFlight <= Self.limit / 2 {
      output.takesNone = false
    }
    guard state.behind, outputs.allSatisfy({ $0.takesNone || $0.bytesInFlight <= Self.limit / 2 }) else { return false }
    state.behind = false
    return true
  }

  static func takeBack(_ count: Int, of stream: Int, from output: SinkOutput) {
    output.counts[stream].written -= count
    output.counts[stream].unwritten += count
  }

  /// Ends one output. Its unwritten readings are counted, and the other outputs go on.
  private func fail(_ output: SinkOutput, _ error: SluiceError, at batch: (any RecordBatch)? = nil) {
    if let batch {
      batch.count(into: &output.writing.unsynced)
      for (stream, count) in batch.unwritten { output.writing.unsynced[stream] -= count }
    }
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
      takeAgain(&state)
      return (outputs.allSatisfy(\.isOver), endsDelay(&state))
    }
    guard let told else { return }
    report(output, .failed(error))
    if told.isLast {
      cancel()
    } else if told.isCaughtUp {
      requests.perform { [weak self] in self?.goOn() }
    }
  }

  private func report(_ output: SinkOutput, _ event: OutputEvent) {
    if let number = outputs.firstIndex(where: { $0 === output }) { outputChanged(number, event) }
  }

  // MARK: A disk that is away

  /// Whether the write should be tried again: somebody may free space, raise a quota, mount the disk again, or close a
  /// database. A failed write to a pipe is final.
  private func comesBack(from error: SluiceError, _ output: SinkOutput) -> Bool {
    waitsForDisk && [ENOSPC, EDQUOT, EROFS, EIO, EBUSY].contains(error.errno)
      && output.stores.allSatisfy(\.file.isRegular)
  }

  /// Keeps the unwritten batch, and tries again later. The queue stays awake in the meantime.
  private func wait(for output: SinkOutput, _ error: SluiceError, with batch: any RecordBatch) {
    let now = output.queue.now
    var away = output.writing.away ?? SinkOutput.Away(since: now)
    // A message that the disk is back is followed by one that it is away again, but not for short interruptions.
    let isAwayAgain = output.writing.isSaidBack && now - away.since >= 5_000_000_000
    if isAwayAgain || output.writing.said.map({ now - $0 >= 60_000_000_000 }) ?? true {
      output.writing.said = now
      output.writing.isSaidBack = false
      away.isSaid = true
      report(output, .away(error, nanoseconds: now - away.since))
    }
    let pause = away.pause
    away.pause = min(2 * pause, 5_000_000_000)
    output.writing.away = away
    let isCaughtUp = state.withLock { state -> Bool in
      output.current = nil
      guard !output.isAbandoned else { return false }
      output.outgoing.prepend(batch)
      output.isAway = true
      takeAgain(&state)
      // Other outputs had to wait for it while it was only slow.
      guard state.behind, output.bytesInFlight > Self.limit else { return false }
      state.behind = false
      fallBehind(output, &state)
      if !state.behind { state.behind = outputs.contains { !$0.takesNone && $0.bytesInFlight > Self.limit / 2 } }
      return !state.behind
    }
    if isCaughtUp { requests.perform { [weak self] in self?.goOn() } }
    output.queue.perform(after: pause) { [self] in write(output) }
  }

  // MARK: Sync

  private func scheduleSync(of output: SinkOutput, after time: Duration) {
    guard !output.writing.isSyncScheduled else { return }
    output.writing.isSyncScheduled = true
    output.queue.perform(after: time.nanoseconds) { [weak self] in
      output.writing.isSyncScheduled = false
      self?.syncNow(output)
    }
  }

  private func syncNow(_ output: SinkOutput) {
    guard output.stores.allSatisfy(\.file.isRegular), output.writing.unsynced.contains(where: { $0 > 0 }) else {
      return
    }
    guard !state.withLock({ _ in output.isClosed }) else { return }
    let began = output.queue.now
    var failure: SluiceError?
    for store in output.stores {
      do throws(SluiceError) { try store.sync() } catch { failure = failure ?? error }
    }
    let time = output.queue.now - began
    let synced = output.writing.unsynced
    // After a failed sync, the kernel marks the lost pages as clean, so the next sync does not report them.
    output.writing.unsynced = []
    state.withLock { _ in
      output.longestSync = max(output.longestSync, time)
      // Later pages are not known to be readable after a power cut either.
      guard failure == nil, !output.writing.hasUnsyncedError, !output.isAbandoned else { return }
      for (stream, count) in synced.enumerated() where count > 0 { output.counts[stream].synced += count }
    }
    guard let failure, !output.writing.hasUnsyncedError else { return }
    output.writing.hasUnsyncedError = true
    report(output, .syncFailed(failure))
  }

  // MARK: Ticks and the end

  /// Writes waiting rows, at most about 250 ms after they came.
  func tick() {
    guard !state.withLock({ $0.ended }) else { return }
    flush()
    scheduleTick()
  }

  func scheduleTick() { queue.perform(after: 250_000_000) { [weak self] in self?.tick() } }

  /// - Parameter isLast: Whether no more readings come.
  func flush(isLast: Bool = false) {
    let isToWake = state.withLock { state -> Bool in
      takeReceived(&state)
      var isEmpty = true
      for output in outputs where !output.isOver {
        for (index, store) in output.stores.enumerated() {
          if isLast || output.hasOldRow[index] { store.endRow() }
          // A reading that joins the row may wait for the end of a pause.
          output.hasOldRow[index] = rowsEndByTime && !state.paused && store.hasOpenRow
          if !store.isEmpty { isEmpty = false }
        }
      }
      state.idle = isEmpty
      for output in outputs where isLast || output.writesByTime {
        for store in output.stores { handOver(store, of: output, &state) }
      }
      return wakes(&state)
    }
    if isToWake { wake() }
  }

  func finish() {
    flush(isLast: true)
    for output in outputs {
      let isToWake = state.withLock { _ in
        output.isEnding = true
        // The thread that must wake the queue may not have done so yet. The queue of an output whose disk is away is
        // awake.
        let isToWake = !output.isAway
        output.isWaking = true
        return isToWake
      }
      if isToWake { output.queue.perform { [self] in write(output) } }
    }
  }

  /// Syncs and closes an output that has written everything.
  private func close(_ output: SinkOutput) {
    if sync != .never { syncNow(output) }
    for store in output.stores {
      do throws(SluiceError) {
        try store.close()
      } catch {
        if state.withLock({ _ in !output.isOver }) { fail(output, error) }
      }
    }
    let isLast = state.withLock { state in
      output.isClosed = true
      return outputs.allSatisfy(\.isClosed)
    }
    guard isLast else { return }
    queue.perform { [self] in complete() }
  }
}

extension Duration {
  /// The duration in nanoseconds, at most 292 years.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isOverflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isOverflow ? .max : product &+ attoseconds / 1_000_000_000
  }
}
