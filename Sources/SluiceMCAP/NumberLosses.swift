/// What is lost of the numbers of messages, because a reading cannot hold them.
struct NumberLosses {
  /// The numbers that are missing values now: infinity, and those beyond 10^100 and below 10^-100.
  var unheld = 0
  /// The numbers without a channel, because the first message does not have them, or has too many.
  var nameless = 0
  /// Whether a number had more digits than fit in 64 bits.
  var isRounded = false

  static func + (a: Self, b: Self) -> Self {
    Self(unheld: a.unheld + b.unheld, nameless: a.nameless + b.nameless, isRounded: a.isRounded || b.isRounded)
  }
}
