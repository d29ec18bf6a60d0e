import Sluice

/// The upstream, the demand and the pause of a ``RecordingSink``. It is a value: no lock, no thread, no clock.
struct SinkMachine {
  enum Upstream {
    case none
    case connected(any Subscription)
    /// It is being cancelled, and may still deliver.
    case cancelled
    /// Nothing more comes. The outputs write the rest.
    case ended
    /// The waiter for the end was notified.
    case completed
  }

  /// Why an output sets the demand.
  enum Delay {
    case none
    /// An output is behind, so nothing is requested.
    case behind
    /// Nothing new comes, so everything is taken, however much waits for the outputs.
    case draining
  }

  private(set) var upstream = Upstream.none {
    didSet {
      switch upstream {
      case .none, .connected, .cancelled: isOver = false
      case .ended, .completed: isOver = true
      }
    }
  }
  /// Whether upstream has ended. It is kept beside it, because a look at a subscription retains it: 160 instructions per
  /// reading that comes alone.
  private(set) var isOver = false
  private(set) var delay = Delay.none
  /// The pause; nil if there is none.
  private(set) var pausing: PauseMode?
  /// The demand to request when the sink continues.
  private(set) var withheld = Subscribers.Demand.none

  @inline(__always) var isHeldByPause: Bool { pausing != nil && pausing != .discard }
  @inline(__always) private var isHolding: Bool { delay == .behind || isHeldByPause }

  // MARK: Upstream

  /// - Returns: Whether the upstream is accepted.
  mutating func connect(_ subscription: any Subscription, ahead: Int) -> Bool {
    guard case .none = upstream else { return false }
    upstream = .connected(subscription)
    withheld = .max(ahead)
    return true
  }

  /// - Returns: The demand for these readings.
  @inline(__always) mutating func receive(_ count: Int) -> Subscribers.Demand {
    guard isHolding else { return .max(count) }
    withheld += count
    return .none
  }

  /// - Returns: What must be requested from upstream; nil if something still prevents it.
  mutating func goOn() -> (subscription: any Subscription, demand: Subscribers.Demand)? {
    guard case .connected(let subscription) = upstream, !isHolding, withheld != .none else { return nil }
    defer { withheld = .none }
    return (subscription, withheld)
  }

  /// - Returns: The subscription to cancel.
  mutating func cancel() -> (any Subscription)? {
    guard !isOver else { return nil }
    defer { upstream = .cancelled }
    if case .connected(let subscription) = upstream { return subscription }
    return nil
  }

  /// Nothing more comes.
  /// - Returns: Whether this is new.
  mutating func end() -> Bool {
    guard !isOver else { return false }
    upstream = .ended
    return true
  }

  /// - Returns: Whether the waiter for the end must be notified.
  mutating func complete() -> Bool {
    if case .completed = upstream { return false }
    upstream = .completed
    return true
  }

  // MARK: Pause and delay

  mutating func pause(_ mode: PauseMode) { pausing = mode }
  mutating func resume() { pausing = nil }
  mutating func fallBehind() { if delay == .none { delay = .behind } }
  mutating func catchUp() { if delay == .behind { delay = .none } }
  mutating func drain() { delay = .draining }
}
