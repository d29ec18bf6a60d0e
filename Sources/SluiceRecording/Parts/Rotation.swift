/// How a recording is cut into parts: files of their own, one after the other.
///
/// Use it for a recording that goes on for months: old parts can be copied and removed while the newest is written.
///
/// ```swift
/// var output = OutputPlan("walk.csv", existing: .append)
/// output.rotation = Rotation(period: .seconds(3_600), keep: Retention(parts: 100))
/// ```
///
/// The times of the readings decide, so that each replay of a trace makes the same parts.
public struct Rotation: Hashable, Sendable {
  /// Once a part has this many bytes, the next row begins a new part. Nil for no limit.
  public var size: Int?
  /// The period of a part, counted from midnight UTC: with an hour, a part begins at each full hour. Nil for no limit.
  public var period: Duration?
  /// Which parts are kept. Nil for all.
  public var keep: Retention?

  /// Sets when a new part begins, and which parts are kept.
  public init(size: Int? = nil, period: Duration? = nil, keep: Retention? = nil) {
    self.size = size
    self.period = period
    self.keep = keep
  }
}

/// Which parts of a recording are kept: whole parts are removed, the oldest first, until each limit that is set holds.
/// The newest part is never removed.
public struct Retention: Hashable, Sendable {
  /// A part is removed once its last reading is older. It applies only if both times were taken while the clock was
  /// synchronised.
  public var age: Duration?
  /// Bytes of all parts together.
  public var bytes: Int?
  /// How many parts.
  public var parts: Int?

  /// Sets the limits; nil for none.
  public init(age: Duration? = nil, bytes: Int? = nil, parts: Int? = nil) {
    self.age = age
    self.bytes = bytes
    self.parts = parts
  }
}
