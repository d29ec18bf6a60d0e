import DequeModule

/// The requests of a ``Conduit`` with many upstreams: the current one, and those that wait for it.
///
/// A synchronous upstream sends before the request returns. What it sends leads to the next upstream's request. If requests
/// were nested, each would use more stack, and there may be thousands. So a second request waits until the first has
/// returned.
///
/// The first may never return, or only after a long time. So after 8 events the waiting requests are made while it still
/// runs. Each nested level waits for twice as many events, so the depth of the stack grows only with the logarithm of the
/// number of values.
///
/// A request on another thread does not delay those on this thread. It uses no stack here, and may itself wait for this
/// thread. So while one thread makes a request, requests on other threads are made at once, and may be nested.
@usableFromInline
struct Asking {
  /// A request that has not returned.
  @usableFromInline struct Turn: Sendable {
    fileprivate let thread: UInt
    fileprivate let inlet: Int
    fileprivate let level: Int
    fileprivate var events = 0  // while others wait

    fileprivate static let none = Turn(thread: 0, inlet: -1, level: -1)

    fileprivate var exists: Bool { thread != 0 }
    fileprivate var isLasting: Bool { events >= 8 << min(level, 32) }

    fileprivate func nested(_ inlet: Int) -> Turn { Turn(thread: thisThread, inlet: inlet, level: level + 1) }
  }

  private var turn = Turn.none
  private var waiting: Deque<Int> = []  // inlets with waiting requests, and perhaps some without
  private var owed: [Subscribers.Demand] = []  // the demand of these requests, by inlet
  @usableFromInline private(set) var othersWait = false  // read for each value

  @usableFromInline init() {}

  /// Begins a request, or lets it wait.
  /// - Returns: Whether to make it now. And the value to pass to ``end(_:)`` when it has returned; if it is nil, do not
  ///   call that.
  @usableFromInline mutating func begin(_ inlet: Int, _ demand: Subscribers.Demand) -> (isNow: Bool, former: Turn?) {
    if turn.exists {
      // If an upstream is asked again, it continues in the loop in which it sends.
      if turn.inlet == inlet || turn.thread != thisThread { return (true, nil) }
      if !turn.isLasting {
        wait(inlet, demand)
        return (false, nil)
      }
    }
    let former = turn
    turn = former.nested(inlet)
    return (true, former)
  }

  private mutating func wait(_ inlet: Int, _ demand: Subscribers.Demand) {
    while owed.count <= inlet { owed.append(.none) }
    if owed[inlet] == .none { waiting.append(inlet) }
    owed[inlet] += demand
    othersWait = true
  }

  /// Call it when a request has returned.
  /// - Returns: The next request to make, before this is called again.
  @usableFromInline mutating func end(_ former: Turn) -> (inlet: Int, demand: Subscribers.Demand)? {
    turn = former
    guard !former.exists, let next = popWaiting() else { return nil }
    turn = former.nested(next.inlet)
    return next
  }

  /// Counts an event.
  /// - Returns: The oldest waiting request, if it must not wait any longer.
  @usableFromInline mutating func countEvent() -> (inlet: Int, demand: Subscribers.Demand)? {
    turn.events += 1
    return turn.isLasting ? popWaiting() : nil
  }

  private mutating func popWaiting() -> (inlet: Int, demand: Subscribers.Demand)? {
    defer { othersWait = !waiting.isEmpty }
    while let inlet = waiting.popFirst() {
      let demand = owed[inlet]
      owed[inlet] = .none
      if demand != .none { return (inlet, demand) }
    }
    return nil
  }

  /// Drops the waiting request of an inlet: the next upstream of this inlet must not get it.
  @usableFromInline mutating func forget(_ inlet: Int) {
    if inlet < owed.count { owed[inlet] = .none }
  }

  @usableFromInline mutating func forgetAll() {
    waiting = []
    owed = []
    othersWait = false
  }
}
