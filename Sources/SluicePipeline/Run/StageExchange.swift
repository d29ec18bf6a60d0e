import Sluice
import SluiceReadings

/// A place in a pipeline whose stages can be exchanged for others while readings pass them.
///
/// An exchange happens between two runs. First the old stages are told to end, so that they pass on the readings that
/// they hold, in order. Then the new stages get the readings that follow. So each reading passes either the old or the
/// new stages: no reading is lost, and none comes twice. Readings that were already requested from upstream are kept
/// until the new stages want them.
///
/// - Thread: Delivers readings on the thread of upstream, of a request, or of an exchange. Any thread may exchange and
///   cancel.
final class StageExchange: Subscriber, @unchecked Sendable {
  // `state` has its lock.

  typealias Input = Reading
  typealias Failure = Never
  /// Puts stages behind readings.
  /// - Parameter ended: Returns the time at which the stages end because others replace them; nil before that time, and
  ///   if they end with the recording.
  typealias Make = (
    _ readings: AnyPublisher<Reading, Never>, _ ended: @escaping @Sendable () -> Int64?
  ) -> AnyPublisher<Reading, Never>

  private struct Exchange {
    var make: Make
    var done: @Sendable (Bool) -> Void
  }

  private struct State {
    var machine = ExchangeMachine()
    var upstream: (any Subscription)?
    var downstream: AnySubscriber<Reading, Never>?
    /// The stages that get readings, or that were told to end.
    var chain: Chain?
    /// The first of these stages.
    var inner: AnySubscriber<Reading, Never>?
    var next: [Exchange] = []
    /// Called when the next stages have been made.
    var done: (@Sendable (Bool) -> Void)?
  }

  private let state = Locked(State())
  private let first: Make

  init(_ make: @escaping Make) { first = make }

  // MARK: Exchanging

  /// Exchanges the stages.
  /// - Parameter done: Called once: with true when the new stages have been made, and with false if the pipeline ended
  ///   before. If downstream wants no readings, the old stages stay until downstream takes the readings that they hold.
  func exchange(_ make: @escaping Make, _ done: @escaping @Sendable (Bool) -> Void) {
    let (begins, isOver) = state.withLock { state in
      guard !state.machine.isOver else { return (false, true) }
      state.next.append(Exchange(make: make, done: done))
      state.machine.exchange()
      return (state.machine.begin(), false)
    }
    if isOver { done(false) }
    if begins { work() }
  }

  /// Notes readings that come without a request of this place, because they were requested before it existed.
  func promise(_ demand: Subscribers.Demand) { state.withLock { $0.machine.promise(demand) } }

  /// Performs the steps of the machine, which lets one thread at a time do so.
  private func work() {
    while true {
      let (step, chain, inner, upstream) = state.withLock { state in
        (state.machine.next(), state.chain, state.inner, state.upstream)
      }
      switch step {
      case .deliver(let run):
        let more = deliver(run, chain, inner)
        state.withLock { $0.machine.want(more) }
      case .exchange(let time):
        let exchange = state.withLock { state -> Exchange? in
          guard !state.next.isEmpty else { return nil }
          let exchange = state.next.removeFirst()
          state.done = exchange.done
          return exchange
        }
        guard let exchange else { continue }
        make = exchange.make
        chain?.end.withLock { $0 = time }
        inner?.receive(completion: .finished)
      case .finish: inner?.receive(completion: .finished)
      case .make: makeChain()
      case .request(let demand): upstream?.request(demand)
      case .rest: return
      }
    }
  }

  private func deliver(
    _ run: ArraySlice<Reading>, _ chain: Chain?, _ inner: AnySubscriber<Reading, Never>?
  ) -> Subscribers.Demand {
    inner?._receive(run: run) { chain?.isCurrent ?? false }.demand ?? .none
  }

  /// Makes the next stages. Only the thread that performs steps uses it.
  private var make: Make?

  private func makeChain() {
    let chain = Chain(self)
    let done = state.withLock { state in
      state.chain = chain
      defer { state.done = nil }
      return state.done
    }
    let make = make ?? first
    self.make = nil
    make(AnyPublisher(ChainInput(chain: chain)), { [end = chain.end] in end.withLock { $0 } }).subscribe(Outlet(chain))
    done?(true)
  }

  // MARK: Subscriber

  func receive(subscription: any Subscription) {
    let isWanted = state.withLock { state in
      guard state.upstream == nil, !state.machine.isOver else { return false }
      state.upstream = subscription
      state.machine.connect()
      return true
    }
    guard isWanted else { return subscription.cancel() }
    workIfIdle()
  }

  func receive(_ reading: Reading) -> Subscribers.Demand { _receive(run: [reading]).demand }

  var _takesRuns: Bool { true }

  func _receive(run: ArraySlice<Reading>) -> Operators.Taken {
    let (count, chain, inner, begins, isOver) = state.withLock { state in
      let count = state.machine.receive(run)
      return (count, state.chain, state.inner, count == 0 && state.machine.begin(), state.machine.isOver)
    }
    if isOver {
      if begins { work() }
      return Operators.Taken(count: 0, demand: .none, isOver: true)
    }
    var answer = Subscribers.Demand.none
    if count > 0 {
      let more = deliver(run.prefix(count), chain, inner)
      let ask = state.withLock { state in
        state.machine.want(more)
        return state.machine.restBehindRun()
      }
      if let ask { answer = ask } else { work() }
    } else if begins {
      work()
    }
    return Operators.Taken(count: run.count, demand: answer, isOver: state.withLock { $0.machine.isOver })
  }

  func receive(completion: Subscribers.Completion<Never>) {
    state.withLock { state in
      state.upstream = nil
      state.machine.end()
    }
    workIfIdle()
  }

