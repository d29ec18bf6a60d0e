import Schedules

/// A difference that is known, and why.
struct Explanation {
  let name: String
  /// Whether this is the difference, and nothing else.
  let recognises: (Outcome, Set<History.Party>) -> Bool
}

let explanations: [Explanation] = []
