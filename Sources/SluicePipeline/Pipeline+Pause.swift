import Sluice
import SluiceReadings
import SluiceRecording

extension Pipeline {
  /// That of a paced replay.
  private var pace: Pace? { sources.lazy.compactMap(\.pace).first }

  package var isPaused: Bool { state.withLock { $0.pauses.last.map { $0.to == nil } ?? false } }

  /// A paced replay stops its pace, and goes on where it stopped; of anything else the outputs pause.
  package func pause() {
    let isNew = state.withLock { state in
      guard !state.stopping else { return false }
      if state.pauses.last.map({ $0.to != nil }) ?? true { state.pauses.append(.init(from: epoch.now, to: nil)) }
      return true
    }
    guard isNew else { return }
    if let pace { return pace.pause() }
    sink?.pause()
    // It may have been stopped in between: then what is held is to be written.
    if pauseMode == .hold, state.withLock({ $0.stopping }) { sink?.resume() }
  }

  /// On a queue of its own: a trace is replayed within the request, while the next signal is to be heard.
  package func resume() {
    state.withLock { state in
      if let last = state.pauses.last, last.to == nil { state.pauses[state.pauses.count - 1].to = epoch.now }
    }
    if let pace { return pace.resume() }
    resuming.perform { self.sink?.resume() }
  }

  /// Lets one reading of a paced replay through that is paused.
  package func step() { pace?.step() }
}
