import Schedules

/// What both libraries made of a trial.
struct Outcome {
  let trial: Trial
  /// The operator of the chain that the histories are about.
  var position = 0
  let sluice: History
  let openCombine: History

  var verdict: Verdict {
    if sluice.isEndless || openCombine.isEndless {
      return sluice.isEndless == openCombine.isEndless ? .equal : sluice.isEndless ? .unexplained : .openCombineHangs
    }
    let parties = differing
    if parties.isEmpty { return .equal }
    if parties == [.life] { return .unexplained }
    guard let (part, difference) = blamed else { return .unexplained }
    return explanations.firstIndex { $0.explains(part, difference) }.map { .explained($0) } ?? .unexplained
  }

  /// Where the libraries part: in a chain the operator, taken by itself.
  ///
  /// The chain is run again with seams, where each operator can be seen as if it were alone. Seams must not change what
  /// happens at the ends of the chain.
  var blamed: (Outcome, Difference)? {
    if trial.rows.count == 1 { return Difference(self).map { (self, $0) } }
    let seamed = trial.outcome(seams: true)
    for (with, without) in [(seamed.sluice, sluice), (seamed.openCombine, openCombine)] {
      let views = without.views.filter { $0.key != .life }
      if with.outside.views != views { return nil }
    }
    let parts = trial.rows.indices.compactMap { position -> (Outcome, Difference)? in
      let count = trial.rows.count
      let part = Outcome(
        trial: trial, position: position, sluice: seamed.sluice.part(position, of: count),
        openCombine: seamed.openCombine.part(position, of: count))
      return Difference(part).map { (part, $0) }
    }
    return parts.min { $0.1.order < $1.1.order }
  }

  /// The operator that the histories are about.
  var row: String { trial.rowName(position) }

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
  /// Where the libraries part.
  var beginning: String {
    Child.output {
      Child.patience(2)
      guard let (part, difference) = outcome().blamed else { return print("nowhere, or not with seams") }
      print("at \(part.row): \(difference.text)")
    }
  }

  /// Both histories, each from a process of its own.
  var text: String {
    var text = "\(name), seed \(schedule.seed), \(schedule.law)\n"
    text += "  parameters \(schedule.parameters.map(String.init).joined(separator: " "))\n"
    for library in [sluice, openCombine] {
      text += "  -- \(library.name)\n"
      text += Child.output {
        Child.patience(2)
        let history = library.run(rows, schedule, false)
        for entry in history.entries.prefix(300) { print("  \(entry)") }
        if history.isEndless { print("  and so on") }
      }
    }
    text += "  -- apart " + beginning
    return text
  }
}

extension Difference {
  var text: String {
    func text(_ entry: History.Entry?) -> String { entry.map { "\($0)".drop { $0 == " " }.description } ?? "nothing" }
    return "\(text(ours)), or else \(text(theirs)) (act \(order.0))"
  }
}
