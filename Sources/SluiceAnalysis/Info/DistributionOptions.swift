/// What is counted beside the usual statistics of a trace. All of it needs constant memory.
package struct DistributionOptions: Sendable {
  /// Whether intervals are counted.
  package var intervals = false
  /// The period that is wanted, in nanoseconds; nil to find it.
  package var period: Double?
  /// Pulses below it are short, in nanoseconds.
  package var shorterThan: UInt64?
  /// Whether the values of channels are counted.
  package var values = false

  package init() {}

  var isEmpty: Bool { !intervals && !values }
}
