import Foundation

/// The random numbers of a test. A failure names the ``seed``, with which `SLUICE_TEST_SEED` repeats the test.
public struct TestGenerator: RandomNumberGenerator {
  public let seed: UInt64
  private var state: UInt64

  public init() {
    seed = ProcessInfo.processInfo.environment["SLUICE_TEST_SEED"].flatMap { UInt64($0) } ?? 1
    state = seed
  }

  /// One of several in a test, each with a seed of its own.
  public init(seed: UInt64) { (self.seed, state) = (seed, seed) }

  /// The words for a failure.
  public var note: String { "SLUICE_TEST_SEED=\(seed)" }

  /// SplitMix64 (Steele, Lea and Flood, 2014).
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
    return bits ^ bits >> 31
  }
}
