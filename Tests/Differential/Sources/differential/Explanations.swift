import Schedules

/// A difference that is known, and why.
struct Explanation {
  let name: String
  /// The operators it is about; empty if it is about all.
  var operators: Set<String> = []
  /// A deviation of Sluice that counts as unexplained until it is put right.
  var isDefect = false
  /// Whether this is the difference.
  let recognises: (Difference) -> Bool

  func explains(_ outcome: Outcome, _ difference: Difference) -> Bool {
    (operators.isEmpty || outcome.trial.rows.contains { operators.contains(sluice.rows[$0].name) })
      && recognises(difference)
  }
}

/// In this order: the first that recognises a difference names it.
let explanations: [Explanation] = [
  Explanation(name: "OpenCombine goes on after a downstream cancelled") { it in
    switch it.theirs {
    case .value(let probe, _), .completed(let probe, _): it.theirState.cancelled.contains(probe)
    default: false
    }
  },
  Explanation(name: "OpenCombine goes on after the completion") { it in
    switch it.theirs {
    case .value(let probe, _), .completed(let probe, _): it.theirState.completed.contains(probe)
    default: false
    }
  },
  Explanation(name: "OpenCombine asks or cancels an upstream that has ended") { it in
    switch it.theirs {
    case .requested(let source, let number, _), .cancelled(let source, let number):
      it.theirState.isOver(source, number)
    default: false
    }
  },
  Explanation(name: "OpenCombine asks for no values") { it in
    if case .requested(_, _, 0) = it.theirs { true } else { false }
  },
  Explanation(name: "Sluice cancels what is no longer needed") { it in
    guard case .cancelled = it.ours else { return false }
    return it.theirs == nil && !it.theirState.completed.isEmpty
  },
  Explanation(
    name: "Sluice cancels a second subscription", operators: ["PassthroughSubject, subscribed", "CurrentValueSubject, subscribed",
      "multicast(subject:)", "multicast(createSubject)", "makeConnectable", "autoconnect", "share"]
  ) { it in
    if case .cancelled(_, 100...) = it.ours { it.theirs == nil } else { false }
  },
  Explanation(name: "DEFECT a request from within receive(subscription:) waits", isDefect: true) { it in
    !it.ourState.opening.isEmpty || !it.theirState.opening.isEmpty
  },
]
