public import Synchronization

/// The common part of the subjects: the lines to their subscribers, a memory, the end, and their upstreams.
@usableFromInline
package final class Broadcast<Core: Operators.SingleInputCore, Memory>: @unchecked Sendable where Core.Effect == Never {
  // The lock protects its state.

  @usableFromInline package typealias Line = Operators.Conduit<Core, AnySubscriber<Core.Output, Core.Failure>>
  @usableFromInline package typealias Completion = Subscribers.Completion<Core.Failure>

  @usableFromInline package struct State {
    @usableFromInline package var memory: Memory
    @usableFromInline package var lines: [Line] = []
    @usableFromInline package var end: Completion?
    @usableFromInline package var upstreams: [any Subscription] = []
    /// Whether values are requested from upstreams: from the start, or after a subscriber has requested some.
    @usableFromInline package var wanted: Bool

    @inlinable package init(_ memory: Memory, wanted: Bool) {
      self.memory = memory
      self.wanted = wanted
    }
  }

  @usableFromInline package let name: StaticString
  @usableFromInline package let portrait: Portrait
  @usableFromInline package let state: Locked<State>

  /// - Parameters:
  ///   - waitsForDemand: Whether values are requested from upstreams only after a subscriber has requested some.
  ///   - portrait: The content for mirrors of the subscriptions.
  @inlinable package init(
    _ name: StaticString, memory: Memory, waitsForDemand: Bool, portrait: Portrait = .demand
  ) {
    self.name = name
    self.portrait = portrait
    state = Locked(State(memory, wanted: !waitsForDemand))
  }

  /// Cancels the upstreams. Call it when the subject is released.
  @inlinable package func close() {
    for upstream in state.withLock({ $0.upstreams }) { upstream.cancel() }
  }

  /// - Parameters:
  ///   - subject: An object that lives as long as the subscription.
  ///   - makeCore: Makes the core of the new line; nil if only the end will come.
  @inlinable package func subscribe<S: Subscriber>(
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

  @inlinable package func send(completion: Completion) {
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

  @inlinable package func send(subscription: any Subscription) {
    let (wanted, gone) = state.withLock { state in
      // Upstreams that have ended, of a publisher that was connected repeatedly. They are released outside the lock.
      let gone = state.upstreams.filter { ($0 as? any SubjectUpstream)?.isOver == true }
      if !gone.isEmpty { state.upstreams.removeAll { ($0 as? any SubjectUpstream)?.isOver == true } }
      state.upstreams.append(subscription)
      return (state.wanted, gone)
    }
    withExtendedLifetime(gone) {}
    if wanted { subscription.request(.unlimited) }
  }

  /// Notes that a subscriber wants values.
  @inlinable package func want() {
    let upstreams = state.withLock { state -> [any Subscription] in
      guard !state.wanted else { return [] }
      state.wanted = true
      return state.upstreams
    }
    for upstream in upstreams { upstream.request(.unlimited) }
  }

  @inlinable package func remove(_ line: Line) { state.withLock { $0.lines.removeAll { $0 === line } } }
}

extension Broadcast where Core.Input == Core.Output {
  /// Changes the memory and gives the value to every line, in one step. A value that is sent during this, by this
  /// thread or another, comes after it on each line. The delivery happens outside the lock.
  ///
  /// - Parameters:
  ///   - isLate: Whether the memory changes even after the end.
  ///   - remember: Changes the memory. Its result is released outside the lock.
  @inlinable package func send<R>(_ input: Core.Input, late isLate: Bool = false, _ remember: (inout Memory) -> R) {
    var skipped: SkippedLines<Core.Leftover>?
    let (lines, former) = state.withLock { state -> ([Line], R?) in
      guard isLate || state.end == nil else { return ([], nil) }
      for index in state.lines.indices {
        // The array keeps its lines alive, so each can be used without counting a reference.
        Unmanaged.passUnretained(state.lines[index])._withUnsafeGuaranteedRef { line in
          var leftover: Core.Leftover?
          if !line.take(input, &leftover) { SkippedLines.insert(index, leftover, &skipped) }
        }
      }
      return (state.lines, remember(&state.memory))
    }
    withExtendedLifetime(former) {}
    withExtendedLifetime(lines) {
      for index in lines.indices where skipped?.contains(index) != true {
        Unmanaged.passUnretained(lines[index])._withUnsafeGuaranteedRef { $0.deliver(taken: input) }
      }
    }
  }
}

extension Operators.Conduit where Core: Operators.SingleInputCore, Core.Input == Core.Output {
  /// The first half of sending a value: changes the core, and closes the drain if the value must be delivered at once.
  ///
  /// If a subject's core does not pass a value while nothing is being delivered, it keeps the value until there is
  /// demand, or drops it.
  ///
  /// - Returns: Whether ``deliver(taken:)`` must follow.
  @inlinable package func take(_ input: Core.Input, _ leftover: inout Core.Leftover?) -> Bool {
    state.withLock { state in
      if !state.draining, state.core?.apply({ $0.pass(input) }) != nil {
        state.draining = true
        return true
      }
      leftover = state.core?.apply { $0.receive(input) }
      return false
    }
  }

  /// The second half of sending a value, unless an earlier subscriber has cancelled this one.
  @inlinable package func deliver(taken output: Core.Output) {
    guard !cancelled.load(ordering: .relaxed) else {
      outlet.subscriber = nil
      return
    }
    var answer = Answer(inlet: -1)
    var out = Operators.Outbox<Core>()
    if let first = deliver(output, &out, &answer) { drain(first, &out, &answer) }
  }
}

/// The lines that do not deliver a value at once. Usually there are none.
@usableFromInline
package struct SkippedLines<Leftover> {
  @usableFromInline package var first: UInt64 = 0  // of the first 64 lines, without an allocation
  @usableFromInline package var others: Set<Int> = []
  @usableFromInline package var leftovers: [Leftover] = []

  @inlinable package init() {}

  @inline(never) @inlinable package static func insert(_ index: Int, _ leftover: Leftover?, _ lines: inout Self?) {
    var skipped = lines.take() ?? Self()
    if index < 64 { skipped.first |= 1 << UInt64(index) } else { skipped.others.insert(index) }
    if let leftover, MemoryLayout<Leftover>.size > 0 { skipped.leftovers.append(leftover) }
    lines = skipped
  }

  @inlinable package func contains(_ index: Int) -> Bool {
    index < 64 ? first & (1 << UInt64(index)) != 0 : others.contains(index)
  }
}

/// The mirror of a subject's subscription. Combine's subjects have different ones.
@usableFromInline
package enum Portrait {
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

/// A subscriber's connection to its subject. The line treats it as its upstream.
@usableFromInline
package final class SubjectLink<Core: Operators.SingleInputCore, Memory>: Subscription where Core.Effect == Never {
  @usableFromInline package let broadcast: Broadcast<Core, Memory>
  @usableFromInline package let line: Broadcast<Core, Memory>.Line
  @usableFromInline package let subject: AnyObject
  @usableFromInline package let subscriber: AnySubscriber<Core.Output, Core.Failure>

  @inlinable package init(
    _ broadcast: Broadcast<Core, Memory>, _ line: Broadcast<Core, Memory>.Line, _ subject: AnyObject,
    _ subscriber: AnySubscriber<Core.Output, Core.Failure>
  ) {
    self.broadcast = broadcast
    self.line = line
    self.subject = subject
    self.subscriber = subscriber
  }

  @usableFromInline package func request(_ demand: Subscribers.Demand) { broadcast.want() }
  @usableFromInline package func cancel() { broadcast.remove(line) }
}
