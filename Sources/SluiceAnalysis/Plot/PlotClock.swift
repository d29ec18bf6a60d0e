/// The kind of times on an axis.
package enum PlotClock: String, CaseIterable, Sendable {
  /// The time of day in the zone of this machine.
  case local
  /// The time of day in UTC.
  case utc
  /// The time since the first reading.
  case relative
}
