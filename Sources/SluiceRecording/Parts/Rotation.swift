/// How a recording is cut into parts: files of their own, one after the other.
///
/// Use it for a recording that goes on for months: old parts can be copied and removed while the newest is written.
///
/// ```swift
/// var output = OutputPlan("walk.csv", existing: .append)
/// output.rotation = Rotation(period: .seconds(3_600), keep: Retention(parts: 100))
/// ```
///
/// Cut is by the times of the readings, so that a trace that is replayed has the same parts each time.
public struct Rotation: Hashable, Sendable {
  /// A part that has so many bytes is the last row's of it: the next row begins a new one. Nil for any number.
  public var size: Int?
  /// How much time a part has, counted from midnight UTC: with an hour, a part begins at each full hour. Nil for any.
  public var period: Duration?
  /// How much is kept. Nil for all.
  public var keep: Retention?

  public init(size: Int? = nil, period: Duration? = nil, keep: Retention? = nil) {
    self.size = size
    self.period = period
    self.keep = keep
  }
}

/// Which parts of a recording are kept: whole parts are removed, the oldest first, until each limit that is set holds.
/// The newest part is never removed.
public struct Retention: Hashable, Sendable {
  /// A part is removed once its last reading is older. It counts only between times that were taken while the clock was
  /// synchronised.
  public var age: Duration?
  /// Bytes of all parts together.
  public var bytes: Int?
  /// How many parts.
  public var parts: Int?

  public init(age: Duration? = nil, bytes: Int? = nil, parts: Int? = nil) {
    self.age = age
    self.bytes = bytes
    self.parts = parts
  }
}
