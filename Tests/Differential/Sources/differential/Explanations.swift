import Schedules

/// A difference that is known, and why.
struct Explanation {
  let name: String
  /// The operators it is about; empty if it is about all.
  var operators: Set<String> = []
  /// Whether this is the difference.
  let recognises: (Difference) -> Bool

  func explains(_ outcome: Outcome, _ difference: Difference) -> Bool {
    (operators.isEmpty || operators.contains(outcome.row))
      && recognises(difference)
  }
}

private let zipping: Set = ["zip", "zip(transform)", "zip3", "zip4"]
private let flatMaps: Set = ["flatMap", "flatMap(maxPublishers:)"]
private let limiting: Set = ["prefix", "output(at:)", "output(in:)"]
/// Those that let some values go by.
private let sieves: Set = [
  "filter", "filter.filter", "tryFilter", "compactMap", "tryCompactMap", "removeDuplicates", "removeDuplicates(by:)",
  "tryRemoveDuplicates", "output(at:)", "output(in:)", "drop(while:)", "tryDrop(while:)",
]
/// Those that make one value of all.
private let folds: Set = [
  "collect", "first", "first(where:)", "tryFirst(where:)", "last", "last(where:)", "tryLast(where:)", "reduce",
  "tryReduce", "count", "min", "max", "max(by:)", "tryMin(by:)", "tryMax(by:)", "contains", "contains(where:)",
  "tryContains(where:)", "allSatisfy", "tryAllSatisfy",
]
private let keepingFull: Set = [
  "buffer(keepFull, dropNewest)", "buffer(keepFull, dropOldest)", "buffer(keepFull, customError)",
]
private let buffers = keepingFull.union([
  "buffer(byRequest, dropNewest)", "buffer(byRequest, dropOldest)", "buffer(byRequest, customError)",
])
private let failing: Set = ["buffer(keepFull, customError)", "buffer(byRequest, customError)"]
private let throttles: Set = ["throttle(latest: true)", "throttle(latest: false)"]
private let timeouts: Set = ["timeout", "timeout(customError:)"]
/// Those that deliver in turns of a scheduler.
private let turning: Set = timeouts.union(["receive(on:)", "delay"])
private let subjects: Set = [
  "PassthroughSubject", "CurrentValueSubject", "PassthroughSubject, subscribed", "CurrentValueSubject, subscribed",
  "share", "multicast(subject:)", "multicast(createSubject)", "makeConnectable", "autoconnect",
]
/// Those that follow one upstream with another.
private let successions: Set = [
  "append(values)", "append(publisher)", "prepend(values)", "prepend(publisher)", "catch", "tryCatch", "retry",
]
/// Those that have a drain.
private let conduits = zipping.union(flatMaps).union(buffers).union(throttles).union(turning).union([
  "debounce", "receive(on: immediate)", "switchToLatest", "prefix(untilOutputFrom:)", "drop(untilOutputFrom:)",
  "replaceEmpty", "replaceError",
])
private let cold: Set = ["Just", "Sequence", "Sequence.map.filter", "Optional", "Result", "Record", "Future"]
private let prefetching = buffers.union(throttles).union(["debounce"])

