import SluiceReadings
import SluiceStages

/// The edges of a line that is high at first, made of pulses one behind the other.
struct LineSignal {
  private(set) var edges: [(Int64, Int64)] = []
  /// The end of the last pulse, in nanoseconds.
  private(set) var time: Int64 = 1_000_000
  private var level: Int64 = 1

  mutating func hold(_ level: Int64, microseconds: Int64) {
    if level != self.level { edges.append((time, level)) }
    self.level = level
    time += microseconds * 1_000
  }

  mutating func low(_ microseconds: Int64) { hold(0, microseconds: microseconds) }
  mutating func high(_ microseconds: Int64) { hold(1, microseconds: microseconds) }
}

/// The same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}

extension EdgeDecoder {
  /// What it makes of the edges of one line.
  func readings(_ edges: [(Int64, Int64)], flags: [Int: Reading.Flags] = [:]) throws -> [Reading] {
    let processor = try LineProcessor(self, inputs: InputStreams([LineBench.line]))
    return outputs(of: processor, LineBench.readings(edges, flags: flags))
  }

  func texts(_ edges: [(Int64, Int64)], flags: [Int: Reading.Flags] = [:]) throws -> [String] {
    try readings(edges, flags: flags).map(\.text)
  }
}
