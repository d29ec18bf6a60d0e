import OpenCombineSide
import Schedules
import SluiceSide

let sluice = SluiceSide.library
let openCombine = OpenCombineSide.library

/// What is tested: one row of the table, or chains that the seed makes.
enum Subject {
  case row(Int)
  case chains

  static let links = sluice.rows.indices.filter { sluice.rows[$0].links }

  init?(_ name: String) {
    if name == "chains" {
      self = .chains
    } else if let index = sluice.rows.firstIndex(where: { $0.name == name }) {
      self = .row(index)
    } else {
      return nil
    }
  }

  var name: String {
    switch self {
    case .row(let index): sluice.rows[index].name
    case .chains: "chains"
    }
  }

  func trial(_ seed: UInt64) -> Trial {
    switch self {
    case .row(let index):
      return Trial(rows: [index], schedule: Schedule(seed: seed, shape: sluice.rows[index].shape))
    case .chains:
      var random = SplitMix64(seed: seed ^ 0xC4A1_0000_0000_0000)
      let rows = (0..<2 + random.below(4)).map { _ in Subject.links[random.below(Subject.links.count)] }
      let shapes = rows.map { sluice.rows[$0].shape }
      var shape = Schedule.Shape()
      shape.sources = shapes.map(\.sources).max() ?? 1
      shape.timed = shapes.contains { $0.timed }
      shape.fails = shapes.allSatisfy(\.fails)
      shape.subscriptions = shapes.allSatisfy(\.subscriptions)
      shape.law = shapes.map(\.law).min() ?? .lawful
      return Trial(rows: rows, schedule: Schedule(seed: seed, shape: shape))
    }
  }
}

/// One schedule for one operator or chain.
struct Trial {
  let rows: [Int]
  var schedule: Schedule

  var name: String { rows.map { sluice.rows[$0].name }.joined(separator: ", ") }

  func outcome() -> Outcome {
    Outcome(trial: self, sluice: sluice.run(rows, schedule), openCombine: openCombine.run(rows, schedule))
  }
}
