package import Sluice
package import SluiceReadings

/// Holds readings back until they are due. Subscribers on several threads share one.
package final class Pace: Sendable {
  private struct State {
    var schedule: PaceSchedule
    /// The time of the clock at which the first reading was due. Each pause makes it later.
    var begin: Int64?
    /// The beginning of the pause.
    var paused: Int64?
    /// The number of readings to deliver during the pause.
    var steps = 0
    var isEnded = false
    var waiting = 0
    var account: PaceAccount
  }

  private let clock: any PaceClock
  private let state: Locked<State>

  /// - Parameters:
  ///   - rate: Times faster than recorded, above 0.
  ///   - maxGap: The longest wait between two readings, in nanoseconds of the trace.
  package init(rate: Double, maxGap: Int64? = nil, clock: any PaceClock = SystemPaceClock()) {
    self.clock = clock
    state = Locked(State(schedule: PaceSchedule(rate: rate, maxGap: maxGap), account: PaceAccount(rate: rate)))
  }

  /// The account so far.
  package var account: PaceAccount { state.withLock { $0.account } }

  /// Waits until a reading of this time is due.
  package func wait(for time: Int64) {
    let due = state.withLock { $0.schedule.due(time) }
    while case .wait(let end) = turn(due) {
      clock.wait(until: end)
      state.withLock { $0.waiting -= 1 }
    }
  }

  private enum Turn {
    case deliver
    case wait(until: Int64?)
  }

  private func turn(_ due: Int64) -> Turn {
    let now = clock.now
    return state.withLock { state in
      if state.isEnded { return .deliver }
      if let paused = state.paused {
        guard state.steps > 0 else {
          state.waiting += 1
          return .wait(until: nil)
        }
        // The next reading comes after its interval to this one.
        state.steps -= 1
        state.begin = paused &- due
        return .deliver
      }
      let begin = state.begin ?? now
      state.begin = begin
      let (end, isOverflow) = begin.addingReportingOverflow(due)
      guard !isOverflow, now >= end else {
        state.waiting += 1
        return .wait(until: isOverflow ? nil : end)
      }
      state.account.add(lateness: now &- end)
      return .deliver
    }
  }

  // MARK: Control, from any thread

  /// Stops the clock of the pace: no reading is due until it resumes.
  package func pause() {
    let now = clock.now
    wake { state in if state.paused == nil { state.paused = now } }
  }

  /// Resumes: a reading that was due one second after the pause began is due one second from now.
  package func resume() {
    let now = clock.now
    wake { state in
      guard let paused = state.paused else { return }
      if let begin = state.begin { state.begin = begin &+ (now &- paused) }
      (state.paused, state.steps) = (nil, 0)
    }
  }

  /// Delivers the next reading, if the pace is paused.
  package func step() {
    wake { state in if state.paused != nil { state.steps += 1 } }
  }

  /// Ends the pace: from now on no reading is held back.
  package func end() { wake { $0.isEnded = true } }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      return state.waiting
    }
    for _ in 0..<waiting { clock.wake() }
  }
}

extension Publishers {
  /// Delivers each reading when it is due. It takes no runs, because the first reading of a run would wait for the
  /// last.
  package struct Paced<Upstream: Publisher>: _DirectPublisher where Upstream.Output == Reading {
    package typealias Output = Reading
    package typealias Failure = Upstream.Failure

    package let upstream: Upstream
    package let pace: Pace

    package func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Failure {
      upstream._attach(PacedSubscriber(downstream: subscriber, pace: pace))
    }
  }
}

private struct PacedSubscriber<Downstream: Subscriber>: Subscriber where Downstream.Input == Reading {
  let downstream: Downstream
  let pace: Pace

  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  func receive(_ reading: Reading) -> Subscribers.Demand {
    pace.wait(for: reading.time)
    return downstream.receive(reading)
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) { downstream.receive(completion: completion) }
}
