import Glibc
import Schedules

/// What came of a trial, in a byte.
enum Verdict: Hashable {
  case none
  case equal
  case unexplained
  case sluiceDies
  case openCombineTraps
  case openCombineHangs
  case bothDie
  case explained(Int)

  var byte: UInt8 {
    switch self {
    case .none: 0
    case .equal: 1
    case .unexplained: 2
    case .sluiceDies: 3
    case .openCombineTraps: 4
    case .openCombineHangs: 5
    case .bothDie: 6
    case .explained(let index): 10 + UInt8(index)
    }
  }

  init(byte: UInt8) {
    let fixed: [Verdict] = [
      .none, .equal, .unexplained, .sluiceDies, .openCombineTraps, .openCombineHangs, .bothDie,
    ]
    self = Int(byte) < fixed.count ? fixed[Int(byte)] : .explained(Int(byte) - 10)
  }

  /// The known reason, if there is one.
  var explanation: String? {
    switch self {
    case .none, .equal, .unexplained, .sluiceDies: nil
    case .openCombineTraps: "OpenCombine traps"
    case .openCombineHangs: "OpenCombine hangs or calls itself without end"
    case .bothDie: "both trap"
    case .explained(let index): explanations[index].name
    }
  }

  /// What is wrong, if something is.
  var reproach: String {
    switch self {
    case .sluiceDies: "SLUICE TRAPS OR HANGS"
    default: "UNEXPLAINED"
    }
  }

  var isUnexplained: Bool { [.none, .unexplained, .sluiceDies].contains(self) }
}

/// The verdicts of all schedules, in memory that all processes of this program share.
struct Verdicts {
  fileprivate let memory: UnsafeMutablePointer<UInt8>
  let count: Int

  init(_ count: Int) {
    let memory = mmap(nil, max(count, 1), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { fatalError("mmap: errno \(errno)") }
    self.memory = memory.assumingMemoryBound(to: UInt8.self)
    self.count = count
  }

  subscript(index: Int) -> Verdict {
    get { Verdict(byte: memory[index]) }
    nonmutating set { memory[index] = newValue.byte }
  }

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
      _ = library.run(rows, schedule, false)
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
  fileprivate func release() { munmap(memory, max(count, 1)) }
}
