import Sluice
import SluiceReadings

/// A place in a pipeline whose stages can be exchanged for others while readings pass them.
///
/// An exchange comes between two runs. The former stages are told that they end, so that what they hold comes out, in order.
/// Then the new ones get what follows. So each reading passes either the former or the new stages: none is lost, and none
/// comes twice. What upstream was asked for already is kept until the new stages want it.
///
/// - Thread: Delivers on the thread of upstream, of a request, or of an exchange. Any thread may exchange and cancel.
final class StageExchange: Subscriber, @unchecked Sendable {
  // `state` has its lock.

  typealias Input = Reading
  typealias Failure = Never
  /// Puts stages behind readings.
  /// - Parameter ended: Returns the time at which they end for the sake of others; nil before that, and if only the
  ///   recording ends.
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
    /// The stages that get readings, or that are about to end.
    var chain: Chain?
    /// The first of them.
    var inner: AnySubscriber<Reading, Never>?
    var next: [Exchange] = []
    /// What is told when the stages that are about to be made are there.
    var done: (@Sendable (Bool) -> Void)?
  }

  private let state = Locked(State())
  private let first: Make

  init(_ make: @escaping Make) { first = make }

  // MARK: Exchanging

  /// Exchanges the stages.
  /// - Parameter done: Called once: with true when the new stages are there, and with false if everything ended before. If
  ///   downstream wants nothing, the former stages stay until it takes what they hold.
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

  /// Readings come that this place has not asked for, because they had been asked for before it was there.
  func promise(_ demand: Subscribers.Demand) { state.withLock { $0.machine.promise(demand) } }

  /// Does what there is to do. The machine lets one thread at a time do it.
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
        let exchange = state.withLock { state in state.next.isEmpty ? nil : state.next.removeFirst() }
        guard let exchange else { continue }
        state.withLock { $0.done = exchange.done }
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

  /// How the next stages are made. Only the thread that works uses it.
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
    // What is let go of may run foreign code, so it is released after the lock.
    let former = state.withLock { state in
      var former = State()
      swap(&former, &state)
      state.machine.cancel()
      // The thread that works finds that everything is over.
      return former
    }
    former.chain?.outer?.cancel()
    former.upstream?.cancel()
    for exchange in former.next { exchange.done(false) }
    former.done?(false)
  }

  // MARK: The stages

  /// The stages of a time: what stands before them and behind them.
  fileprivate final class Chain: @unchecked Sendable {
    // The lock of the exchange protects `outer`.

    let exchange: StageExchange
    /// The subscription behind the last of them.
    var outer: (any Subscription)?
    /// When they end for the sake of others.
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
        // A stage that has ended may still have its subscription.
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

  /// What the first stage subscribes to.
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
    // Downstream has cancelled, which the exchange knows.
    func cancel() {}
  }

  /// What stands behind the last stage.
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

/// Readings behind the stages of a ``StageExchange``. It has one subscriber.
struct Exchanged: Publisher {
  typealias Output = Reading
  typealias Failure = Never

  fileprivate let exchange: StageExchange
  fileprivate let upstream: AnyPublisher<Reading, Never>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
    exchange.connect(AnySubscriber(subscriber), to: upstream)
  }
}
