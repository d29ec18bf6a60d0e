public import DequeModule
public import Sluice

extension Publisher where Output: Sequence {
  /// Publishes the elements of each sequence, one after the other.
  ///
  /// Use it after an operator that gathers, for a subscriber that takes elements one at a time.
  ///
  /// ```swift
  /// import Sluice
  /// import SluiceExtras
  ///
  /// [[1, 2], [], [3]].publisher.joined().sink { print($0) }  // 1 2 3
  /// ```
  ///
  /// A finish waits until all elements are delivered. An array is kept as it is; any other sequence is copied into an
  /// array when it arrives, so it must be finite.
  ///
  /// - Parameter ahead: The number of sequences that are asked for at a time; less than one counts as one. A larger number
  ///   lets upstream work in longer runs, which is faster if the sequences are short.
  ///
  /// - Demand: Asks for `ahead` sequences when all elements of those before have been delivered, or for everything if
  ///   downstream wants everything.
  /// - Thread: Where the upstream already delivering does, or where downstream requests: see Threads in `Sluice`.
  /// - Memory: Keeps as many sequences as were asked for.
  /// - Failure: Upstream's overtakes the elements that wait.
  @inlinable public func joined(ahead: Int = 1) -> Publishers.Joined<Self> {
    Publishers.Joined(upstream: self, ahead: ahead)
  }
}

extension Publishers {
  /// Publishes the elements of each sequence, one after the other.
  public struct Joined<Upstream: Publisher>: _DirectPublisher where Upstream.Output: Swift.Sequence {
    /// The type of the values that it publishes.
    public typealias Output = Upstream.Output.Element
    /// The type of upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The publisher that this one gets its values from.
    public let upstream: Upstream
    /// The number of sequences that are asked for at a time.
    public let ahead: Int

    @inlinable init(upstream: Upstream, ahead: Int) {
      self.upstream = upstream
      self.ahead = Swift.max(ahead, 1)
    }

    /// Attaches a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      // An array that is through goes out as an effect, so that it is let go of outside the lock.
      let conduit = Operators.Conduit("Joined", JoinedCore<Output, Failure>(ahead: ahead), subscriber) { _, _ in }
      upstream._attach(JoinedInlet<Upstream.Output, S>(conduit))
    }
  }
}

/// The upstream side: makes arrays of the sequences outside the conduit's lock, because a sequence is the user's code.
@usableFromInline
struct JoinedInlet<Input: Swift.Sequence, Downstream: Subscriber>: Subscriber, Operators.Description
where Downstream.Input == Input.Element {
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline typealias Core = JoinedCore<Input.Element, Failure>

  @usableFromInline let inlet: Operators.Inlet<Operators.OnlyPort<Core>, Downstream>

  @inlinable init(_ conduit: Operators.Conduit<Core, Downstream>) {
    inlet = Operators.Inlet(conduit, Operators.OnlyPort())
  }

  @usableFromInline var name: StaticString { inlet.name }
  @inlinable var combineIdentifier: CombineIdentifier { inlet.combineIdentifier }

  @inlinable func receive(subscription: any Subscription) { inlet.receive(subscription: subscription) }
  @inlinable func receive(_ input: Input) -> Subscribers.Demand { inlet.receive(Array(input)) }
  @inlinable var _takesRuns: Bool { true }
  @inlinable func _receive(run: ArraySlice<Input>) -> Operators.Taken {
    inlet._receive(run: run.map { Array($0) }[...])
  }
  @inlinable func receive(completion: Subscribers.Completion<Failure>) { inlet.receive(completion: completion) }
}

@usableFromInline
struct JoinedCore<Element, Failure: Error>: Operators.SingleInputCore {
  @usableFromInline typealias Input = [Element]
  @usableFromInline typealias Output = Element
  @usableFromInline typealias Effect = [Element]

  @usableFromInline var current: [Element] = []
  @usableFromInline var position = 0
  @usableFromInline var following: Deque<[Element]> = []
  @usableFromInline let ahead: Int
  @usableFromInline var wanted = WantedInputs()
  @usableFromInline var givesRuns = false
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable init(ahead: Int) { self.ahead = ahead }

  @inlinable var demand: Subscribers.Demand { wanted.demand }

  @inlinable mutating func request(_ more: Subscribers.Demand) { wanted.demand += more }

  @inlinable mutating func receive(_ input: [Element]) {
    guard end == nil else { return }
    wanted.received()
    if position == current.count, current.isEmpty, following.isEmpty {
      current = input
    } else {
      following.append(input)
    }
  }

  @inlinable static var takesRuns: Bool { true }

  @inlinable mutating func receive(run: inout ArraySlice<[Element]>, _: inout [Void]) {
    while let input = run.popFirst() {
      receive(input)
      // Its elements come before the next sequence is asked for, or counted as asked for.
      if wanted.demand != .none { return }
    }
  }

  @inlinable mutating func giveRuns() { givesRuns = true }

  @inlinable mutating func takeRun() -> [Element] {
    let rest = current[position...].prefix(wanted.demand.max ?? .max)
    position += rest.count
    wanted.demand -= rest.count
    return rest.count == current.count ? current : Array(rest)
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if case .failure(let error)? = end { return out.complete(.failure(error)) }
    while true {
      if position < current.count {
        guard wanted.demand != .none else { return nil }
        if givesRuns, current.count - position > 1 { return .deliverRun }
        wanted.demand -= 1
        defer { position += 1 }
        return out.deliver(current[position])
      }
      if position > 0 {
        let spent = current
        current = []
        position = 0
        return out.perform(spent)
      }
      guard let input = following.popFirst() else { break }
      current = input
    }
    if end != nil { return out.complete(.finished) }
    guard wanted.demand != .none, wanted.coming == .none else { return nil }
    wanted.coming = wanted.demand == .unlimited ? .unlimited : .max(ahead)
    return .request(wanted.coming, inlet: 0)
  }
}
