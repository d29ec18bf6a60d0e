public import DequeModule
public import Sluice

extension Publisher where Output: Sequence {
  /// Publishes the elements of each sequence, one after the other.
  ///
  /// Use it after an operator that groups, for a subscriber that takes elements one at a time.
  ///
  /// ```swift
  /// import Sluice
  /// import SluiceExtras
  ///
  /// [[1, 2], [], [3]].publisher.joined().sink { print($0) }  // 1 2 3
  /// ```
  ///
  /// A finish waits until all elements are delivered. An array is kept unchanged. Any other sequence is copied into an
  /// array when it arrives, so it must be finite.
  ///
  /// - Parameter ahead: The number of sequences to request at a time; less than one counts as one. A larger number lets
  ///   upstream work in longer runs, which is faster if the sequences are short.
  ///
  /// - Demand: Asks for `ahead` sequences when all elements of earlier sequences have been delivered, or for everything
  ///   if downstream wants everything.
  /// - Thread: The thread of the upstream already delivering, or of a request: see Threads in `Sluice`.
  /// - Memory: Keeps as many sequences as were requested.
  /// - Failure: Upstream's failure overtakes waiting elements.
  @inlinable public func joined(ahead: Int = 1) -> Publishers.Joined<Self> {
    Publishers.Joined(upstream: self, ahead: ahead)
  }
}

extension Publishers {
  /// Publishes the elements of each sequence, one after the other.
  public struct Joined<Upstream: Publisher>: _DirectPublisher where Upstream.Output: Swift.Sequence {
    public typealias Output = Upstream.Output.Element
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The number of sequences to request at a time.
    public let ahead: Int

    @inlinable init(upstream: Upstream, ahead: Int) {
      self.upstream = upstream
      self.ahead = Swift.max(ahead, 1)
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      // A finished array becomes an effect, so that it is released outside the lock.
      let conduit = Operators.Conduit("Joined", JoinedCore<Output, Failure>(ahead: ahead), subscriber) { _, _ in }
      upstream._attach(JoinedInlet<Upstream.Output, S>(conduit))
    }
  }
}

/// The upstream side. It makes arrays from sequences outside the conduit's lock, because a sequence is foreign code.
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
      // Its elements come before the next sequence is requested, or counted as requested.
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
