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
    /// Nil for one that is still on its way into a fork that runs.
    var subscriber: AnySubscriber<Reading, Never>?
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
    /// Whether a run is on its way to the branches.
    var isGiving = false
    /// What is to be done between two runs.
    var joins: [Join] = []
    /// By stream, the readings that every branch got; empty if nobody asks for it.
    var passed: [Int]

    init(counting streams: Int) { passed = Array(repeating: 0, count: streams) }

    /// A branch gets what comes from now on.
    mutating func join(_ join: Join) {
      branches[join.number]?.subscriber = join.subscriber
      // What upstream was asked for comes to it, too.
      let demand = max(branches[join.number]?.demand ?? .none, coming)
      branches[join.number]?.demand = demand
      join.begin(coming, passed)
    }

    /// What every branch wants beyond what is coming; none if there is nothing to ask for.
    mutating func ask() -> Subscribers.Demand {
      guard upstream != nil, !isOver else { return .none }
      let wanted = branches.lazy.compactMap { $0?.subscriber == nil ? nil : $0?.demand }.min() ?? .none
      guard coming != .unlimited, wanted > coming else { return .none }
      let more = wanted == .unlimited ? wanted : wanted - (coming.max ?? 0)
      coming = wanted
      return more
    }
  }

  /// A branch on its way into a fork that runs.
  private struct Join {
    var number: Int
    var subscriber: AnySubscriber<Reading, Never>
    var begin: Begin
  }

  /// Called between two runs, before the first of them that a branch gets, under the lock of the fork.
  /// - Parameters:
  ///   - promised: What comes without its request.
  ///   - passed: By stream, the readings that the other branches have got.
  typealias Begin = (_ promised: Subscribers.Demand, _ passed: [Int]) -> Void

  private let state: Locked<State>

  /// - Parameter streams: The number of streams whose readings are counted, for branches that come later.
  init(counting streams: Int = 0) { state = Locked(State(counting: streams)) }

  /// One of the branches. All must be subscribed to before upstream is.
  var branch: AnyPublisher<Reading, Never> { AnyPublisher(BranchPublisher(fork: self, begin: nil)) }

  /// A branch that is subscribed to while the fork runs.
  func laterBranch(_ begin: @escaping Begin) -> AnyPublisher<Reading, Never> {
    AnyPublisher(BranchPublisher(fork: self, begin: begin))
  }

  /// By stream, the readings that every branch has got so far.
  var passed: [Int] { state.withLock { $0.passed } }

  /// Whether upstream was asked for everything. Then a branch that wants less cannot come.
  var isUnlimited: Bool { state.withLock { $0.coming == .unlimited } }

  private struct BranchPublisher: Publisher {
    typealias Output = Reading
    typealias Failure = Never

    let fork: Fork
    let begin: Begin?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
      let number = fork.state.withLock { state in
        state.branches.append(Branch(subscriber: begin == nil ? AnySubscriber(subscriber) : nil))
        return state.branches.count - 1
      }
      subscriber.receive(subscription: BranchSubscription(fork: fork, number: number))
      guard let begin else { return }
      fork.join(Join(number: number, subscriber: AnySubscriber(subscriber), begin: begin))
    }
  }

  private func join(_ join: Join) {
    let (upstream, more, isOver) = state.withLock { state in
      guard !state.isOver else { return ((any Subscription)?.none, Subscribers.Demand.none, true) }
      guard !state.isGiving else {
        state.joins.append(join)
        return (nil, .none, false)
      }
      state.join(join)
      return (state.upstream, state.ask(), false)
    }
    if isOver { join.subscriber.receive(completion: .finished) }
    if more != .none { upstream?.request(more) }
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
      for number in state.branches.indices where state.branches[number]?.subscriber != nil {
        state.branches[number]?.demand -= run.count
      }
      if !state.passed.isEmpty { Self.count(run, &state.passed) }
      state.isGiving = true
      return state.branches.count
    }
    for number in 0..<count {
      guard let subscriber = subscriber(number) else { continue }
      let taken = subscriber._receive(run: run) { self.subscriber(number) != nil }
      state.withLock { $0.branches[number]?.demand += taken.demand }
    }
    return state.withLock { state in
      state.isGiving = false
      for join in state.joins { state.join(join) }
      state.joins = []
      return Operators.Taken(count: run.count, demand: state.ask(), isOver: state.isOver)
    }
  }

  private static func count(_ run: ArraySlice<Reading>, _ passed: inout [Int]) {
    run.withUnsafeBufferPointer { readings in
      readings.forEachStream { stream, readings in
        if Int(stream.index) < passed.count { passed[Int(stream.index)] += readings.count }
      }
    }
  }

  private func subscriber(_ number: Int) -> AnySubscriber<Reading, Never>? {
    state.withLock { $0.branches[number]?.subscriber }
  }

  func receive(completion: Subscribers.Completion<Never>) {
    let subscribers = state.withLock { state in
      let joining = state.joins.map(\.subscriber)
      defer {
        (state.isOver, state.upstream, state.joins) = (true, nil, [])
        state.branches = state.branches.map { _ in nil }
      }
      return state.branches.compactMap { $0?.subscriber } + joining
    }
    for subscriber in subscribers { subscriber.receive(completion: completion) }
  }
}
