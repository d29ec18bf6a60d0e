/// What a full buffer drops.
package enum WhenFull: String, CaseIterable {
  case dropOldest = "drop-oldest"
  case dropNewest = "drop-newest"
  case fail
}

/// The operators that readings pass, the same for recording and replaying.
package struct Operators: Hashable {
  /// Readings that the buffer of each stream keeps; nil if that was not said.
  package var buffer: Int?
  package var whenFull = WhenFull.dropOldest
  package var throttle: TimeSpan?
  /// The throttle keeps the first reading of each interval instead of the latest.
  package var first = false
  package var collect: CollectLimit?

  package init(
    buffer: Int? = nil, whenFull: WhenFull = .dropOldest, throttle: TimeSpan? = nil, first: Bool = false,
    collect: CollectLimit? = nil
  ) {
    self.buffer = buffer
    self.whenFull = whenFull
    self.throttle = throttle
    self.first = first
    self.collect = collect
  }
}
