import Dispatch
import Sluice
@_spi(Preview) package import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Does what clients ask of a recording.
package final class RecordingDesk: ControlDesk, @unchecked Sendable {
  // `listening` has its lock, `last` and `recent` are used on `queue` only, and the rest does not change.

  private let recording: Recording
  private let name: ControlName
  private let health: RecordingHealth
  private let reloader: PlanReloader?
  private let queue = DispatchQueue(label: "sluice.control.desk")
  private let free = FreeBytes()
  private let listening = Locked((any Cancellable)?.none)
  /// The last look, from which the next one tells the rate.
  private var last: RecordingStanding?
  private var recent: (time: UInt64, answer: ControlAnswer)?

  /// The milliseconds for which clients get the same state.
  private static var age: UInt64 { 200 }

  /// - Parameter reloader: Reads the plan again; nil if it came from nowhere it could be read again.
  package init(
    _ recording: Recording, _ name: ControlName, _ health: RecordingHealth, _ reloader: PlanReloader? = nil
  ) {
    (self.recording, self.name, self.health, self.reloader) = (recording, name, health, reloader)
  }

  package func answer(_ request: ControlRequest, _ answered: @escaping @Sendable (ControlAnswer) -> Void) {
    switch request {
    case .status: status(answered)
    case .health: queue.async { [self] in answered(Self.answer(health.findings, name)) }
    case .pause:
      perform(answered) { recording, name in
        guard !recording.isPaused else { return .done("\(name) is paused already") }
        recording.pause()
        return .done("\(name) is paused")
      }
    case .resume:
      perform(answered) { recording, name in
        guard recording.isPaused else { return .done("\(name) is not paused") }
        recording.resume()
        return .done("\(name) goes on")
      }
    case .mark(let text):
      perform(answered) { recording, name throws(SluiceError) in
        try recording.mark(text)
        return .done("\(name) is marked: \(text)")
      }
    case .rotate:
      perform(answered) { recording, name throws(SluiceError) in
        try recording.rotate()
        return .done("the next reading of \(name) begins another part")
      }
    case .flush: recording.flush { [name] in answered(Self.answer(to: $0, name)) }
    case .reload: reload(answered)
    // The server answers when the recording has ended.
    case .stop: recording.stop()
    }
  }

  /// Does something that may wait for a lock of the recording.
  private func perform(
    _ answered: @escaping @Sendable (ControlAnswer) -> Void,
    _ act: @escaping @Sendable (Recording, ControlName) throws(SluiceError) -> ControlAnswer
  ) {
    queue.async { [self] in
      do throws(SluiceError) { answered(try act(recording, name)) } catch { answered(.refused("\(error)")) }
      // What is said of the state next knows of it.
      recent = nil
    }
  }

  private static func answer(_ findings: [HealthFinding], _ name: ControlName) -> ControlAnswer {
    let text =
      findings.isEmpty ? "\(name): all is well" : findings.map { "\(name): \($0.text)" }.joined(separator: "\n")
    return .health(status: findings.status, .array(findings.map(\.json)), text: text)
  }

  private func reload(_ answered: @escaping @Sendable (ControlAnswer) -> Void) {
    guard let reloader else {
      return answered(
        .refused("there is no plan to read again: only a recording from a file, such as --plan FILE, can be reloaded"))
    }
    reloader.reload { [name] result in
      switch result {
      case .success(let reload):
        answered(.done("\(name): \(reload.text)", changed: reload.changed, kept: reload.kept))
      case .failure(let error): answered(.refused("the former plan goes on: \(error)"))
      }
    }
  }

  private static func answer(to report: Recording.FlushReport, _ name: ControlName) -> ControlAnswer {
    let faults = report.outputs.compactMap { path, flushed -> String? in
      let output = path == "-" ? "standard output" : path
      switch flushed {
      case .written: return nil
      case .away: return "the disk of \(output) is full or away: what it has is written when it is back"
      case .ended: return "\(output) has ended"
      case .failed(let error): return "\(error)"
      }
    }
    guard faults.isEmpty else { return .refused("not everything is safe: " + faults.joined(separator: "; ")) }
    let rest = report.held
    return .done(
      "what \(name) has received is written and synced"
        + (rest > 0
          ? ", but \(grouped(rest)) reading\(rest == 1 ? "" : "s"), which wait in the buffer or in a stage" : ""))
  }

  // MARK: The state

  /// The state. Clients that ask at nearly the same time get the same, so that many of them cost the recording no more than
  /// one.
  private func status(_ answered: @escaping @Sendable (ControlAnswer) -> Void) {
    queue.async { [self] in
      if let recent, monotonicMilliseconds() - recent.time < Self.age { return answered(recent.answer) }
      let standing = recording.standing
      _ = free.known(of: paths)
      // A rate needs two looks that are not far from each other.
      if let last, standing.seconds - last.seconds < 5 { return answered(state(standing, since: last)) }
      last = standing
      queue.asyncAfter(deadline: .now() + .milliseconds(250)) { [self] in
        answered(state(recording.standing, since: standing))
      }
    }
  }

  private var paths: [String] { recording.plan.outputs.map(\.path) }

  private func state(_ standing: RecordingStanding, since before: RecordingStanding) -> ControlAnswer {
    let span = standing.seconds - before.seconds
    let rate = span > 0 ? Double(standing.received - before.received) / span : 0
    let (marks, free) = (recording.marks, free.known(of: paths))
    let status = RecordingStatus(standing, rate: rate, marks: marks, free: { free[$0] })
    let process = getpid()
    let since = utcTime(standing.now - Int64(standing.seconds * 1e9))
    let lines = ["\(name), process \(process), since \(since)"] + status.lines
    let document = standing.document(standing.account ?? recording.account, marks: marks, process: process)
    let answer = ControlAnswer.status(document, text: lines.joined(separator: "\n"))
    last = standing
    recent = (monotonicMilliseconds(), answer)
    return answer
  }

  // MARK: What happens

  package func follow(_ told: (@Sendable (ControlAnswer) -> Void)?) {
    let former = listening.withLock { $0 }
    let now = told.map { told in
      recording.events.sink { told(.event($0.json, text: "\(utcTime($0.time)) \($0.kind.sentence)")) }
    }
    listening.withLock { $0 = now }
    former?.cancel()
  }
}