  private func workIfIdle() { if state.withLock({ $0.machine.begin() }) { work() } }

  // MARK: Downstream

  /// The readings behind the stages.
  func publisher(_ upstream: AnyPublisher<Reading, Never>) -> Exchanged {
    Exchanged(exchange: self, upstream: upstream)
  }

  fileprivate func connect(_ downstream: AnySubscriber<Reading, Never>, to upstream: AnyPublisher<Reading, Never>) {
    state.withLock { $0.downstream = downstream }
    downstream.receive(subscription: Downstream(self))
    workIfIdle()
    upstream.subscribe(self)
  }

  fileprivate func request(_ demand: Subscribers.Demand) {
    let outer = state.withLock { state in
      state.machine.request(demand)
      return state.chain?.outer
    }
    outer?.request(demand)
  }

  fileprivate func cancel() {
    // The release of the former state may run foreign code, so it happens outside the lock.
    let former = state.withLock { state in
      var former = State()
      swap(&former, &state)
      state.machine.cancel()
      // The thread that performs steps then finds that the place has ended.
      return former
    }
    former.chain?.outer?.cancel()
    former.upstream?.cancel()
    for exchange in former.next { exchange.done(false) }
    former.done?(false)
  }

  // MARK: The stages

  /// The stages between two exchanges, with their input and their output.
  fileprivate final class Chain: @unchecked Sendable {
    // The lock of the exchange protects `outer`.

    let exchange: StageExchange
    /// The subscription to the last of the stages.
    var outer: (any Subscription)?
    /// The time at which the stages end because others replace them.
    let end = Locked(Int64?.none)

    init(_ exchange: StageExchange) { self.exchange = exchange }

    var isCurrent: Bool { exchange.state.withLock { $0.chain === self } }

    func begin(_ subscriber: AnySubscriber<Reading, Never>) {
      exchange.state.withLock { if $0.chain === self { $0.inner = subscriber } }
    }

    func want(_ demand: Subscribers.Demand) {
      let begins = exchange.state.withLock { state in
        guard state.chain === self else { return false }
        state.machine.want(demand)
        return state.machine.begin()
      }
      if begins { exchange.work() }
    }

    func connect(_ subscription: any Subscription) {
      let demand = exchange.state.withLock { state -> Subscribers.Demand? in
        guard state.chain === self, outer == nil else { return nil }
        outer = subscription
        return state.machine.demand
      }
      guard let demand else { return subscription.cancel() }
      if demand > .none { subscription.request(demand) }
    }

    func handOn(_ run: ArraySlice<Reading>) -> Operators.Taken {
      guard let downstream = exchange.state.withLock({ $0.chain === self ? $0.downstream : nil }) else {
        return Operators.Taken(count: 0, demand: .none, isOver: true)
      }
      var taken = downstream._receive(run: run) { isCurrent }
      taken.isOver =
        taken.isOver
        || exchange.state.withLock { state in
          state.machine.took(taken.count, taken.demand)
          return state.chain !== self
        }
      return taken
    }

    func ended() {
      let (isOver, former, begins) = exchange.state.withLock { state -> (Bool, State, Bool) in
        guard state.chain === self else { return (false, State(), false) }
        if state.machine.stagesEnded() {
          var former = State()
          swap(&former, &state)
          state.machine.cancel()
          return (true, former, false)
        }
        // A stage that has ended may still hold its subscription.
        (outer, state.inner) = (nil, nil)
        return (false, State(), state.machine.begin())
      }
      if isOver {
        former.upstream?.cancel()
        for exchange in former.next { exchange.done(false) }
        former.done?(false)
        former.downstream?.receive(completion: .finished)
      } else if begins {
        exchange.work()
      }
    }
  }

  /// The publisher to which the first stage subscribes.
  private struct ChainInput: Publisher {
    typealias Output = Reading
    typealias Failure = Never

    let chain: Chain

    func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
      chain.begin(AnySubscriber(subscriber))
      subscriber.receive(subscription: ChainSubscription(chain))
    }
  }

  private final class ChainSubscription: Subscription {
    private let chain: Chain
    init(_ chain: Chain) { self.chain = chain }

    func request(_ demand: Subscribers.Demand) { chain.want(demand) }
    // The exchange already knows that downstream has cancelled.
    func cancel() {}
  }

  /// The subscriber behind the last stage.
  private struct Outlet: Subscriber {
    typealias Input = Reading
    typealias Failure = Never

    let chain: Chain
    let combineIdentifier = CombineIdentifier()

    init(_ chain: Chain) { self.chain = chain }

    func receive(subscription: any Subscription) { chain.connect(subscription) }
    func receive(_ reading: Reading) -> Subscribers.Demand { chain.handOn([reading]).demand }
    var _takesRuns: Bool { true }
    func _receive(run: ArraySlice<Reading>) -> Operators.Taken { chain.handOn(run) }
    func receive(completion: Subscribers.Completion<Never>) { chain.ended() }
  }

  private final class Downstream: Subscription {
    private let exchange: StageExchange
    init(_ exchange: StageExchange) { self.exchange = exchange }

    func request(_ demand: Subscribers.Demand) { exchange.request(demand) }
    func cancel() { exchange.cancel() }
  }
}

/// The readings behind the stages of a ``StageExchange``. This publisher has one subscriber.
struct Exchanged: Publisher {
  typealias Output = Reading
  typealias Failure = Never

  fileprivate let exchange: StageExchange
  fileprivate let upstream: AnyPublisher<Reading, Never>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
    exchange.connect(AnySubscriber(subscriber), to: upstream)
  }
}
