/// The number of rounds of a replay.
///
/// ```swift
/// var walk = ReplayPlan("walk.csv", rate: 1)
/// walk.loop = .forever
/// ```
public enum ReplayLoop: Hashable, Sendable, LosslessStringConvertible {
  /// This number of rounds, 1 or more.
  case rounds(Int)
  /// Until it is stopped.
  case forever

  /// One round.
  public static let once = ReplayLoop.rounds(1)

  /// Parses a number of rounds above 0, or `forever`.
  public init?(_ text: String) {
    if text == "forever" {
      self = .forever
    } else if let count = Int(text), count > 0 {
      self = .rounds(count)
    } else {
      return nil
    }
  }

  /// The text form: `3`, `forever`.
  public var description: String {
    switch self {
    case .rounds(let count): "\(count)"
    case .forever: "forever"
    }
  }

  /// Nil for `forever`.
  var count: Int? { if case .rounds(let count) = self { count } else { nil } }
}
