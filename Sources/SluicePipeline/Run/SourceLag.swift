import Sluice
import Synchronization

/// How far the readings of sources are behind the clock of the recording.
///
/// A source may have times of its own, such as those in its lines, by a clock that is behind. Then a tick of the recording's clock
/// promises nothing about its next reading: without this, each tick would end the windows of stages, and all readings would
/// be late. The newest reading of several sources counts, so that one that is behind does not keep the others waiting.
final class SourceLag: Sendable {
  private let ledgers: [StreamLedger]
  /// As of the last tick.
  private let state = Locked((received: 0, lag: Int64(0)))

  init(_ ledgers: [StreamLedger]) { self.ledgers = ledgers }

  /// The time before which no reading comes.
  /// - Parameter tick: This time by the clock of the recording.
  func promise(at tick: Int64) -> Int64 {
    let received = ledgers.reduce(0) { $0 + $1.received.load(ordering: .relaxed) }
    return state.withLock { state in
      // A silence says nothing about the clock of a source.
      if received != state.received {
        let newest = ledgers.reduce(Int64.min) { max($0, $1.newest.load(ordering: .relaxed)) }
        let (lag, isOverflow) = tick.subtractingReportingOverflow(newest)
        state = (received, isOverflow ? .max : max(0, lag))
      }
      let (time, isOverflow) = tick.subtractingReportingOverflow(state.lag)
      return isOverflow ? .min : time
    }
  }
}
