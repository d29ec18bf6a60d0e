/// The median, the 99th percentile and the largest of some numbers, by nearest rank: each is one of the numbers.
struct Percentiles: Equatable {
  let count: Int
  let p50: Int64
  let p99: Int64
  let max: Int64

  /// Nil if there are no numbers.
  init?(_ numbers: [Int64]) {
    let sorted = numbers.sorted()
    guard let largest = sorted.last else { return nil }
    func rank(_ percent: Int) -> Int64 { sorted[(sorted.count * percent + 99) / 100 - 1] }
    (count, p50, p99, max) = (sorted.count, rank(50), rank(99), largest)
  }

  /// As figures in microseconds.
  static func microseconds(_ numbers: [Int64]) -> [Figure] {
    let percentiles = Percentiles(numbers)
    func figure(_ key: String, _ value: Int64?) -> Figure {
      Figure("\(key)_us", "\(key) us", value.map { Double($0) / 1e3 })
    }
    return [
      figure("p50", percentiles?.p50), figure("p99", percentiles?.p99), figure("max", percentiles?.max),
    ]
  }
}
