import DequeModule
import Sluice
import SluiceReadings

/// Decides what a place with exchangeable stages does next. It is a value, without a lock, a thread or stages.
///
/// A ``StageExchange`` changes the machine under a lock, and performs its steps. One thread at a time performs steps:
/// what other threads bring meanwhile is kept here, and that thread performs it too.
struct ExchangeMachine {
  enum Phase {
    /// There are no stages; the next step is to make them.
    case between
    /// The stages get readings.
    case open
    /// The old stages were told to end for an exchange. They still pass on their last readings.
    case finishing
    /// The stages were told to end, because upstream has ended.
    case ending
    case over
  }

  enum Step {
    /// Give these readings to the stages.
    case deliver(ArraySlice<Reading>)
    /// Tell the stages to end, because others replace them, at the time of the last reading; nil if there was no
    /// reading.
    case exchange(at: Int64?)
    /// Tell the stages to end, because upstream has ended.
    case finish
    /// Make the next stages.
    case make
    case request(Subscribers.Demand)
    /// There is nothing to do, so this thread returns.
    case rest
  }

  private(set) var phase = Phase.between
  /// The demand of the stages that is not met yet.
  private(set) var wanted = Subscribers.Demand.none
  /// The readings that were requested from upstream and have not come yet.
  private(set) var coming = Subscribers.Demand.none
  /// The demand of downstream that is not met yet.
  private(set) var demand = Subscribers.Demand.none
  /// The readings that have come without a demand of the stages. Their number is never more than was requested from
  /// upstream before an exchange.
  private var held: Deque<Reading> = []
  /// The number of exchanges that wait.
  private(set) var waiting = 0
  private var isConnected = false
  private var hasEnded = false
  /// Whether a thread performs steps at present.
  private(set) var isBusy = false
  /// The time of the last reading that the stages got.
  private var last: Int64?

  private static var most: Int { 1_024 }

  var isOver: Bool { phase == .over }
  var heldCount: Int { held.count }

  /// Lets this thread begin to perform steps, unless another thread does.
  /// - Returns: Whether this thread begins.
  mutating func begin() -> Bool {
    guard !isBusy else { return false }
    isBusy = true
    return true
  }

  // MARK: Upstream

  mutating func connect() { isConnected = true }

  /// Notes readings that upstream will send without a request.
  mutating func promise(_ demand: Subscribers.Demand) { coming = max(coming, demand) }

  /// Takes a run from upstream.
  /// - Returns: How many readings of the run this thread gives to the stages now. The others are kept.
  mutating func receive(_ run: ArraySlice<Reading>) -> Int {
    coming -= min(run.count, coming.max ?? .max)
    guard phase != .over else { return 0 }
    guard !isBusy, phase == .open, waiting == 0, held.isEmpty else {
      held.append(contentsOf: run)
      return 0
    }
    let count = min(run.count, wanted.max ?? .max)
    if count < run.count { held.append(contentsOf: run.dropFirst(count)) }
    guard count > 0 else { return 0 }
    isBusy = true
    give(run.prefix(count))
    return count
  }

  private mutating func give(_ run: ArraySlice<Reading>) {
    wanted -= run.count
    if let time = run.last?.time { last = time }
  }

  mutating func end() { hasEnded = true }

  // MARK: The stages

  /// Adds demand of the stages.
  mutating func want(_ more: Subscribers.Demand) { if phase == .open { wanted += more } }

  /// Notes that the stages have ended.
  /// - Returns: Whether the whole place has ended.
  mutating func stagesEnded() -> Bool {
    switch phase {
    case .finishing:
      phase = .between
      return false
    case .between, .over: return false
    case .open, .ending:
      phase = .over
      return true
    }
  }

  mutating func exchange() { waiting += 1 }

  /// Ends the work of this thread after a run that the stages have taken at once, if there is nothing else to do.
  /// - Returns: The demand for upstream; nil if there is more to do, so that this thread goes on.
  mutating func restBehindRun() -> Subscribers.Demand? {
    guard phase == .open, waiting == 0, held.isEmpty, !hasEnded else { return nil }
    isBusy = false
    return ask()
  }

  // MARK: Downstream

  mutating func request(_ more: Subscribers.Demand) { demand += more }

  /// Notes that downstream has taken readings, and how many more it wants.
  mutating func took(_ count: Int, _ more: Subscribers.Demand) {
    demand -= min(count, demand.max ?? .max)
    demand += more
  }

  mutating func cancel() { (phase, held) = (.over, []) }

  // MARK: Steps

  private mutating func ask() -> Subscribers.Demand {
    let there = coming + held.count
    guard isConnected, !hasEnded, wanted > there else { return .none }
    let more = wanted - there
    coming += more
    return more
  }

  mutating func next() -> Step {
    switch phase {
    case .between:
      (phase, wanted) = (.open, .none)
      return .make
    case .open:
      if waiting > 0 {
        waiting -= 1
        (phase, wanted) = (.finishing, .none)
        return .exchange(at: last)
      }
      if !held.isEmpty, wanted > .none {
        let count = min(held.count, wanted.max ?? .max, Self.most)
        let run = ArraySlice(held.prefix(count))
        held.removeFirst(count)
        give(run)
        return .deliver(run)
      }
      if hasEnded, held.isEmpty {
        phase = .ending
        return .finish
      }
      let more = ask()
      if more > .none { return .request(more) }
    case .finishing, .ending, .over: break
    }
    isBusy = false
    return .rest
  }
}
