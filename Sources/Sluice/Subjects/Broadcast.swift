import Synchronization

/// What the subjects have in common: the lines to their subscribers, a memory, the end, and their upstreams.
@usableFromInline
final class Broadcast<Core: Operators.SingleInputCore, Memory>: @unchecked Sendable where Core.Effect == Never {
  // The lock protects its state.

  @usableFromInline typealias Line = Operators.Conduit<Core, AnySubscriber<Core.Output, Core.Failure>>
  @usableFromInline typealias Completion = Subscribers.Completion<Core.Failure>

  @usableFromInline struct State {
    @usableFromInline var memory: Memory
    @usableFromInline var lines: [Line] = []
    @usableFromInline var end: Completion?
    @usableFromInline var upstreams: [any Subscription] = []
    /// Upstreams are asked: at once, or when somebody has asked for values.
    @usableFromInline var wanted: Bool

    @inlinable init(_ memory: Memory, wanted: Bool) {
      self.memory = memory
      self.wanted = wanted
    }
  }

  @usableFromInline let name: StaticString
  @usableFromInline let portrait: Portrait
  @usableFromInline let state: Locked<State>

  /// - Parameters:
  ///   - waitsForDemand: Whether upstreams are asked for values only when a subscriber has asked.
  ///   - portrait: What the subscriptions show of themselves.
  @inlinable init(
    _ name: StaticString, memory: Memory, waitsForDemand: Bool, portrait: Portrait = .demand
  ) {
    self.name = name
    self.portrait = portrait
    state = Locked(State(memory, wanted: !waitsForDemand))
  }

  /// The subject goes.
  @inlinable func close() {
    for upstream in state.withLock({ $0.upstreams }) { upstream.cancel() }
  }

  /// - Parameters:
  ///   - subject: Lives as long as the subscription does.
  ///   - makeCore: Makes the core of the new line; nil if there is nothing to come but the end.
  @inlinable func subscribe<S: Subscriber>(
    _ subscriber: S, to subject: AnyObject, _ makeCore: (Memory, Completion?) -> Core?
  ) where S.Input == Core.Output, S.Failure == Core.Failure {
    let erased = AnySubscriber(subscriber)
    let (line, end) = state.withLock { state -> (Line?, Completion?) in
      let line = makeCore(state.memory, state.end).map { Line(name, $0, erased) }
      if let line, state.end == nil { state.lines.append(line) }
      return (line, state.end)
    }
    if let line {
      line.children = { [portrait] line in
        let (link, demand) = line.state.withLock {
          ($0.upstream(0) as? SubjectLink<Core, Memory>, $0.core?.demand ?? $0.unmet)
        }
        return portrait.children(parent: link?.subject, downstream: link?.subscriber.box.subscriber?(), demand: demand)
      }
      line.connect(SubjectLink(self, line, subject, erased), 0)
    } else if let end {
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: end)
    }
  }

  @inlinable func send(completion: Completion) {
    let (lines, upstreams) = state.withLock { state -> ([Line], [any Subscription]) in
      guard state.end == nil else { return ([], []) }
      state.end = completion
      defer {
        state.lines = []
        state.upstreams = []
      }
      return (state.lines, state.upstreams)
    }
    withExtendedLifetime(upstreams) {}
    for line in lines {
      line.disconnect(0)
      line.feed { $0.receive(completion: completion) }
    }
  }

  @inlinable func send(subscription: any Subscription) {
    let (wanted, gone) = state.withLock { state in
      // Those that have ended, of a publisher that was connected to again and again; let go of outside the lock.
      let gone = state.upstreams.filter { ($0 as? any SubjectUpstream)?.isOver == true }
      if !gone.isEmpty { state.upstreams.removeAll { ($0 as? any SubjectUpstream)?.isOver == true } }
      state.upstreams.append(subscription)
      return (state.wanted, gone)
    }
    withExtendedLifetime(gone) {}
    if wanted { subscription.request(.unlimited) }
  }

  /// Somebody wants values.
  @inlinable func want() {
    let upstreams = state.withLock { state -> [any Subscription] in
      guard !state.wanted else { return [] }
      state.wanted = true
      return state.upstreams
    }
    for upstream in upstreams { upstream.request(.unlimited) }
  }

  @inlinable func remove(_ line: Line) { state.withLock { $0.lines.removeAll { $0 === line } } }
}

