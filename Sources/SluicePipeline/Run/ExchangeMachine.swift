import DequeModule
import Sluice
import SluiceReadings

/// What a place with exchangeable stages does next. It is a value: no lock, no thread, no stages.
///
/// A ``StageExchange`` changes it under its lock, and does what it says. One thread at a time does: what comes meanwhile is
/// kept here, and done by that thread.
struct ExchangeMachine {
  enum Phase {
    /// There are no stages, and the next ones are to be made.
    case between
    /// The stages get readings.
    case open
    /// The stages were told that they end. Their last readings are on their way.
    case finishing
    /// The same, because nothing more comes at all.
    case ending
    case over
  }

  enum Step {
    /// Give these to the stages.
    case deliver(ArraySlice<Reading>)
    /// Tell the stages that they end, for the sake of others, at the time of the last reading; nil if there was none.
    case exchange(at: Int64?)
    /// Tell the stages that nothing more comes.
    case finish
    /// Make the stages.
    case make
    case request(Subscribers.Demand)
    /// Nothing to do, and this thread does nothing more.
    case rest
  }

  private(set) var phase = Phase.between
  /// What the stages have asked for and not got.
  private(set) var wanted = Subscribers.Demand.none
  /// What upstream was asked for and has not sent.
  private(set) var coming = Subscribers.Demand.none
  /// What downstream has asked for and not got.
  private(set) var demand = Subscribers.Demand.none
  /// What has come without the demand of the stages. It is never more than upstream was asked for before an exchange.
  private var held: Deque<Reading> = []
  /// The exchanges that wait, with the one that is under way.
  private(set) var waiting = 0
  private var isConnected = false
  private var hasEnded = false
  /// Whether a thread does what there is to do.
  private(set) var isBusy = false
  /// The time of the last reading that the stages got.
  private var last: Int64?

  private static var most: Int { 1_024 }

  var isOver: Bool { phase == .over }
  var heldCount: Int { held.count }

  /// A thread begins to do what there is to do, unless one does.
  /// - Returns: Whether it is this one.
  mutating func begin() -> Bool {
    guard !isBusy else { return false }
    isBusy = true
    return true
  }

  // MARK: Upstream

  mutating func connect() { isConnected = true }

  /// Readings have been promised by another way than a request.
  mutating func promise(_ demand: Subscribers.Demand) { coming = max(coming, demand) }

  /// Takes a run.
  /// - Returns: How many of its readings this thread gives to the stages now. The rest is kept.
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

  /// The stages ask for more.
  mutating func want(_ more: Subscribers.Demand) { if phase == .open { wanted += more } }

  /// The stages have ended.
  /// - Returns: Whether everything has.
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

  /// The demand to request of upstream behind a run that the stages have taken at once, if there is nothing else to do.
  /// - Returns: Nil if there is: then this thread goes on.
  mutating func restBehindRun() -> Subscribers.Demand? {
    guard phase == .open, waiting == 0, held.isEmpty, !hasEnded else { return nil }
    isBusy = false
    return ask()
  }

  // MARK: Downstream

  mutating func request(_ more: Subscribers.Demand) { demand += more }

  /// Downstream has taken readings, and wants more.
  mutating func took(_ count: Int, _ more: Subscribers.Demand) {
    demand -= min(count, demand.max ?? .max)
    demand += more
  }

  mutating func cancel() { (phase, held) = (.over, []) }

  // MARK: What to do

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
