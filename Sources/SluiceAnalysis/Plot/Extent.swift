/// The values of one channel in one bucket or column: first, last, minimum and maximum of any number of values.
package struct Extent: Equatable, Sendable {
  package var first: Double
  package var smallest: Double
  package var largest: Double
  package var last: Double

  package static let empty = Extent(first: 0, smallest: .infinity, largest: -.infinity, last: 0)

  package var isEmpty: Bool { smallest > largest }

  @inline(__always)
  mutating func add(_ value: Double) {
    if isEmpty { first = value }
    if value < smallest { smallest = value }
    if value > largest { largest = value }
    last = value
  }

  mutating func append(_ later: Extent) {
    guard !later.isEmpty else { return }
    if isEmpty { first = later.first }
    smallest = min(smallest, later.smallest)
    largest = max(largest, later.largest)
    last = later.last
  }

  /// The extent after an offset and a scale. A negative scale swaps minimum and maximum.
  func scaled(by scale: Double, offset: Double) -> Extent {
    func scaled(_ value: Double) -> Double { (value + offset) * scale }
    guard !isEmpty else { return self }
    let (a, b) = (scaled(smallest), scaled(largest))
    return Extent(first: scaled(first), smallest: min(a, b), largest: max(a, b), last: scaled(last))
  }
}
