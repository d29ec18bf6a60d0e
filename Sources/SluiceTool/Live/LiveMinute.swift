/// The half seconds of the last minute, by the times of the readings: their places in a ring.
struct LiveMinute: Sendable {
  static let count = 120
  static let length: Int64 = 500_000_000

  /// The number of the newest half second since 1970; nil if there is none.
  private(set) var newest: Int64?

  /// The number of the half second of a time.
  static func number(_ time: Int64) -> Int64 {
    let (quotient, rest) = time.quotientAndRemainder(dividingBy: length)
    return rest < 0 ? quotient - 1 : quotient
  }

  static func place(_ number: Int64) -> Int {
    let rest = Int(number % Int64(count))
    return rest < 0 ? rest + count : rest
  }

  func contains(_ number: Int64) -> Bool {
    guard let newest else { return false }
    return number <= newest && number > newest - Int64(Self.count)
  }

  /// Goes on to a half second.
  /// - Parameter clear: Called with the places that begin anew.
  mutating func advance(to number: Int64, clear: (Int) -> Void) {
    guard let newest else {
      self.newest = number
      return (0..<Self.count).forEach(clear)
    }
    guard number > newest else { return }
    self.newest = number
    // A distance of more than the ring clears all of it.
    for older in max(newest + 1, number - Int64(Self.count) + 1)...number { clear(Self.place(older)) }
  }
}
