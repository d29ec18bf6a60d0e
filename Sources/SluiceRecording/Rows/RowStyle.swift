import Sluice

/// The format of times and values in rows of text.
public struct RowStyle: Sendable {
  /// The format of times.
  public var time: RowTime
  /// The number of decimals that values are rounded to; nil writes all digits.
  public var decimals: Int?
  /// Whether the header of a wide CSV file has units: `accel_x (m/s^2)`.
  public var headerUnits: Bool
  /// The tags of each row of line protocol.
  public var tags: [RowTag]
  /// The time from which relative times count.
  package let first = FirstTime()

  /// Makes a format of rows.
  public init(
    time: RowTime = .nanoseconds, decimals: Int? = nil, headerUnits: Bool = false, tags: [RowTag] = []
  ) {
    (self.time, self.decimals, self.headerUnits, self.tags) = (time, decimals, headerUnits, tags)
  }

  /// Sets the time from which relative times count, with the first reading.
  /// - Returns: The time from which the times count.
  @discardableResult
  func begin(at time: Int64) -> Int64 { self.time == .relative ? first.time(orBeginAt: time) : 0 }

  /// The largest number of decimals, because values have at most 19 digits.
  package static let mostDecimals = 18
}

/// The time of the first reading of a run. All files of an output share it.
package final class FirstTime: Sendable {
  private let state = Locked(Int64?.none)

  package init() {}

  /// Nil before the first reading.
  public var time: Int64? { state.withLock { $0 } }

  /// - Returns: The time of the first reading; the given time if there was none before.
  func time(orBeginAt time: Int64) -> Int64 {
    state.withLock { first in
      let begin = first ?? time
      first = begin
      return begin
    }
  }
}
