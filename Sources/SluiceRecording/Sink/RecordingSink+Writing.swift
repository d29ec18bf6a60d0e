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
    output.machine.giveUp(error)
    output.queue.perform { [self] in fail(output, error) }
  }

  func handOver(_ store: any RecordStore, of output: SinkOutput, _ state: inout State) {
    guard !output.machine.isOver, let batch = store.batch() else { return }
    let isOverfull = output.machine.handOver(batch)
    if isOverfull { fallBehind(output, &state) }
    state.idle = false
    if output.machine.queue == .due { state.wakes = true }
  }

  /// Handles an output with more bytes waiting than allowed. If its disk is away and another output's disk is not, it
  /// takes no more readings, so that the other output gets all of them. Otherwise the sink requests nothing more.
  private func fallBehind(_ output: SinkOutput, _ state: inout State) {
    if output.machine.isAway, state.machine.delay != .draining, outputs.contains(where: \.machine.isWritable) {
      output.machine.drop()
    } else {
      state.machine.fallBehind()
    }
  }

  /// Lets outputs take readings again that dropped them for the sake of others, when all outputs are away. Then the
  /// sink requests nothing more, and the buffer keeps what it can.
  private func takeAgain(_ state: inout State) {
    guard !outputs.contains(where: \.machine.isWritable) else { return }
    for output in outputs where output.machine.keep() { state.machine.fallBehind() }
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
    for output in outputs where state.withLock({ _ in output.machine.wake() }) {
      output.queue.perform { [self] in write(output) }
    }
  }

  // MARK: On the queue of the output

  /// Writes the batches that were handed over, and closes the output after the last.
  func write(_ output: SinkOutput) {
    while true {
      switch state.withLock({ _ in output.machine.next() }) {
      case .write(let batch):
        do throws(SluiceError) {
          try batch.write()
          written(batch, by: output)
        } catch {
          if waitsForDisk, output.claims.allSatisfy({ $0.comesBack(from: error) }) { return wait(for: output, error) }
          batch.count(into: &output.syncs.unsynced)
          for (stream, count) in batch.unwritten { output.syncs.unsynced[stream] -= count }
          fail(output, error)
        }
      case .close: return close(output)
      case .rest: return
      }
    }
  }

  private func written(_ batch: any RecordBatch, by output: SinkOutput) {
    batch.count(into: &output.syncs.unsynced)
    let (isAbandoned, isCaughtUp) = state.withLock { state in
      output.machine.wrote()
      return (output.machine.isAbandoned, endsDelay(&state))
    }
    // What an abandoned output still writes is not counted anywhere.
    if output.progressed != nil, !isAbandoned { tellProgress(of: output, with: batch) }
    if let time = output.retries.succeed(at: output.queue.now) { report(output, .back(nanoseconds: time)) }
    if isCaughtUp { goOnLater() }
    switch sync {
    case .every(let time): scheduleSync(of: output, after: time)
    case .batch: syncNow(output)
    case .never: break
    }
  }

  /// - Parameter batch: The batch that was written now; nil if written readings have become safe.
  private func tellProgress(of output: SinkOutput, with batch: (any RecordBatch)? = nil) {
    guard let progressed = output.progressed else { return }
    if let batch {
      var counts: [Int] = []
      batch.count(into: &counts)
      output.syncs.progress.written += counts.reduce(0, +) + batch.leftOut.values.reduce(0, +)
      // If only a part of a batch was written, its rows are behind this length, and the batch is written again.
      output.syncs.progress.whole = output.stores.count == 1 ? output.stores[0].file : nil
    }
    if batch == nil || sync == .never {
      output.syncs.progress.safe = output.syncs.progress.written
      output.syncs.progress.file = output.syncs.progress.whole
    }
    progressed(output.syncs.progress)
  }

  /// On another queue, because upstream may deliver all its readings within the request.
  private func goOnLater() { requests.perform { [weak self] in self?.goOn() } }

  /// Whether the slowest output has just caught up.
  private func endsDelay(_ state: inout State) -> Bool {
    guard state.machine.delay == .behind, outputs.allSatisfy(\.machine.hasRoom) else { return false }
    state.machine.catchUp()
    return true
  }

  /// Ends one output. Its unwritten readings are counted, and the other outputs go on.
  private func fail(_ output: SinkOutput, _ error: SluiceError) {
    let (ended, isLast, isCaughtUp) = state.withLock { state -> (SluiceError?, Bool, Bool) in
      guard let ended = output.machine.fail(error, output.rest()) else { return (nil, false, false) }
      takeAgain(&state)
      return (ended, outputs.allSatisfy(\.machine.isOver), endsDelay(&state))
    }
    guard let ended else { return }
    report(output, .failed(ended))
    if isLast { cancel() } else if isCaughtUp { goOnLater() }
  }

  private func report(_ output: SinkOutput, _ event: OutputEvent) {
    if let number = outputs.firstIndex(where: { $0 === output }) { outputChanged(number, event) }
  }

  // MARK: A disk that is away

  /// Keeps the unwritten batch, and tries again later.
  private func wait(for output: SinkOutput, _ error: SluiceError) {
    let (pause, awayFor) = output.retries.fail(at: output.queue.now)
    if let awayFor { report(output, .away(error, nanoseconds: awayFor)) }
    let isCaughtUp = state.withLock { state -> Bool in
      guard output.machine.tryAgain() else { return false }
      takeAgain(&state)
      // Other outputs had to wait for it while it was only slow.
      guard state.machine.delay == .behind, output.machine.isOverfull else { return false }
      fallBehind(output, &state)
      return endsDelay(&state)
    }
    if isCaughtUp { goOnLater() }
    output.queue.perform(after: pause) { [self] in write(output) }
  }

  // MARK: Sync

  private func scheduleSync(of output: SinkOutput, after time: Duration) {
    guard !output.syncs.isScheduled else { return }
    output.syncs.isScheduled = true
    output.queue.perform(after: time.nanoseconds) { [weak self] in
      output.syncs.isScheduled = false
      self?.syncNow(output)
    }
  }

  /// - Returns: The error of this sync; nil also if there was nothing to sync.
  @discardableResult func syncNow(_ output: SinkOutput) -> SluiceError? {
    guard output.claims.allSatisfy({ $0.safety == .sync }), output.syncs.unsynced.contains(where: { $0 > 0 }) else {
      return nil
    }
    guard !state.withLock({ _ in output.machine.isClosed }) else { return nil }
    let began = output.queue.now
    var failure: SluiceError?
    for store in output.stores {
      do throws(SluiceError) { try store.sync() } catch { failure = failure ?? error }
    }
    let time = output.queue.now - began
    let synced = output.syncs.unsynced
    // After a failed sync, the kernel marks the lost pages as clean, so the next sync does not report them.
    output.syncs.unsynced = []
    state.withLock { _ in
      output.longestSync = max(output.longestSync, time)
      // Later pages are not known to be readable after a power cut either.
      if failure == nil, !output.syncs.hasFailed { output.machine.addSafe(synced) }
    }
    if failure == nil, !output.syncs.hasFailed { tellProgress(of: output) }
    guard let failure, !output.syncs.hasFailed else { return failure }
    output.syncs.hasFailed = true
    report(output, .syncFailed(failure))
    return failure
  }

  /// Counts what the other side of an output acknowledges.
  func acknowledge(_ output: SinkOutput) {
    for (store, claim) in zip(output.stores, output.claims) where claim.safety == .acknowledgement {
      store.acknowledge { [state, weak output] counts in
        guard let output else { return }
        state.withLock { _ in output.machine.addSafe(counts) }
      }
    }
  }

  /// Counts readings that a store has taken, and that are not written after all.
  func countLost(_ output: SinkOutput) {
    for store in output.stores {
      store.loses { [state, weak output] lost in
        guard let output else { return }
        state.withLock { _ in output.lose(lost) }
      }
    }
  }

  // MARK: Ticks and the end

  /// Writes waiting rows, at most about 250 ms after they came.
  func tick() {
    guard !state.withLock({ $0.machine.isOver }) else { return }
    flush()
    scheduleTick()
  }

  func scheduleTick() { queue.perform(after: 250_000_000) { [weak self] in self?.tick() } }

  /// - Parameter isLast: Whether no more readings come.
  func flush(isLast: Bool = false) {
    waking { state in
      takeReceived(&state)
      var isEmpty = true
      for output in outputs where !output.machine.isOver {
        for (index, store) in output.stores.enumerated() {
          if isLast || output.hasOldRow[index] { store.endRow() }
          // A reading that joins the row may wait for the end of a pause.
          output.hasOldRow[index] = rowsEndByTime && state.machine.pausing == nil && store.hasOpenRow
          if !store.isEmpty { isEmpty = false }
        }
      }
      state.idle = isEmpty
      for output in outputs where isLast || output.writesByTime {
        for store in output.stores { handOver(store, of: output, &state) }
      }
    }
  }

  func finish() {
    flush(isLast: true)
    for output in outputs where state.withLock({ _ in output.machine.end() }) {
      output.queue.perform { [self] in write(output) }
    }
  }

  /// Syncs and closes an output that has written everything.
  private func close(_ output: SinkOutput) {
    if sync != .never { syncNow(output) }
    for store in output.stores {
      do throws(SluiceError) {
        try store.close()
      } catch {
        if state.withLock({ _ in !output.machine.isOver }) { fail(output, error) }
      }
    }
    let isLast = state.withLock { _ in
      output.machine.close()
      return outputs.allSatisfy(\.machine.isClosed)
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
