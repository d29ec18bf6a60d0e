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
    if parties == [.life] {
      return trial.rows.count > 1 && !trial.schedule.late.isEmpty
        ? .explained(neverOpened, row: trial.rows[position]) : .unexplained
    }
    for (part, difference) in blamed {
      if let rule = explanations.firstIndex(where: { $0.explains(part, difference) }) {
        return .explained(rule, row: trial.rows[part.position])
      }
    }
    return .unexplained
  }

  /// Where the libraries part: in a chain the operator, taken by itself.
  ///
  /// The chain is run again with seams, where each operator can be seen as if it were alone. Seams must not change what
  /// happens at the ends of the chain. Two places are looked at: the first where a party sees something else, and the
  /// first call that one library makes and the other does not make then, even if it makes it later: where operators have
  /// neighbours, the order of calls to different parties matters.
  var blamed: [(Outcome, Difference)] {
    if trial.rows.count == 1 { return Difference(self).map { [(self, $0)] } ?? [] }
    let seamings = [Seams.single, .runs].lazy.map { ($0, trial.outcome(seams: $0)) }
    guard let (seams, seamed) = seamings.first(where: { isSame($0.1) }) else { return [] }
    let count = trial.rows.count
    let parts = trial.rows.indices.map { position in
      Outcome(
        trial: trial, position: position, sluice: seamed.sluice.part(position, of: count),
        openCombine: seamed.openCombine.part(position, of: count))
    }
    let differences = parts.compactMap { part in Difference(part).map { (part, $0) } }
    let common = zip(seamed.sluice.entries, seamed.openCombine.entries).prefix { $0.isSame(as: $1) }.count
    let places = [seamed.sluice, seamed.openCombine].map { history in
      history.calls.first { $0.position >= common }?.position
    }
    // One that was called otherwise only passes it on. Where runs pass, calls come in another order.
    let causes = seams == .runs ? differences : differences.filter(\.1.isCalledAlike)
    let first = causes.min { $0.1.order < $1.1.order }
    return (first.map { [$0] } ?? [])
      + parts.compactMap { part in Difference(part, at: places[0], places[1]).map { (part, $0) } }
  }

  /// Whether the ends of the chain see the same as without seams.
  private func isSame(_ seamed: Outcome) -> Bool {
    [(seamed.sluice, sluice), (seamed.openCombine, openCombine)].allSatisfy { with, without in
      with.outside.views == without.views.filter { $0.key != .life }
    }
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
      let blamed = outcome().blamed
      if blamed.isEmpty { print("nowhere, or not with seams") }
      for (part, difference) in blamed { print("at \(part.row): \(difference.text)") }
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
        let history = library.run(rows, schedule, .none)
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
