import Schedules

/// What both libraries made of a trial.
struct Outcome {
  let trial: Trial
  let sluice: History
  let openCombine: History

  var verdict: Verdict {
    if sluice.isEndless || openCombine.isEndless {
      return sluice.isEndless == openCombine.isEndless ? .equal : sluice.isEndless ? .unexplained : .openCombineHangs
    }
    let parties = differing
    if parties.isEmpty { return .equal }
    if parties == [.life] { return .unexplained }
    guard let difference = Difference(self) else { return .unexplained }
    return explanations.firstIndex { $0.explains(self, difference) }.map { .explained($0) } ?? .unexplained
  }

  /// Those whose views differ.
  var differing: Set<History.Party> {
    let (ours, theirs) = (sluice.views, openCombine.views)
    return Set(ours.keys).union(theirs.keys).filter { party in
      let (a, b) = (ours[party] ?? [], theirs[party] ?? [])
      return party == .life ? !Outcome.releasesAsMuch(a.map(\.entry), b.map(\.entry)) : a != b
    }
  }

  /// Whether nothing stays alive in the first that does not in the second.
  private static func releasesAsMuch(_ a: [History.Entry], _ b: [History.Entry]) -> Bool {
    a.allSatisfy { entry in
      guard case .alive(let what, let count) = entry else { return true }
      return b.contains { if case .alive(what, let other) = $0 { count <= other } else { false } }
    }
  }
}

extension Trial {
  /// Both histories, each from a process of its own.
  var text: String {
    var text = "\(name), seed \(schedule.seed), \(schedule.law)\n"
    text += "  parameters \(schedule.parameters.map(String.init).joined(separator: " "))\n"
    for library in [sluice, openCombine] {
      text += "  -- \(library.name)\n"
      text += Child.output {
        Child.patience(2)
        let history = library.run(rows, schedule)
        for entry in history.entries.prefix(300) { print("  \(entry)") }
        if history.isEndless { print("  and so on") }
      }
    }
    return text
  }
}
