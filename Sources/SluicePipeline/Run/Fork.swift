import Sluice
import SluiceReadings

/// Gives the same readings to several branches, each with its own demand.
///
/// It asks for as many readings as every branch still wants. So a branch that wants no more holds the others, unless a
/// buffer of its own wants everything.
///
/// - Thread: Delivers on the thread of upstream. Any thread may request and cancel.
final class Fork: Subscriber, @unchecked Sendable {
  // `state` has its lock.

  typealias Input = Reading
  typealias Failure = Never

  private struct Branch {
    var subscriber: AnySubscriber<Reading, Never>
    /// The readings that it wants and has not received.
    var demand = Subscribers.Demand.none
  }

  private struct State {
    var upstream: (any Subscription)?
    /// By number; nil for one that has cancelled.
    var branches: [Branch?] = []
    /// The readings that upstream was asked for and has not sent.
    var coming = Subscribers.Demand.none
    var isOver = false

    /// What every branch wants beyond what is coming; none if there is nothing to ask for.
    mutating func ask() -> Subscribers.Demand {
      guard upstream != nil, !isOver else { return .none }
      let wanted = branches.lazy.compactMap { $0?.demand }.min() ?? .none
      guard coming != .unlimited, wanted > coming else { return .none }
      let more = wanted == .unlimited ? wanted : wanted - (coming.max ?? 0)
      coming = wanted
      return more
    }
  }

  private let state = Locked(State())

  /// One of the branches. All must be subscribed to before upstream is.
  var branch: AnyPublisher<Reading, Never> { AnyPublisher(BranchPublisher(fork: self)) }

  private struct BranchPublisher: Publisher {
    typealias Output = Reading
    typealias Failure = Never

    let fork: Fork

    func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
      let number = fork.state.withLock { state in
        state.branches.append(Branch(subscriber: AnySubscriber(subscriber)))
        return state.branches.count - 1
      }
      subscriber.receive(subscription: BranchSubscription(fork: fork, number: number))
    }
  }

  private final class BranchSubscription: Subscription {
    private let fork: Fork
    private let number: Int

    init(fork: Fork, number: Int) { (self.fork, self.number) = (fork, number) }

    func request(_ demand: Subscribers.Demand) { fork.request(demand, number) }
    func cancel() { fork.cancel(number) }
  }

  // MARK: Branches

  private func request(_ demand: Subscribers.Demand, _ number: Int) {
    let (upstream, more) = state.withLock { state in
      state.branches[number]?.demand += demand
      return (state.upstream, state.ask())
    }
    if more != .none { upstream?.request(more) }
  }

  private func cancel(_ number: Int) {
    let (upstream, more, isLast, _) = state.withLock { state in
      let branch = state.branches[number]
      state.branches[number] = nil
      let isLast = !state.isOver && state.branches.allSatisfy { $0 == nil }
      if isLast { state.isOver = true }
      // The subscriber is released outside the lock.
      return (state.upstream, state.ask(), isLast, branch)
    }
    if isLast {
      upstream?.cancel()
    } else if more != .none {
      upstream?.request(more)
    }
  }

  // MARK: Subscriber

  func receive(subscription: any Subscription) {
    let (isWanted, more) = state.withLock { state in
      guard state.upstream == nil, !state.isOver else { return (false, Subscribers.Demand.none) }
      state.upstream = subscription
      return (true, state.ask())
    }
    guard isWanted else { return subscription.cancel() }
    if more != .none { subscription.request(more) }
  }

  func receive(_ reading: Reading) -> Subscribers.Demand { _receive(run: [reading]).demand }

  var _takesRuns: Bool { true }

  func _receive(run: ArraySlice<Reading>) -> Operators.Taken {
    let count = state.withLock { state in
      state.coming -= run.count
      for number in state.branches.indices { state.branches[number]?.demand -= run.count }
      return state.branches.count
    }
    for number in 0..<count {
      guard let subscriber = subscriber(number) else { continue }
      let taken = subscriber._receive(run: run) { self.subscriber(number) != nil }
      state.withLock { $0.branches[number]?.demand += taken.demand }
    }
    return state.withLock { Operators.Taken(count: run.count, demand: $0.ask(), isOver: $0.isOver) }
  }

  private func subscriber(_ number: Int) -> AnySubscriber<Reading, Never>? {
    state.withLock { $0.branches[number]?.subscriber }
  }

  func receive(completion: Subscribers.Completion<Never>) {
    let branches = state.withLock { state in
      defer { (state.isOver, state.upstream, state.branches) = (true, nil, state.branches.map { _ in nil }) }
      return state.branches
    }
    for branch in branches { branch?.subscriber.receive(completion: completion) }
  }
}
