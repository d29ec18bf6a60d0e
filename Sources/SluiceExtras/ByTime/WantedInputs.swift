import Sluice

/// How many inputs to ask of upstream for the outputs that downstream wants.
@usableFromInline
struct WantedInputs {
  /// Of downstream, for outputs.
  @usableFromInline var demand = Subscribers.Demand.none
  /// Asked of upstream and still to come.
  @usableFromInline var coming = Subscribers.Demand.none

  @inlinable init() {}

  @inlinable mutating func received(_ count: Int = 1) {
    // An upstream that sends what nobody asked for brings none of those.
    coming -= min(count, coming.max ?? .max)
  }

  /// What to ask for, so that as many come as are wanted; nil if they do already.
  @inlinable mutating func next(perOutput ratio: Int) -> Subscribers.Demand? {
    let wanted = demand * ratio
    guard wanted > coming else { return nil }
    let more = wanted - coming
    coming = wanted
    return more
  }
}
