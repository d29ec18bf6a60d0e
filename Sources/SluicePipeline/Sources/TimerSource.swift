import Sluice
import SluiceDispatch
import SluiceReadings

extension Source {
  /// One reading per tick: its number, so that missed ticks show.
  package static func timer(_ period: TimeSpan) -> Source {
    let missed = MissedTicks()
    return Source(
      streams: [
        StreamDescription(name: timerName(period), channels: [StreamDescription.Channel(name: "tick")])
      ],
      publisher: { stream, clock in
        Publishers.timer(interval: .nanoseconds(Int(period.nanoseconds))).ticks
          .map { tick in
            let time = clock.time(monotonic: tick.time.uptimeNanoseconds)
            if tick.missed > 0 { missed.add(Int(clamping: tick.missed), at: time) }
            return Reading(
              time: time, stream: stream,
              values: Values(Int64(clamping: tick.number)), flags: tick.missed > 0 ? .gapBefore : [])
          }
          .setFailureType(to: SluiceError.self)
          .eraseToAnyPublisher()
      },
      losses: { [missed.loss].filter { $0.count > 0 } })
  }

  package static func timerName(_ period: TimeSpan) -> String { "timer \(period.description)" }
}

/// Counted by one thread and read by another.
private final class MissedTicks: Sendable {
  private let state = Locked(Loss(label: "ticks missed", count: 0))

  func add(_ count: Int, at time: Int64) {
    state.withLock { loss in
      loss.count += count
      loss.first = loss.first ?? time
      loss.last = time
    }
  }

  var loss: Loss { state.withLock { $0 } }
}