extension Broadcast where Core.Input == Core.Output {
  /// Changes the memory and gives the value to every line, in one step: one that is sent meanwhile, from within or by
  /// another thread, comes after it on each of them. Delivering is done outside the lock.
  ///
  /// - Parameters:
  ///   - isLate: Whether the memory changes even after the end.
  ///   - remember: Changes the memory; what it returns is let go of outside the lock.
  @inlinable func send<R>(_ input: Core.Input, late isLate: Bool = false, _ remember: (inout Memory) -> R) {
    var skipped = SkippedLines<Core.Leftover>()
    let (lines, former) = state.withLock { state -> ([Line], R?) in
      guard isLate || state.end == nil else { return ([], nil) }
      for index in state.lines.indices {
        // The array keeps its lines, so each can be used without counting a reference.
        Unmanaged.passUnretained(state.lines[index])._withUnsafeGuaranteedRef { line in
          var leftover: Core.Leftover?
          if !line.take(input, &leftover) { skipped.insert(index, leftover) }
        }
      }
      return (state.lines, remember(&state.memory))
    }
    withExtendedLifetime(former) {}
    for index in lines.indices where skipped.isEmpty || !skipped.contains(index) {
      Unmanaged.passUnretained(lines[index])._withUnsafeGuaranteedRef { $0.deliver(taken: input) }
    }
  }
}

extension Operators.Conduit where Core: Operators.SingleInputCore, Core.Input == Core.Output {
  /// The first half of feeding it a value: changes the core, and takes the drain if the value is to be delivered at once.
  ///
  /// A subject's core that does not pass a value while nobody drains keeps it until it is asked for, or throws it away.
  ///
  /// - Returns: Whether ``deliver(taken:)`` is to follow.
  @inlinable func take(_ input: Core.Input, _ leftover: inout Core.Leftover?) -> Bool {
    state.withLock { state in
      if !state.draining, state.core?.apply({ $0.pass(input) }) != nil {
        state.draining = true
        return true
      }
      leftover = state.core?.apply { $0.receive(input) }
      return false
    }
  }

  /// The second half, unless a subscriber before it has cancelled this one.
  @inlinable func deliver(taken output: Core.Output) {
    guard !cancelled.load(ordering: .relaxed) else {
      outlet.subscriber = nil
      return
    }
    var answer = Answer(inlet: -1)
    var out = Operators.Outbox<Core>()
    if let first = deliver(output, &out, &answer) { drain(first, &out, &answer) }
  }
}

/// The lines that do not deliver a value at once; none of them, as a rule, so that it costs nothing then.
@usableFromInline
struct SkippedLines<Leftover> {
  @usableFromInline var isEmpty = true
  @usableFromInline var first: UInt64 = 0  // of the first 64, without memory of its own
  @usableFromInline var others: Set<Int>?
  @usableFromInline var leftovers: [Leftover]?

  @inlinable init() {}

  @inline(never) @inlinable mutating func insert(_ index: Int, _ leftover: Leftover?) {
    isEmpty = false
    if index < 64 { first |= 1 << UInt64(index) } else { others = others ?? [] }
    if index >= 64 { others?.insert(index) }
    if let leftover, MemoryLayout<Leftover>.size > 0 {
      leftovers = leftovers ?? []
      leftovers?.append(leftover)
    }
  }

  @inlinable func contains(_ index: Int) -> Bool {
    index < 64 ? first & (1 << UInt64(index)) != 0 : others?.contains(index) == true
  }
}

/// What a subject's subscription shows of itself: Combine's subjects differ in it.
@usableFromInline
enum Portrait {
  case demand, anyDemand, downstreamAlone

  @usableFromInline
  func children(parent: AnyObject?, downstream: Any?, demand: Subscribers.Demand) -> [Mirror.Child] {
    let downstream: Mirror.Child = ("downstream", downstream as Any)
    let shown: Mirror.Child
    switch self {
    case .demand: shown = ("demand", demand)
    case .anyDemand: shown = ("hasAnyDemand", demand != .none)
    case .downstreamAlone: return [downstream]
    }
    return [("parent", parent as Any), downstream, shown, ("subject", parent as Any)]
  }
}

/// A subscriber's tie to its subject, which the line treats as its upstream.
@usableFromInline
final class SubjectLink<Core: Operators.SingleInputCore, Memory>: Subscription where Core.Effect == Never {
  @usableFromInline let broadcast: Broadcast<Core, Memory>
  @usableFromInline let line: Broadcast<Core, Memory>.Line
  @usableFromInline let subject: AnyObject
  @usableFromInline let subscriber: AnySubscriber<Core.Output, Core.Failure>

  @inlinable init(
    _ broadcast: Broadcast<Core, Memory>, _ line: Broadcast<Core, Memory>.Line, _ subject: AnyObject,
    _ subscriber: AnySubscriber<Core.Output, Core.Failure>
  ) {
    self.broadcast = broadcast
    self.line = line
    self.subject = subject
    self.subscriber = subscriber
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) { broadcast.want() }
  @usableFromInline func cancel() { broadcast.remove(line) }
}
