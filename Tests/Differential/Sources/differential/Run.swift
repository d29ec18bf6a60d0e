import Glibc
import Schedules

/// The whole test: its parts in processes, as many at a time as there are processors, and the report.
struct Run {
  private let options: Options
  private let shares: [Share]

  /// The schedules of one row.
  private struct Share {
    let subject: Subject
    let range: Range<Int>
  }

  init(_ options: Options) {
    self.options = options
    let names = options.operators.isEmpty ? sluice.rows.map(\.name) + ["chains"] : options.operators
    // Three schedules in ten are for chains, where there are both.
    let chains = names.count == 1 ? 0 : names.count { $0 == "chains" } * options.schedules * 3 / 10
    let rows = names.count - (chains > 0 ? 1 : 0)
    var shares: [Share] = []
    var next = 0
    for (index, name) in names.enumerated() {
      let each = (options.schedules - chains) / rows + (index < (options.schedules - chains) % rows ? 1 : 0)
      let count = name == "chains" && chains > 0 ? chains : each
      shares.append(Share(subject: subject(name), range: next..<next + count))
      next += count
    }
    self.shares = shares
  }

  /// - Returns: Whether nothing was found that has no explanation, and no rule explains more than it did.
  func play() -> Bool {
    let verdicts = Verdicts(shares.last?.range.upperBound ?? 0)
    fill(verdicts)
    let counts = shares.map { share in
      share.range.reduce(into: [Verdict: Int]()) { $0[verdicts[$1], default: 0] += 1 }
    }
    table(counts)
    let tally = reportExplained(verdicts, counts)
    reportUnexplained(verdicts, counts)
    let isExplained = !counts.contains { $0.keys.contains(where: \.isUnexplained) }
    return isExplained && isKept(tally)
  }

  /// Whether the counts are within those of the file, or have been written there.
  private func isKept(_ tally: Tally) -> Bool {
    guard let path = options.counts else { return true }
    print()
    if options.records {
      let isWritten = tally.write(to: path)
      print(isWritten ? "the counts are in \(path)" : "\(path) cannot be written")
      return isWritten
    }
    guard let kept = Tally(of: options, at: path) else {
      print("\(path) has no counts of \(tally.schedules)")
      return false
    }
    return tally.isWithin(kept)
  }

  private func trial(_ share: Share, _ index: Int) -> Trial {
    share.subject.trial(options.seed &+ UInt64(index - share.range.lowerBound))
  }

  private func fill(_ verdicts: Verdicts) {
    let portion = 500
    let processes = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let tasks = shares.flatMap { share in
      stride(from: share.range.lowerBound, to: share.range.upperBound, by: portion).map { (share, $0) }
    }
    let children = (0..<processes).map { process in
      Child {
        for task in stride(from: process, to: tasks.count, by: processes) {
          let (share, start) = tasks[task]
          verdicts.play(start..<min(start + portion, share.range.upperBound)) { trial(share, $0) }
        }
      }
    }
    for child in children { _ = child.wait() }
  }

  // MARK: The report

  private func table(_ counts: [[Verdict: Int]]) {
    let width = (shares.map(\.subject.name.count).max() ?? 0) + 2
    func line(_ name: String, _ cells: [String]) {
      print(name.padded(width) + cells.map(\.leading).joined())
    }
    func line(_ name: String, _ counts: [Verdict: Int]) {
      let explained = counts.filter { $0.key.explanation != nil }.values.reduce(0, +)
      let unexplained = counts.filter(\.key.isUnexplained).values.reduce(0, +)
      let all = counts.values.reduce(0, +)
      line(name, [all, counts[.equal] ?? 0, explained, unexplained].map(\.description))
    }
    line("operator", ["schedules", "equal", "explained", "unexplained"])
    for (share, counts) in zip(shares, counts) { line(share.subject.name, counts) }
    line("total", counts.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) })
  }

  /// By rule and by the operator where the libraries part, which may be one of a chain.
  private func reportExplained(_ verdicts: Verdicts, _ counts: [[Verdict: Int]]) -> Tally {
    var tally = Tally(options)
    var rule = ""
    for verdict in Set(counts.flatMap(\.keys)).sorted(by: { $0.code < $1.code }) {
      guard let explanation = verdict.explanation else { continue }
      if rule != explanation { print("\nexplained: \(explanation)") }
      rule = explanation
      for (share, counts) in zip(shares, counts) {
        guard let count = counts[verdict], let first = smallest(share, verdicts, { $0 == verdict }).first else {
          continue
        }
        let name = verdict.row.map { sluice.rows[$0].name } ?? share.subject.name
        tally.add(count, to: Tally.Key(rule: rule, name: name))
        let chain = name == share.subject.name ? "" : "in \(first.name), "
        print("  \(name): \(count), as \(chain)with seed \(first.schedule.seed)")
        if options.verbose { print(first.shrunk().text) }
      }
    }
    return tally
  }

  private func reportUnexplained(_ verdicts: Verdicts, _ counts: [[Verdict: Int]]) {
    for (share, counts) in zip(shares, counts) {
      for (verdict, count) in counts.sorted(by: { $0.key.code < $1.key.code }) where verdict.isUnexplained {
        let trials = smallest(share, verdicts) { $0 == verdict }
        let shrunk = trials.prefix(6).map { $0.shrunk() }.min { $0.schedule.size < $1.schedule.size }
        print("\n\(verdict.reproach): \(share.subject.name), \(count) schedules; the smallest, shrunk:")
        if let shrunk { print(shrunk.text) }
        if case .chains = share.subject {
          for trial in trials.prefix(100) {
            print("  \(trial.name), seed \(trial.schedule.seed): \(trial.beginning)", terminator: "")
          }
        }
      }
    }
  }

  /// The trials with a verdict, smallest first.
  private func smallest(_ share: Share, _ verdicts: Verdicts, _ isWanted: (Verdict) -> Bool) -> [Trial] {
    share.range.filter { isWanted(verdicts[$0]) }.prefix(1_000).map { trial(share, $0) }
      .sorted { $0.schedule.size < $1.schedule.size }
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  fileprivate var leading: String { String(repeating: " ", count: max(1, 13 - count)) + self }
}
