import Foundation
import Schedules

/// The whole test: its parts in processes, as many at a time as there are processors, and the report.
struct Run {
  let options: Options
  private let shares: [(subject: Subject, count: Int)]

  init(_ options: Options) {
    self.options = options
    let rows = options.operators.isEmpty ? sluice.rows.map(\.name) : options.operators
    let singles = options.chain ? [] : rows.map { subject($0) }
    let chains = options.chain || options.operators.isEmpty
    // Three schedules in ten are for chains, where there are both.
    let forChains = singles.isEmpty ? options.schedules : chains ? options.schedules * 3 / 10 : 0
    let each = singles.isEmpty ? 0 : (options.schedules - forChains) / singles.count
    let rest = singles.isEmpty ? 0 : options.schedules - forChains - each * singles.count
    shares =
      singles.enumerated().map { ($1, each + ($0 < rest ? 1 : 0)) } + (chains ? [(Subject.chains, forChains)] : [])
  }

  /// - Returns: Whether nothing was found that has no explanation.
  func play() throws -> Bool {
    let all = try findings()
    var total = Findings()
    let width = (shares.map(\.subject.name.count).max() ?? 0) + 2
    print("\("operator".padded(width))\("schedules".leading)\("equal".leading)\("explained".leading)\("unexplained".leading)")
    for (share, findings) in zip(shares, all) {
      let explained = findings.explained.values.map(\.count).reduce(0, +)
      print(
        "\(share.subject.name.padded(width))\(findings.schedules.leading)\(findings.equal.leading)"
          + "\(explained.leading)\(findings.unexplained.leading)")
      total.add(findings)
    }
    let explained = total.explained.values.map(\.count).reduce(0, +)
    print("\("total".padded(width))\(total.schedules.leading)\(total.equal.leading)\(explained.leading)\(total.unexplained.leading)")
    try reportExplained(all)
    try reportUnexplained(all)
    return total.unexplained == 0
  }

  private func reportExplained(_ all: [Findings]) throws {
    let names = Set(all.flatMap(\.explained.keys)).sorted()
    if !names.isEmpty { print("\nexplained differences:") }
    for name in names {
      print("  \(name)")
      for (share, findings) in zip(shares, all) {
        guard let explained = findings.explained[name] else { continue }
        print("    \(share.subject.name): \(explained.count), as with seed \(explained.seed)")
        if options.verbose {
          let child = try Child(["--show", share.subject.name, "\(explained.seed)"])
          print(String(decoding: child.output, as: UTF8.self))
        }
      }
    }
  }

  private func reportUnexplained(_ all: [Findings]) throws {
    for (share, findings) in zip(shares, all) where findings.unexplained > 0 {
      print("\nunexplained: \(share.subject.name), \(findings.unexplained) schedules; the smallest:")
      for suspect in findings.suspects where suspect.death != nil {
        print("  seed \(suspect.seed): \(suspect.death ?? "")")
      }
      // Shrinking may run into a trap: then another one is tried.
      var smallest: String?
      for suspect in findings.suspects where suspect.death == nil {
        let child = try Child(["--shrink", share.subject.name, "\(suspect.seed)"], patience: 60)
        guard child.end.isHappy else { continue }
        let text = String(decoding: child.output, as: UTF8.self)
        if text.count < smallest?.count ?? .max { smallest = text }
      }
      if let smallest { print(smallest) }
    }
  }

  // MARK: Processes

  private struct Task: @unchecked Sendable {
    // Made before any thread starts, and not changed.
    let share: Int
    let supervisor: Supervisor
    let seed: UInt64
    let count: Int
  }

  private final class Results: @unchecked Sendable {
    // The lock protects both.
    private let lock = NSLock()
    private var findings: [Findings]
    private var error: (any Error)?

    init(_ count: Int) { findings = Array(repeating: Findings(), count: count) }

    func add(_ found: Findings, _ share: Int) { lock.withLock { findings[share].add(found) } }
    func fail(_ error: any Error) { lock.withLock { self.error = error } }
    func get() throws -> [Findings] {
      try lock.withLock {
        if let error { throw error }
        return findings
      }
    }
  }

  private func findings() throws -> [Findings] {
    let directory = FileManager.default.temporaryDirectory
    let portion = 10_000
    var tasks: [Task] = []
    for (index, share) in shares.enumerated() {
      for start in stride(from: 0, to: share.count, by: portion) {
        tasks.append(
          Task(
            share: index, supervisor: Supervisor(subject: share.subject, directory: directory),
            seed: options.seed &+ UInt64(start), count: min(portion, share.count - start)))
      }
    }
    let results = Results(shares.count)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
    for task in tasks {
      queue.addOperation {
        do {
          results.add(try task.supervisor.play(task.seed, task.count), task.share)
        } catch {
          results.fail(error)
        }
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    return try results.get()
  }
}

extension String {
  func padded(_ width: Int) -> String { padding(toLength: width, withPad: " ", startingAt: 0) }
  var leading: String { String(repeating: " ", count: Swift.max(1, 13 - count)) + self }
}

extension Int {
  var leading: String { description.leading }
}
