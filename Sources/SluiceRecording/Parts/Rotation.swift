/// The rotation of a recording into parts, which are separate files.
///
/// Use it for a recording over months: old parts can be copied and removed while the newest is written.
///
/// ```swift
/// var output = OutputPlan("walk.csv", existing: .append)
/// output.rotation = Rotation(period: .seconds(3_600), keep: Retention(parts: 100))
/// ```
///
/// The times of the readings decide, so that each replay of a trace makes the same parts.
public struct Rotation: Hashable, Sendable {
  /// When a part has this many bytes, the next row begins a new part. Nil for no limit.
  public var size: Int?
  /// The period of a part, counted from midnight UTC: with an hour, a part begins at each full hour. Nil for no limit.
  public var period: Duration?
  /// The parts to keep; nil for all.
  public var keep: Retention?

  /// Sets the limits of a part, and the parts to keep.
  public init(size: Int? = nil, period: Duration? = nil, keep: Retention? = nil) {
    self.size = size
    self.period = period
    self.keep = keep
  }
}

/// The limits for the parts that are kept. The oldest parts are removed until all limits hold. The newest part is never
/// removed.
public struct Retention: Hashable, Sendable {
  /// A part is removed when its last reading is older than this. It applies only if both times were taken while the
  /// clock was synchronised.
  public var age: Duration?
  /// The largest number of bytes in all parts together.
  public var bytes: Int?
  /// The largest number of parts.
  public var parts: Int?

  /// Sets the limits; nil for none.
  public init(age: Duration? = nil, bytes: Int? = nil, parts: Int? = nil) {
    self.age = age
    self.bytes = bytes
    self.parts = parts
  }
}
