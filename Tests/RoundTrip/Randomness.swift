/// Random choices that are the same for the same seed on every machine (SplitMix64).
struct Randomness: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// True in so many of a hundred cases.
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  mutating func number<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> Number {
    Number.random(in: range, using: &self)
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[number(0...choices.count - 1)] }

  /// Some of them, in their order.
  mutating func some<Element>(of choices: [Element]) -> [Element] { choices.filter { _ in chance(50) } }
}
