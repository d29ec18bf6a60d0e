public import Sluice

/// The number of inputs to ask for, given the outputs that downstream wants.
@usableFromInline
struct WantedInputs {
  /// Downstream's demand for outputs.
  @usableFromInline var demand = Subscribers.Demand.none
  /// Inputs that were asked for and have not come yet.
  @usableFromInline var coming = Subscribers.Demand.none

  @inlinable init() {}

  @inlinable mutating func received(_ count: Int = 1) {
    // An upstream that sends what nobody asked for brings none of those.
    coming -= min(count, coming.max ?? .max)
  }

  /// The number to ask for, so that as many come as are wanted; nil if enough are coming already.
  @inlinable mutating func next(perOutput ratio: Int) -> Subscribers.Demand? {
    let wanted = demand * ratio
    guard wanted > coming else { return nil }
    let more = wanted - coming
    coming = wanted
    return more
  }
}
