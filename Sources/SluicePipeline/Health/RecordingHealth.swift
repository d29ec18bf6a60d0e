import Dispatch
import Sluice
package import SluiceDevices
import SluiceReadings
import SluiceRecording

/// Watches the health of a recording. It takes a sample every five seconds.
package final class RecordingHealth: @unchecked Sendable {
  // `state` has its lock; the rest is set once, before the timer starts.

  private struct State {
    var machine = HealthMachine()
    var away = AwayNames()
  }

  private let recording: Recording
  private let roots: DeviceRoots
  private let free = FreeBytes()
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "sluice.health")
  private var watching: AnyCancellable?
  private var timer: (any DispatchSourceTimer)?

  package init(_ recording: Recording, roots: DeviceRoots = DeviceRoots()) {
    (self.recording, self.roots) = (recording, roots)
    watching = recording.events.sink { [state] event in
      _ = state.withLock { $0.away.happened(event.kind) }
    }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(5), leeway: .milliseconds(500))
    timer.setEventHandler { [weak self] in self?.look() }
    self.timer = timer
    timer.activate()
  }

  deinit { end() }

  package func end() {
    timer?.cancel()
    watching?.cancel()
  }

  /// The present problems of the recording, the worst first.
  package var findings: [HealthFinding] {
    look()
    return state.withLock { $0.machine.findings }
  }

  /// The account and the health of the recording, in the text format of Prometheus.
  package var metrics: String {
    look()
    let (ages, findings) = state.withLock { ($0.machine.ages, $0.machine.findings) }
    let standing = recording.standing
    return Metrics(standing.account ?? recording.account, standing, ages, health: findings, version: version).text
  }

  private func look() {
    let (account, isPaused) = (recording.account, recording.isPaused)
    let known = free.known(of: account.outputs.map(\.output))
    var sample = HealthSample(now: Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    let events = recording.eventStreams
    sample.streams = account.streams.enumerated().map { number, stream in
      HealthSample.Stream(
        name: stream.input ?? stream.stream, received: stream.received, isOfEvents: events.contains(number))
    }
    sample.lost = account.lostHere
    sample.uncountedLosses = account.losses.filter { $0.isUncounted && !$0.isRecorded }.reduce(0) { $0 + $1.count }
    sample.isPaused = isPaused
    sample.isSynchronised = recording.isClockSynchronised
    sample.board = BoardState(roots)
    state.withLock { state in
      sample.awaySources = state.away.sources
      sample.outputs = account.outputs.map { output in
        var sampled = HealthSample.Output(
          path: output.output, error: output.error, isAway: state.away.outputs.contains(output.output),
          free: known[output.output])
        sampled.held = output.spill?.held ?? 0
        return sampled
      }
      state.machine.take(sample)
    }
  }
}
