import Sluice
import SluiceReadings
import SluiceRecording

// What outputs say, as events of the recording.

extension Pipeline {
  func outputChanged(_ number: Int, _ event: OutputEvent) {
    let isTold = state.withLock { state in
      guard !state.layout.outputs.indices.contains(number) || state.tellsEarly else { return true }
      // Nobody will add an output any more.
      if !state.isOver { state.early.append((number, event)) }
      return false
    }
    if isTold { tell(event, of: number) }
  }

  /// Tells what outputs have said that are in the layout now.
  func tellEarly() {
    while let (number, event) = state.withLock({ state -> (Int, OutputEvent)? in
      state.tellsEarly = !state.early.isEmpty
      return state.early.isEmpty ? nil : state.early.removeFirst()
    }) {
      tell(event, of: number)
    }
  }

  private func tell(_ event: OutputEvent, of number: Int) {
    let path = outputs[number].path
    switch event {
    case .failed(let error): fail(number, error)
    case .syncFailed(let error): report(error)
    case .away(let error, let time):
      let now = dropped(for: number)
      let before = state.withLock { state in
        state.droppedBefore[number] = state.droppedBefore[number] ?? now
        return state.droppedBefore[number] ?? now
      }
      events.send(.outputAway(path: path, error, nanoseconds: time, dropped: now - before))
      if state.withLock({ $0.stopping }) {
        for branch in branches where branch.outputs.contains(number) { branch.spill?.keep() }
      }
    case .back(let time):
      let before = state.withLock { $0.droppedBefore.removeValue(forKey: number) } ?? 0
      events.send(.outputBack(path: path, nanoseconds: time, dropped: dropped(for: number) - before))
    case .tailCut(let path, let tail):
      events.send(.tailCut(path: path, bytes: tail.byteCount, sentence: tail.sentence))
    case .damageKept(let path, let bytes, let offset, let cause):
      events.send(.damageKept(path: path, bytes: bytes, offset: offset, cause: cause))
    case .spoolResumed(let folder, let readings):
      events.send(.spoolResumed(path: path, folder: folder, readings: readings))
    case .spoolKept(let folder, let readings):
      events.send(.spoolKept(path: path, folder: folder, readings: readings))
    case .spoolDrops(let error): events.send(.spoolDrops(path: path, error))
    case .spoolFault(let error): events.send(.spoolFault(path: path, error))
    case .refused(let error, let readings, let file):
      events.send(.readingsRefused(path: path, error, readings: readings, file: file))
    case .warned(let error): events.send(.serverWarned(path: path, error))
    case .emptyPartRemoved(let path): events.send(.emptyPartRemoved(path: path))
    case .begunAnew(let path): events.send(.begunAnew(path: path))
    case .cutBack(let path, let bytes): events.send(.cutBack(path: path, bytes: bytes))
    }
  }

  /// The number of readings that the buffer and this output have dropped so far.
  private func dropped(for output: Int) -> Int {
    // A server may answer while the outputs are opened: it gets what an earlier run has left.
    let shares = shares
    let own = shares.indices.contains(output) ? shares[output].counts.reduce(0) { $0 + $1.dropped } : 0
    return dropped + own
  }

  func fail(_ output: Int, _ error: SluiceError) {
    let isLast = state.withLock { state in
      state.failures[output] = (error, epoch.now)
      let isLast = state.failures.count == state.layout.outputs.count
      if error.isOfReaderThatHasGone, isLast { state.stopping = true }
      return isLast
    }
    guard error.isOfReaderThatHasGone else { return report(error) }
    // The reader closed the pipe, as `head` does. If it was the last output, no message is needed.
    if !isLast { events.send(.readerLeft(path: error.object, error)) }
  }
}
