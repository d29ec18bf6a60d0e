public import Sluice

/// Computes the number of inputs to request for the outputs that downstream wants.
@usableFromInline
struct WantedInputs {
  /// Downstream's demand for outputs.
  @usableFromInline var demand = Subscribers.Demand.none
  /// Inputs that were requested and have not come yet.
  @usableFromInline var coming = Subscribers.Demand.none

  @inlinable init() {}

  @inlinable mutating func received(_ count: Int = 1) {
    // Elements that an upstream sends without a request do not count.
    coming -= min(count, coming.max ?? .max)
  }

  /// The number to request now; nil if enough inputs are coming already.
  @inlinable mutating func next(perOutput ratio: Int) -> Subscribers.Demand? {
    let wanted = demand * ratio
    guard wanted > coming else { return nil }
    let more = wanted - coming
    coming = wanted
    return more
  }
}
