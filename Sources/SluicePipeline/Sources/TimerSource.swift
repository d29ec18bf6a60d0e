import Dispatch
import Sluice
package import SluiceDevices
import SluiceDispatch
import SluiceExtras
import SluiceReadings

/// The ticks of a timer, for trying things out: `timer:10ms`. Each reading is the number of a tick, so that missed
/// ticks show.
package struct TimerSource: SourceKind {
  package static let name = "timer"
  package static let form = "PERIOD"
  package static let example = "10ms"
  package static let keys: [SourceSettings.Key] = []
  package static let hasRoot = false
  package static let usual = ["1ms", "10ms", "100ms", "1s"]

  package let period: TimeSpan

  package init?(_ what: String) {
    guard let period = TimeSpan(period: what) else { return nil }
    self.period = period
  }

  package var streamName: String? { "timer \(period)" }

  package func forecast(_ settings: SourceSettings, _ roots: DeviceRoots) -> SourceForecast {
    var streams = TimerReadings(period).streams
    // A tick of each microsecond would be counted for twelve days.
    streams[0].channels[0].format = "le:u40/64>>0"
    return SourceForecast(streams, every: period, certainty: .always)
  }

  package func open(_ settings: SourceSettings, _ context: SourceContext) -> [any ReadingSource] {
    [TimerReadings(period)]
  }
}

/// The readings of a ``TimerSource``.
private struct TimerReadings: ReadingSource {
  let period: TimeSpan
  let streams: [StreamDescription]
  let isWhole = true
  private let missed = MissedTicks()

  init(_ period: TimeSpan) {
    self.period = period
    streams = [StreamDescription(name: "timer \(period)", channels: [StreamDescription.Channel(name: "tick")])]
  }

  var lossReport: LossReport { LossReport([missed.loss].filter { $0.count > 0 }, coverage: .all) }

  func readings(from first: StreamID, clock: EpochClock) -> AnyPublisher<Reading, SluiceError> {
    Publishers.timer(interval: .nanoseconds(Int(period.nanoseconds))).ticks.map { [missed] tick in
      let time = clock.time(monotonic: tick.time.uptimeNanoseconds)
      if tick.missed > 0 { missed.add(Int(clamping: tick.missed), at: time) }
      return Reading(
        time: time, stream: first, values: Values(Int64(clamping: tick.number)),
        flags: tick.missed > 0 ? .gapBefore : [])
    }
    .setFailureType(to: SluiceError.self)
    .eraseToAnyPublisher()
  }
}

/// The number of missed ticks. One thread counts, and another reads it.
private final class MissedTicks: Sendable {
  private let state = Locked(Loss(reason: "ticks missed", count: 0))

  func add(_ count: Int, at time: Int64) {
    state.withLock { loss in
      loss.count += count
      loss.first = loss.first ?? time
      loss.last = time
    }
  }

  var loss: Loss { state.withLock { $0 } }
}
