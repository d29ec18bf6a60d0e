import Schedules

/// What both libraries made of a trial.
struct Outcome {
  let trial: Trial
  let sluice: History
  let openCombine: History

  enum Verdict: Equatable {
    case equal
    case explained(String)
    case unexplained
  }

  var verdict: Verdict {
    if sluice.isEndless || openCombine.isEndless {
      return sluice.isEndless && openCombine.isEndless ? .equal : .unexplained
    }
    let parties = differing
    if parties.isEmpty { return .equal }
    if let explanation = explanations.first(where: { $0.recognises(self, parties) }) { return .explained(explanation.name) }
    return .unexplained
  }

  /// Those whose views differ.
  var differing: Set<History.Party> {
    let (ours, theirs) = (sluice.views, openCombine.views)
    return Set(ours.keys).union(theirs.keys).filter { party in
      let (a, b) = (ours[party] ?? [], theirs[party] ?? [])
      return party == .life ? !Outcome.releasesAsMuch(a, b) : a != b
    }
  }

  /// Whether nothing stays alive in the first that does not in the second.
  private static func releasesAsMuch(_ a: [History.Entry], _ b: [History.Entry]) -> Bool {
    a.allSatisfy { entry in
      guard case .alive(let what, let count) = entry else { return true }
      return b.contains { if case .alive(what, let other) = $0 { count <= other } else { false } }
    }
  }

  var text: String {
    var lines = ["\(trial.name), seed \(trial.schedule.seed), \(trial.schedule.law)"]
    lines.append("  parameters \(trial.schedule.parameters.map(String.init).joined(separator: " "))")
    for (name, history) in [("Sluice", sluice), ("OpenCombine", openCombine)] {
      lines.append("  -- \(name)\(history.isEndless ? ", endless" : "")")
      lines += history.entries.prefix(200).map { "  \($0)" }
    }
    return lines.joined(separator: "\n")
  }
}
