import SluiceReadings

extension SenderMachine {
  enum Step: Hashable {
    /// Send these readings.
    case send(Range<UInt64>, isRepeated: Bool)
    /// Fetch the next readings from the spool, so many at most, and say which they are: `fetched`, `lost` or `foundEnd`.
    /// - Parameter before: The number behind the last reading that may be fetched.
    case fetch(most: Int, before: UInt64)
    /// The readings before this number were fresh, so the spool need not give them.
    case skip(to: UInt64)
    /// Ask again at this time, or after something has happened.
    case sleep(until: Int64)
    /// Ask again after something has happened.
    case rest
    /// All is over. Readings may be left.
    case end
  }

  /// What an answer means.
  enum Outcome: Equatable {
    /// - Parameter leftOut: The numbers of readings that were not sent.
    case acknowledged(Range<UInt64>, leftOut: [UInt64])
    /// One reading will never be taken.
    case refused(UInt64, SluiceError)
    /// The server has taken nothing for so many nanoseconds.
    case away(SluiceError, nanoseconds: Int64)
    case back(nanoseconds: Int64)
  }

  /// What becomes of readings that have come.
  enum Freshness {
    /// They wait in the spool.
    case waits
    /// They are sent before the backlog, so they are to be kept in memory.
    case fresh
    /// The same, in one batch with those before them.
    case joined
  }
}
