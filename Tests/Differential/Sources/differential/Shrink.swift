import Schedules

extension Trial {
  /// A smaller trial with the same verdict.
  func shrunk() -> Trial {
    let verdict = verdict()
    var trial = self
    while let smaller = trial.schedule.smaller.lazy.map({ Trial(rows: rows, schedule: $0) }).first(where: {
      $0.verdict() == verdict
    }) {
      trial = smaller
    }
    return trial
  }
}

extension Schedule {
  var size: Int {
    let reactions = onSubscription + onValue + [onCompletion] + onAttach.joined() + onRequest.joined() + onCancel
    let values = events.map { if case .send(_, let values) = $0 { values.count } else { 1 } }.reduce(0, +)
    return values + late.count + reactions.map { $0.acts.count + ($0.answer == 0 ? 0 : 1) }.reduce(0, +)
  }

  /// All schedules with one thing less.
  fileprivate var smaller: [Schedule] {
    var all: [Schedule] = []
    func changed(_ change: (inout Schedule) -> Void) {
      var copy = self
      change(&copy)
      all.append(copy)
    }
    for index in events.indices.reversed() { changed { $0.events.remove(at: index) } }
    for source in late { changed { $0.late.remove(source) } }
    shorten(\.onSubscription, changed)
    shorten(\.onValue, changed)
    shorten(\.onCancel, changed)
    for source in onAttach.indices {
      shorten(\.onAttach[source], changed)
      shorten(\.onRequest[source], changed)
    }
    for index in onCompletion.acts.indices { changed { $0.onCompletion.acts.remove(at: index) } }
    for index in events.indices {
      guard case .send(let source, let values) = events[index] else { continue }
      for (place, value) in values.enumerated() {
        func replaced(by others: [Int]) {
          var values = values
          values.replaceSubrange(place...place, with: others)
          changed { $0.events[index] = .send(source: source, values) }
        }
        if values.count > 1 { replaced(by: []) }
        if value > 0 { replaced(by: [0]) }
        if value > 1 { replaced(by: [value - 1]) }
      }
    }
    return all
  }

  private func shorten(
    _ path: WritableKeyPath<Schedule, [Reaction]>, _ changed: ((inout Schedule) -> Void) -> Void
  ) {
    for (index, reaction) in self[keyPath: path].enumerated() {
      for act in reaction.acts.indices { changed { $0[keyPath: path][index].acts.remove(at: act) } }
      if reaction.answer != 0 { changed { $0[keyPath: path][index].answer = 0 } }
    }
  }
}
