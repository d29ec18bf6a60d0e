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

private let concatenating: Set = ["append(values)", "append(publisher)", "prepend(values)", "prepend(publisher)"]
private let zipping: Set = ["zip", "zip(transform)", "zip3", "zip4"]
private let limiting: Set = ["prefix", "output(at:)", "output(in:)"]
private let buffers: Set = Set(
  ["keepFull", "byRequest"].flatMap { prefetch in
    ["dropNewest", "dropOldest", "customError"].map { "buffer(\(prefetch), \($0))" }
  })
private let subjects: Set = [
  "PassthroughSubject", "CurrentValueSubject", "PassthroughSubject, subscribed", "CurrentValueSubject, subscribed",
  "share", "multicast(subject:)", "multicast(createSubject)", "makeConnectable", "autoconnect",
]
private let prefetching: Set = buffers.union(["throttle(latest: true)", "throttle(latest: false)", "debounce"])

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
  Explanation(name: "OpenCombine prints a cancel after the end", operators: ["print"]) { it in
    it.theirs == .effect("p: receive cancel") && it.theirState.isOver(0, 0)
  },
  Explanation(name: "OpenCombine asks for no values") { it in
    if case .requested(_, _, 0) = it.theirs { true } else { false }
  },
  Explanation(name: "OpenCombine lets the subscription be overtaken") { it in
    switch (it.ours, it.theirs) {
    case (.subscribed, .value), (.subscribed, .completed): true
    default: false
    }
  },
  Explanation(name: "OpenCombine asks upstream before downstream has its subscription", operators: prefetching) { it in
    it.theirState.askedEarly && !it.ourState.askedEarly
  },
  Explanation(name: "OpenCombine's zip gives a tuple that nobody asked for", operators: zipping) { it in
    guard case .value(let probe, _) = it.theirs else { return false }
    return it.theirState.demand[probe, default: 0] == 0
  },
  Explanation(name: "OpenCombine ends only with the next value", operators: limiting) { it in
    switch it.ours {
    case .cancelled: it.theirs == nil || !it.isTheirCancel
    case .completed(_, "finished"): it.theirs == nil
    default: false
    }
  },
  Explanation(name: "the same demand, asked for in other calls") { it in it.demandEvensOut },
  Explanation(name: "OpenCombine lets an upstream run on after the end") { it in
    guard case .cancelled(let source, let number) = it.ours, !it.isTheirCancel else { return false }
    return !it.ourState.isOver(source, number) && it.endsInBoth
  },
  Explanation(name: "OpenCombine keeps a second subscription", operators: subjects) { it in
    if case .cancelled(_, 100...) = it.ours { it.theirs == nil } else { false }
  },
  Explanation(name: "OpenCombine's failure waits for demand", operators: buffers) { it in
    guard case .completed(let probe, let how) = it.ours else { return false }
    return how != "finished" && it.ourState.demand[probe, default: 0] == 0
  },
  Explanation(
    name: "OpenCombine delivers a value within the delivery of another",
    operators: subjects.union(buffers).union(zipping).union(["receive(on: immediate)", "flatMap", "switchToLatest"])
  ) { it in
    it.theirState.hasNested && !it.ourState.hasNested
  },
  Explanation(name: "DEFECT handleEvents calls closures after a cancel", operators: ["handleEvents"], isDefect: true) { it in
    if case .effect = it.ours { it.ourState.isOver(0, 0) } else { false }
  },
  Explanation(
    name: "DEFECT append and prepend pass on what nobody asked for", operators: concatenating, isDefect: true
  ) { it in
    guard case .value(let probe, _) = it.ours else { return false }
    return it.ourState.demand[probe, default: 0] == 0
  },
  Explanation(name: "DEFECT timeout is off after a value", operators: ["timeout", "timeout(customError:)"], isDefect: true) { it in
    it.isTheirCancel
  },
  Explanation(name: "DEFECT a filtered sequence asks for a value to find its end", operators: ["Sequence.map.filter"], isDefect: true) { it in
    it.theirs == .completed(probe: 0, "finished")
  },
  Explanation(name: "DEFECT a request from within receive(subscription:) waits", isDefect: true) { it in
    !it.ourState.opening.isEmpty || !it.theirState.opening.isEmpty
  },
]
