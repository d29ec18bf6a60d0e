import Sluice
import SluiceReadings
import SluiceRecording

extension Pipeline {
  /// The pace of a replay with a rate.
  private var pace: Pace? { input.replay?.pace }

  package var isPaused: Bool { state.withLock { $0.pauses.last.map { $0.to == nil } ?? false } }

  /// A replay with a rate stops its pace, and later continues where it stopped. In any other run the outputs pause.
  package func pause() {
    let (isNew, isStopping) = state.withLock { state in
      guard !state.stopping else { return (false, true) }
      guard state.pauses.last.map({ $0.to != nil }) ?? true else { return (false, false) }
      state.pauses.append(Pause(from: epoch.now, to: nil))
      return (true, false)
    }
    guard !isStopping else { return }
    if isNew { events.send(.paused) }
    if let pace { return pace.pause() }
    for branch in branches {
      branch.sink.pause()
      // What a pause discards is not kept.
      if pauseMode != .discard { branch.spill?.spills(true) }
    }
    // If the pipeline was stopped in the meantime, the held readings must be written.
    if pauseMode != .discard, state.withLock({ $0.stopping }) { for branch in branches { branch.sink.resume() } }
  }

  /// Resumes on another queue, because a trace is replayed within the request, and the caller must still handle
  /// signals.
  package func resume() {
    let wasPaused = state.withLock { state in
      guard let last = state.pauses.last, last.to == nil else { return false }
      state.pauses[state.pauses.count - 1].to = epoch.now
      return true
    }
    if wasPaused { events.send(.resumed) }
    if let pace { return pace.resume() }
    resuming.perform {
      for branch in self.branches {
        branch.spill?.pauseEnds()
        branch.sink.resume()
      }
    }
  }

  /// Delivers one reading of a paced replay that is paused.
  package func step() { pace?.step() }
}
