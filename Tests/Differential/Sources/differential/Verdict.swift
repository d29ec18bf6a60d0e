import Glibc
import Schedules

/// What came of a trial.
enum Verdict: Hashable {
  case none
  case equal
  case unexplained
  case sluiceDies
  case openCombineTraps
  case openCombineHangs
  case bothDie
  /// The rule, and the row of the table where the libraries part.
  case explained(Int, row: Int)

  private static let fixed: [Verdict] = [
    .none, .equal, .unexplained, .sluiceDies, .openCombineTraps, .openCombineHangs, .bothDie,
  ]

  /// Sorts by the rules and then by the table.
  var code: UInt16 {
    if case .explained(let rule, let row) = self { return UInt16(1 + rule) << 8 | UInt16(row) }
    return UInt16(Verdict.fixed.firstIndex(of: self) ?? 0)
  }

  init(code: UInt16) {
    self = code < 1 << 8 ? Verdict.fixed[Int(code)] : .explained(Int(code >> 8) - 1, row: Int(code & 0xFF))
  }

  /// The known reason, if there is one.
  var explanation: String? {
    switch self {
    case .none, .equal, .unexplained, .sluiceDies, .bothDie: nil
    case .openCombineTraps: "OpenCombine traps"
    case .openCombineHangs: "OpenCombine hangs or calls itself without end"
    case .explained(let rule, _): explanations[rule].name
    }
  }

  /// The row of the table where the libraries part, where it is known.
  var row: Int? { if case .explained(_, let row) = self { row } else { nil } }

  /// What is wrong, if something is.
  var reproach: String {
    switch self {
    case .sluiceDies: "SLUICE TRAPS OR HANGS"
    case .bothDie: "BOTH TRAP OR HANG"
    default: "UNEXPLAINED"
    }
  }

  var isUnexplained: Bool { [.none, .unexplained, .sluiceDies, .bothDie].contains(self) }
}

/// The verdicts of all schedules, in memory that all processes of this program share.
struct Verdicts {
  fileprivate let memory: UnsafeMutablePointer<UInt16>
  let count: Int

  init(_ count: Int) {
    let memory = mmap(nil, Verdicts.size(count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { fatalError("mmap: errno \(errno)") }
    self.memory = memory.assumingMemoryBound(to: UInt16.self)
    self.count = count
  }

  subscript(index: Int) -> Verdict {
    get { Verdict(code: memory[index]) }
    nonmutating set { memory[index] = newValue.code }
  }

  fileprivate static func size(_ count: Int) -> Int { max(count, 1) * MemoryLayout<UInt16>.stride }

  /// Plays these schedules in processes of their own, since a trap ends its process.
  func play(_ range: Range<Int>, _ trial: (Int) -> Trial) {
    var next = range.lowerBound
    while next < range.upperBound {
      let end = Child {
        for index in next..<range.upperBound {
          Child.patience(10)
          self[index] = trial(index).outcome().verdict
        }
      }.wait()
      if case .done = end { return }
      while next < range.upperBound, self[next] != .none { next += 1 }
      if next < range.upperBound {
        self[next] = trial(next).died()
        next += 1
      }
    }
  }
}

extension Trial {
  /// Which library a process died of.
  func died() -> Verdict {
    let (ours, theirs) = (end(sluice), end(openCombine))
    switch (ours, theirs) {
    case (.done, .trapped): return .openCombineTraps
    case (.done, .hung): return .openCombineHangs
    case (.done, .done): return .unexplained
    case (_, .done): return .sluiceDies
    default: return .bothDie
    }
  }

  private func end(_ library: Library) -> Child.End {
    Child {
      Child.patience(2)
      _ = library.run(rows, schedule, .none)
    }.wait()
  }

  /// The verdict, found in a process of its own.
  func verdict() -> Verdict {
    let found = Verdicts(1)
    found.play(0..<1) { _ in self }
    defer { found.release() }
    return found[0]
  }
}

extension Verdicts {
  fileprivate func release() { munmap(memory, Verdicts.size(count)) }
}
