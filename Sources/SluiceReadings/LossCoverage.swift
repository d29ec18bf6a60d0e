/// How many of the losses show.
public enum LossCoverage: String, Codable, Comparable, Sendable {
  /// No loss shows: edges of one direction without numbers, scans without times, events.
  case none
  /// Some losses show. An even number of edges that the kernel never numbered leaves no sign, nor does the last scan.
  case some
  case all

  /// Whether fewer losses would show.
  public static func < (a: LossCoverage, b: LossCoverage) -> Bool { a.rank < b.rank }
  private var rank: Int { self == .none ? 0 : self == .some ? 1 : 2 }

  /// The words that nothing was lost, as far as a loss would show.
  package var assurance: String {
    switch self {
    case .all: "nothing lost"
    case .some: "no sign of a loss"
    case .none: "losses could not be seen"
    }
  }
}
