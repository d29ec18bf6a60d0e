import Dispatch
import Sluice
package import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Performs the requests of clients to a recording.
package final class RecordingDesk: ControlDesk, @unchecked Sendable {
  // `listening` has its lock, only `queue` uses `last` and `recent`, and the rest does not change.

  private let recording: Recording
  private let name: ControlName
  private let health: RecordingHealth
  private let reloader: PlanReloader?
  private let stopping: @Sendable () -> Void
  private let queue = DispatchQueue(label: "sluice.control.desk")
  private let free = FreeBytes()
  private let listening = Locked((any Cancellable)?.none)
  /// The last state, from which the next one computes the rate.
  private var last: RecordingStanding?
  private var recent: (time: UInt64, answer: ControlAnswer)?

  /// The milliseconds during which all clients get the same state.
  private static var age: UInt64 { 200 }

  /// - Parameters:
  ///   - reloader: Reads the plan again; nil if the plan does not come from a file.
  ///   - stopping: Called before a client stops the recording.
  package init(
    _ recording: Recording, _ name: ControlName, _ health: RecordingHealth, _ reloader: PlanReloader? = nil,
    stopping: @escaping @Sendable () -> Void = {}
  ) {
    (self.recording, self.name, self.health) = (recording, name, health)
    (self.reloader, self.stopping) = (reloader, stopping)
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
    case .mark(let text): mark(text, answered)
    case .rotate:
      perform(answered) { recording, name throws(SluiceError) in
        try recording.rotate()
        return .done("the next reading of \(name) begins another part")
      }
    case .flush: recording.flush { [name] in answered(Self.answer(to: $0, name)) }
    case .reload: reload(answered)
    // The server answers when the recording has ended.
    case .stop:
      stopping()
      recording.stop()
    }
  }

  /// Performs an action that may have to wait for a lock of the recording.
  private func perform(
    _ answered: @escaping @Sendable (ControlAnswer) -> Void,
    _ act: @escaping @Sendable (Recording, ControlName) throws(SluiceError) -> ControlAnswer
  ) {
    queue.async { [self] in
      do throws(SluiceError) { answered(try act(recording, name)) } catch { answered(.refused("\(error)")) }
      // So the next status includes this action.
      recent = nil
    }
  }

  /// Answers when the mark is in the metadata.
  private func mark(_ text: String, _ answered: @escaping @Sendable (ControlAnswer) -> Void) {
    queue.async { [self] in
      do throws(SluiceError) {
        try recording.mark(text) { [name] isWritten in
          let rest = isWritten ? "" : "; the metadata cannot be written now, and gets the mark later"
          answered(.done("\(name) is marked: \(text)\(rest)"))
        }
      } catch {
        answered(.refused("\(error)"))
      }
      recent = nil
    }
  }

  private static func answer(_ findings: [HealthFinding], _ name: ControlName) -> ControlAnswer {
    let text =
      findings.isEmpty
      ? "\(name): all is well" : findings.map { "\(name): \($0.text)".inOneLine }.joined(separator: "\n")
    return .health(status: findings.status, .array(findings.map(\.json)), text: text)
  }

  private func reload(_ answered: @escaping @Sendable (ControlAnswer) -> Void) {
    guard let reloader else {
      return answered(
        .refused("it has no plan to read again: only a recording from --plan FILE or --station FILE can be reloaded"))
    }
    reloader.reload { [name] result in
      switch result {
      case .success(let reload):
        answered(.done("\(name): \(reload.text)", changed: reload.changed, kept: reload.kept))
      case .failure(let error): answered(.refused("the recording keeps its plan: \(error)"))
      }
    }
  }

  private static func answer(to report: Recording.FlushReport, _ name: ControlName) -> ControlAnswer {
    let faults = report.outputs.compactMap { path, flushed -> String? in
      let output = outputTitle(path)
      switch flushed {
      case .written: return nil
      case .away: return "the disk of \(output) is full or away: the readings are written when it takes them again"
      case .ended: return "\(output) has ended"
      case .failed(let error): return "\(error)"
      }
    }
    guard faults.isEmpty else { return .refused("not everything is safe: " + faults.joined(separator: "; ")) }
    let rest = report.held
    return .done(
      "what \(name) has received is written and synced"
        + (rest > 0
          ? ", except \(grouped(rest)) reading\(rest == 1 ? " that waits" : "s that wait") in the buffer or in a stage"
          : ""))
  }

  // MARK: The state

  /// The status. Clients that ask at nearly the same time get the same one, so that many clients cost the recording no
  /// more than one client.
  private func status(_ answered: @escaping @Sendable (ControlAnswer) -> Void) {
    queue.async { [self] in
      if let recent, monotonicMilliseconds() - recent.time < Self.age { return answered(recent.answer) }
      let standing = recording.standing
      _ = free.known(of: paths)
      // A rate needs two states that are not far apart.
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
    let answer = ControlAnswer.status(document, text: lines.map(\.inOneLine).joined(separator: "\n"))
    last = standing
    recent = (monotonicMilliseconds(), answer)
    return answer
  }

  // MARK: Events

  package func follow(_ told: (@Sendable (ControlAnswer) -> Void)?) {
    let former = listening.withLock { $0 }
    let now = told.map { told in
      recording.events.sink { told(.event($0.json, text: "\(utcTime($0.time)) \($0.kind.sentence)")) }
    }
    listening.withLock { $0 = now }
    former?.cancel()
  }
}
