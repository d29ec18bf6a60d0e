/// The histories of a line that explain a row of edges, found by trying them.
///
/// The level of the line alternates with each change. An edge that is reported is the event of one change, and its
/// direction is the level after as many changes as had happened when the kernel read it: its own, and perhaps later ones.
struct EdgeHistories {
  /// The directions that were reported.
  let directions: [Bool]
  /// For each edge, whether the line was still after it: no change before the reading of its level is reported later.
  let stills: [Bool]
  /// The level before the first change; nil if it is not known.
  let initial: Bool?

  /// The number of lost changes of the history that has the fewest.
  var leastLoss: Int {
    (0...directions.count).first { budget in
      (initial.map { [$0] } ?? [false, true]).contains { search(0, $0, change: 0, read: 0, budget) }
    } ?? .max
  }

  /// - Parameters:
  ///   - change: The change of the edge before.
  ///   - read: The changes that had happened when its level was read.
  ///   - budget: How many more changes may be lost.
  private func search(_ place: Int, _ level: Bool, change: Int, read: Int, _ budget: Int) -> Bool {
    guard place < directions.count else {
      // What had happened, and is not reported, is lost if the line was still. Otherwise, it may come.
      return stills.last != true || read - change <= budget
    }
    // No event comes that had happened before the line was still.
    let earliest = place > 0 && stills[place - 1] ? max(change, read) + 1 : change + 1
    for own in earliest...change + 1 + max(budget, earliest - change - 1) {
      let lost = own - change - 1
      guard lost <= budget else { break }
      for readings in max(own, read)...max(own, read) + 2
      where (readings.isMultiple(of: 2) ? level : !level) == directions[place] {
        if search(place + 1, level, change: own, read: readings, budget - lost) { return true }
      }
    }
    return false
  }
}