/// In this order: the first that recognises a difference names it.
let explanations: [Explanation] = [
  Explanation(
    name: "OpenCombine goes on after a downstream cancelled",
    operators: folds.union(conduits).union(cold).union(["tryMap", "collect(n)", "dropFirst", "catch", "tryCatch"])
  ) { it in
    switch it.theirs {
    case .value(let probe, _), .completed(let probe, _), .subscribed(let probe): it.theirState.cancelled.contains(probe)
    default: false
    }
  },
  Explanation(
    name: "OpenCombine goes on after the completion",
    operators: zipping.union(flatMaps).union(buffers).union([
      "tryMap", "drop(untilOutputFrom:)", "replaceEmpty", "replaceError", "switchToLatest",
    ])
  ) { it in
    switch it.theirs {
    case .value(let probe, _), .completed(let probe, _), .subscribed(let probe): it.theirState.completed.contains(probe)
    default: false
    }
  },
  Explanation(
    name: "OpenCombine asks or cancels an upstream that has ended",
    operators: conduits.union(subjects).union(["tryScan", "measureInterval", "retry"])
  ) { it in
    switch it.theirs {
    case .requested(let source, let number, _), .cancelled(let source, let number):
      it.theirState.isOver(source, number)
    default: false
    }
  },
  Explanation(name: "OpenCombine prints requests and cancels after the end", operators: ["print"]) { it in
    guard case .effect(let text, _) = it.theirs else { return false }
    return (text == "p: receive cancel" || text.hasPrefix("p: request"))
      && !(it.theirState.completed.isEmpty && it.theirState.cancelled.isEmpty)
  },
  Explanation(
    name: "a value that waits gives way to the latest, or not, when no more is wanted",
    operators: ["throttle(latest: true)"]
  ) { it in
    if case .value(let theirs, _) = it.theirs, case .value(let ours, _) = it.ours { theirs == ours } else { false }
  },
  Explanation(name: "OpenCombine asks for no values", operators: keepingFull) { it in
    if case .requested(_, _, 0) = it.theirs { true } else { false }
  },
  Explanation(
    name: "OpenCombine lets the subscription be overtaken",
    operators: zipping.union(buffers).union(["prefix(untilOutputFrom:)"])
  ) { it in
    switch it.theirs {
    case .value(let probe, _), .completed(let probe, _): !it.theirState.subscribed.contains(probe)
    default: false
    }
  },
  Explanation(name: "OpenCombine asks upstream before downstream has its subscription", operators: prefetching) { it in
    if case .requested = it.theirs, it.theirState.subscribed.isEmpty { return true }
    return it.theirState.askedEarly && !it.ourState.askedEarly && it.theirState.spokeEarly
  },
  Explanation(
    name: "OpenCombine passes on what nobody asked for", operators: zipping.union(["replaceEmpty"])
  ) { it in
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
  Explanation(name: "asks its upstreams for as much in other calls", operators: zipping.union(flatMaps)) { it in
    it.demandEvensOut
  },
  Explanation(name: "the same demand, asked for in other calls", operators: conduits.union(successions)) { it in
    it.demandEvensOut && (it.isAskedWithin(it.ourAct) || it.isAskedWithin(it.theirAct))
  },
  Explanation(
    name: "OpenCombine lets an upstream run on after the end",
    operators: zipping.union(flatMaps).union(subjects).union(["prefix(untilOutputFrom:)", "drop(untilOutputFrom:)"])
  ) { it in
    guard case .cancelled(let source, let number) = it.ours, !it.isTheirCancel else { return false }
    return !it.ourState.isOver(source, number) && (it.endsInBoth || !it.theirState.cancelled.isEmpty)
  },
  Explanation(
    name: "OpenCombine lets an upstream run on when it has no more use for it",
    operators: ["prefix(untilOutputFrom:)", "drop(untilOutputFrom:)", "flatMap", "flatMap(maxPublishers:)"]
  ) { it in
    it.isOurCancel && !it.isTheirCancel
  },
  Explanation(
    name: "OpenCombine takes a subscription that comes after the cancel or the end",
    operators: ["dropFirst", "catch", "tryCatch"]
  ) { it in
    it.isOurCancel && !it.isTheirCancel && it.isOverForProbes
  },
  Explanation(name: "OpenCombine keeps a second subscription", operators: subjects) { it in
    if case .cancelled(_, 100..<200) = it.ours { !it.isTheirCancel } else { false }
  },
  Explanation(
    name: "an upstream that is not cancelled yet gives a second subscription after the end", operators: zipping
  ) { it in
    guard case .cancelled(let source, 100..<200) = it.theirs, it.ours == nil else { return false }
    return it.ourState.isOver(source, it.number % 100) && !it.theirState.completed.isEmpty
  },
  Explanation(name: "OpenCombine's subject asks an upstream after its end", operators: subjects) { it in
    if case .requested(_, 200..., _) = it.theirs { !it.theirState.completed.isEmpty && it.ours == nil } else { false }
  },
  Explanation(name: "OpenCombine's buffer lets the end wait for demand", operators: buffers) { it in
    guard case .completed = it.ours else { return false }
    return it.theirs == nil
  },
  Explanation(name: "OpenCombine's buffer fails before it has delivered what it holds", operators: failing) { it in
    it.theirs == .completed(probe: 0, "fault 6") && it.ourState.isOver(0, 0)
  },
  Explanation(
    name: "an upstream speaks while it is being cancelled",
    operators: zipping.union(flatMaps).union(["switchToLatest", "prefix(untilOutputFrom:)", "drop(untilOutputFrom:)"])
  ) { it in
    if it.stirred, it.acts(it.ourAct) != it.acts(it.theirAct) { return true }
    return switch (it.ours, it.theirs) {
    // One library cancels before it gives the end, the other one afterwards.
    case (nil, .completed), (.cancelled, .completed): it.stirred
    case (.answered, _), (_, .answered): !it.ourState.cancelled.isEmpty && !it.theirState.cancelled.isEmpty
    default: false
    }
  },
  Explanation(name: "a buffer of size 0 hands on what is asked for", operators: buffers) { it in
    if case .value = it.theirs { return false }
    return it.trial.schedule.parameter(0, at: it.position) % 5 == 0
  },
  Explanation(name: "a request that is overtaken by the end goes no further", operators: conduits.union(["retry"])) {
    it in
    guard case .requested(let source, let number, _) = it.theirs, it.theirState.opening.isEmpty || it.theirState.isBusy
    else {
      return false
    }
    if case .requested = it.ours { return false }
    return it.ourEnd.isOver(source, number)
  },
  Explanation(name: "a request from within receive goes up with the answer", operators: conduits.union(["retry"])) {
    it in
    guard case .requested(let source, let number, let demand) = it.theirs, it.theirState.isBusy else { return false }
    switch it.ours {
    case .answered(source, number, Act.unlimited), .requested(source, number, Act.unlimited): return true
    case .answered(source, number, let ours), .requested(source, number, let ours):
      return demand != Act.unlimited && ours >= demand
    default: return false
    }
  },
  Explanation(
    name: "a request from within receive goes up afterwards, when the upstream's values have gone by",
    operators: conduits.union(["retry"])
  ) { it in
    switch (it.ours, it.theirs) {
    case (nil, _) where it.trial.schedule.law == .lawful: break
    case (.requested, .requested): break
    default: return false
    }
    return it.asks(it.ourAct) == .afterwards && it.asks(it.theirAct) == .between
  },
  Explanation(
    name: "what comes due while downstream receives its subscription waits",
    operators: turning
  ) { it in
    if case .value = it.ours { return false }
    return switch it.theirs {
    case .value(let probe, _), .completed(let probe, _):
      it.theirState.opening.contains(probe) && it.theirState.timePassedWithin
    default: false
    }
  },
  Explanation(
    name: "OpenCombine's timeout starts again with the first request", operators: timeouts
  ) { it in
    switch it.ours {
    case .completed, .cancelled: it.theirs == nil && it.theirState.hasBeenAskedLate
    default: false
    }
  },
  Explanation(
    name: "OpenCombine goes on with an upstream that has failed", operators: ["catch", "tryCatch"]
  ) { it in
    guard case .value = it.theirs, it.ours == nil, it.trial.schedule.law == .ignoresCancel else { return false }
    return it.ourState.isOver(0, 0) && it.theirState.isOver(0, 0)
  },
  Explanation(name: "OpenCombine delivers a value within the delivery of another", operators: conduits.union(subjects))
  { it in
    if case .value(let probe, _) = it.theirs, it.theirState.busy[probe, default: 0] > 0 { return true }
    return RunState(it.theirAct).hasNested && !it.ourState.hasNested
  },
  Explanation(
    name: "OpenCombine has given a value within the delivery of another, and its demand is not spent",
    operators: ["replaceEmpty"]
  ) { it in
    it.theirState.hasNested && !it.ourState.hasNested
  },
  Explanation(name: "OpenCombine ends the stream within the delivery of a value", operators: conduits.union(subjects)) {
    it in
    switch it.ours {
    case .answered, .cancelled: if it.theirs == nil { return it.theirState.completedWhileBusy }
    default: break
    }
    return switch it.theirs {
    case .answered: it.ours == nil && it.theirState.completedWhileBusy
    case .completed, .cancelled: it.theirState.isBusy && (it.endsInBoth || !it.ourEnd.cancelled.isEmpty)
    default: false
    }
  },
  Explanation(
    name: "OpenCombine gives the end, or a value not asked for, while downstream receives its subscription",
    operators: ["replaceEmpty", "receive(on: immediate)"]
  ) { it in
    switch it.theirs {
    case .completed(let probe, _), .value(let probe, _):
      it.ours == nil && it.theirState.opening.contains(probe) && it.ourEnd.cancelled.contains(probe)
        && it.theirState.demand[probe, default: 0] == 0
    default: false
    }
  },
  Explanation(name: "OpenCombine's zip shares out the demand of an answer otherwise", operators: zipping) { it in
    // What OpenCombine asks for afterwards may be overtaken by the end.
    if case .answered(let source, let number, _) = it.ours, it.ourEnd.isOver(source, number) { return true }
    return switch (it.ours, it.theirs) {
    case (.requested, _), (.answered, .answered), (_, .requested), (.answered, nil), (nil, .answered):
      it.isAskedWithin(it.ourAct) || it.isAskedWithin(it.theirAct)
    default: false
    }
  },
  Explanation(
    name: "OpenCombine's flatMap asks its publishers for values one by one after an answer",
    operators: flatMaps
  ) { it in
    guard case .answered(let source, let number, 1) = it.theirs else { return false }
    return it.ours == .answered(source: source, number, Act.unlimited)
  },
  Explanation(
    name: "OpenCombine's flatMap forgets demand that comes while it empties its buffer",
    operators: flatMaps
  ) { it in
    guard it.isAskedWithin(it.ourAct) || it.isAskedWithin(it.theirAct) else { return false }
    return switch (it.ours, it.theirs) {
    case (.value, nil), (.requested, nil), (.requested, .answered(_, _, 0)), (.value, .answered(_, _, 0)): true
    case (.value, .value): it.givesFewer
    case (.value, .completed): it.givesFewer
    default: false
    }
  },
  Explanation(name: "a source is cancelled before or after the answer to its last value", operators: conduits) { it in
    switch (it.ours, it.theirs) {
    case (.answered(_, _, 0)?, let cancel?), (let cancel?, .answered(_, _, 0)?):
      guard case .cancelled = cancel else { return false }
      return it.theirs.map(it.ourAct.contains) == true && it.ours.map(it.theirAct.contains) == true
    default: return false
    }
  },
  Explanation(
    name: "OpenCombine's replaceError loses its value with the demand of an answer", operators: ["replaceError"]
  ) { it in
    guard case .value(_, "42") = it.ours else { return false }
    return it.theirs == nil
  },
  Explanation(
    name: "OpenCombine's CurrentValueSubject keeps back what came before the demand of an answer",
    operators: ["CurrentValueSubject", "CurrentValueSubject, subscribed", "multicast(createSubject)"]
  ) { it in
    guard case .value = it.ours else { return false }
    guard case .value(_, let later) = it.theirs else { return it.theirs == nil }
    // A newer value has taken its place.
    return it.values(it.ourAct).contains(later)
      || it.ourAct.contains { if case .answers(_, let more) = $0 { more != 0 } else { false } }
  },
  Explanation(name: "OpenCombine's flatMap lets a failure overtake a value", operators: flatMaps) { it in
    guard case (.value, .completed) = (it.ours, it.theirs) else { return false }
    return it.values(it.ourAct).sorted() == it.values(it.theirAct).sorted()
  },
  Explanation(
    name: "flatMap serves its publishers in another order", operators: flatMaps
  ) { it in
    guard case (.value, .value) = (it.ours, it.theirs) else { return false }
    // With limited demand it is as many of them, unless one of the values cancels.
    return it.values(it.ourAct).count == it.values(it.theirAct).count
      || it.ourAct.contains { if case .cancelled = $0 { true } else { false } }
  },
  Explanation(
    name: "OpenCombine's switchToLatest forgets the demand of an answer if the publisher is replaced meanwhile",
    operators: ["switchToLatest"]
  ) { it in
    guard it.theirs == nil || it.isTheirCancel,
      it.ourAct.contains(where: { if case .answers(_, let more) = $0 { more != 0 } else { false } })
    else { return false }
    switch it.ours {
    case .value, .requested: return true
    default: return false
    }
  },
  Explanation(
    name: "OpenCombine loses the demand of an answer if upstream is followed by another meanwhile",
    operators: ["append(values)", "append(publisher)", "prepend(values)", "prepend(publisher)", "catch", "tryCatch"]
  ) { it in
    let isNothing = it.theirs == nil
    let isAnswer = if case .answered = it.theirs { true } else { false }
    guard isNothing || isAnswer,
      it.ourAct.contains(where: { if case .answers(_, let more) = $0 { more != 0 } else { false } })
    else { return false }
    switch it.ours {
    case .value, .requested: return true
    default: return false
    }
  },
  Explanation(
    name: "OpenCombine connects again for who comes after the end, if all before have cancelled",
    operators: ["share", "autoconnect"]
  ) { it in
    if case .attached = it.theirs { it.ours == nil } else { false }
  },
  Explanation(name: "zip asks its upstreams in another order", operators: zipping) { it in
    switch (it.ours, it.theirs) {
    case (.value, .completed):
      // An upstream fails because it is asked, rather than answered.
      it.theirAct.contains { if case .ended = $0 { true } else { false } }
    case (.value, .value), (.cancelled, .answered), (.answered, .cancelled):
      it.exchange(it.ourAct) != it.exchange(it.theirAct)
    case (nil, .completed):
      // An upstream ends because it is asked, rather than answered.
      it.theirAct.contains { if case .ended = $0 { !it.ourAct.contains($0) } else { false } }
    default: false
    }
  },
  Explanation(name: "retry subscribes again at once, or after the call", operators: ["retry"]) { it in
    guard let ours = it.retryDelay(it.ourAct), let theirs = it.retryDelay(it.theirAct) else { return false }
    return ours > theirs
  },
  Explanation(
    name: "what comes due in a nested run of the clock goes with the outer one",
    operators: ["debounce", "receive(on:)", "delay", "timeout", "timeout(customError:)"]
  ) { it in
    guard it.theirs == nil else { return false }
    switch it.ours {
    case .value, .completed: break
    default: return false
    }
    return it.ourAct.contains { if case .act(.advance, depth: 1...) = $0 { true } else { false } }
  },
  Explanation(
    name: "timeout counts from the subscription or value, or from when downstream has done with it",
    operators: timeouts
  ) { it in
    switch it.theirs {
    case .completed, .cancelled: it.theirState.timePassedWithin
    default: false
    }
  },
  Explanation(
    name: "a turn's requests go up one by one, or after it, and the upstream answers otherwise",
    operators: turning.union(["receive(on: immediate)"])
  ) { it in
    switch (it.ours, it.theirs) {
    case (.value, .value), (.completed, .value): it.acts(it.ourAct) != it.acts(it.theirAct)
    case (nil, .value), (.value, .completed), (.cancelled, .answered), (_, .requested):
      it.exchange(it.ourAct) != it.exchange(it.theirAct)
    default: false
    }
  },
  Explanation(
    name: "an upstream answers a request, which the other library makes in another call",
    operators: zipping.union(["prefix(untilOutputFrom:)"])
  ) { it in
    switch (it.ours, it.theirs) {
    case (.value, nil), (.cancelled, nil), (.completed, .completed), (.value, .value), (.value, .completed):
      it.upstreamAnswersOtherwise
    default: false
    }
  },
  Explanation(name: "which publisher is the latest when they come from within a cancel", operators: ["switchToLatest"])
  {
    $0.hasStirred
  },
  Explanation(name: "OpenCombine takes a subscription that comes after the disconnect", operators: subjects) { it in
    it.isOurCancel && !it.isTheirCancel && it.trial.schedule.late.contains(0)
  },
  Explanation(name: "OpenCombine counts a downstream that cancels twice as two", operators: ["share", "autoconnect"]) {
    it in
    it.ours == nil && it.isTheirCancel && it.cancelsTwice
  },
  Explanation(
    name: "the same calls to different parties in another order, which the next operator notices",
    operators: conduits.union(successions).union(["subscribe(on: immediate)"])
  ) { it in
    it.isReordered
  },
  // Found by who is alive alone, where there is no difference otherwise.
  Explanation(name: "a source that never gives its subscription keeps what waits for it") { _ in false },
]

let neverOpened = explanations.count - 1
