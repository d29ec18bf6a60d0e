import OpenCombineSide
import Schedules
import SluiceSide

let sluice = SluiceSide.library
let openCombine = OpenCombineSide.library

/// What is tested: one row of the table, a chain of several, or chains that the seed makes.
enum Subject {
  case rows([Int])
  case chains

  static let links = sluice.rows.indices.filter { sluice.rows[$0].links }

  /// - Parameter name: A row, rows with ` | ` between them, or `chains`.
  init?(_ name: String) {
    if name == "chains" {
      self = .chains
      return
    }
    let names = name.split(separator: "|").map { $0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed() }
    let rows = names.compactMap { name in sluice.rows.firstIndex { $0.name == String(name) } }
    guard rows.count == names.count, rows.count == 1 || rows.allSatisfy(Subject.links.contains) else { return nil }
    self = .rows(rows)
  }

  var name: String {
    switch self {
    case .rows(let rows): rows.map { sluice.rows[$0].name }.joined(separator: " | ")
    case .chains: "chains"
    }
  }

  func trial(_ seed: UInt64) -> Trial {
    switch self {
    case .rows(let rows): return Trial(rows: rows, schedule: Schedule(seed: seed, shape: Subject.shape(rows)))
    case .chains:
      var random = SplitMix64(seed: seed ^ 0xC4A1_0000_0000_0000)
      let rows = (0..<2 + random.below(4)).map { _ in Subject.links[random.below(Subject.links.count)] }
      return Trial(rows: rows, schedule: Schedule(seed: seed, shape: Subject.shape(rows)))
    }
  }

  private static func shape(_ rows: [Int]) -> Schedule.Shape {
    let shapes = rows.map { sluice.rows[$0].shape }
    var shape = shapes[0]
    for other in shapes.dropFirst() {
      shape.sources = max(shape.sources, other.sources)
      shape.timed = shape.timed || other.timed
      shape.fails = shape.fails && other.fails
      shape.subscriptions = shape.subscriptions && other.subscriptions
      shape.law = min(shape.law, other.law)
    }
    return shape
  }
}

/// One schedule for one operator or chain.
struct Trial {
  let rows: [Int]
  var schedule: Schedule

  var name: String { rows.map { sluice.rows[$0].name }.joined(separator: " | ") }

  func rowName(_ position: Int) -> String { sluice.rows[rows[position]].name }

  func outcome() -> Outcome {
    outcome(seams: .none)
  }

  func outcome(seams: Seams) -> Outcome {
    Outcome(
      trial: self, sluice: sluice.run(rows, schedule, seams), openCombine: openCombine.run(rows, schedule, seams))
  }
}
