import Sluice
import Synchronization

/// How far sources with clocks of their own are behind the clock of the recording.
///
/// Without this, each tick of the recording's clock would end the windows of stages, and all readings would be late. It is
/// only for sources that all have clocks of their own: beside one that has the recording's clock, they are late.
final class SourceLag: Sendable {
  /// By source, the ledgers of its streams.
  private let sources: [[StreamLedger]]
  private let lateness: Int64
  /// By source, as of the last tick: what it has sent, and how far it was behind; nil before its first reading.
  private let states: Locked<[(received: Int, lag: Int64?)]>

  /// - Parameter lateness: The longest delay of a reading, in nanoseconds.
  init(_ sources: [[StreamLedger]], lateness: Int64) {
    (self.sources, self.lateness) = (sources, lateness)
    states = Locked(sources.map { _ in (0, nil) })
  }

  /// The time before which no reading comes; nil while nothing is known about it. No reading waits then.
  /// - Parameter tick: The time of the recording's clock.
  func promise(at tick: Int64) -> Int64? {
    states.withLock { states in
      for (source, ledgers) in sources.enumerated() {
        let received = ledgers.reduce(0) { $0 + $1.received.load(ordering: .acquiring) }
        // A silence says nothing about the clock of a source.
        guard received != states[source].received else { continue }
        let last = ledgers.reduce(Int64.min) { max($0, $1.lastTime.load(ordering: .relaxed)) }
        let (behind, isOverflow) = tick.subtractingReportingOverflow(last)
        states[source] = (received, isOverflow ? .max : behind > lateness ? behind : 0)
      }
      guard let least = states.compactMap(\.lag).min() else { return nil }
      let (time, isOverflow) = (tick &- lateness).subtractingReportingOverflow(least)
      return isOverflow ? .min : time
    }
  }
}
