import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

/// Everything around the operator in one run: sources, probes, clock, and the history that they write.
final class World {
  let schedule: Schedule
  let clock = VirtualClock()
  private var history = History()
  private var taps: [[Tap]] = Array(repeating: [], count: Schedule.sources)
  private var probes: [any ProbeControl] = []
  private var requests = Array(repeating: 0, count: Schedule.sources)
  private var isRecording = true
  private var depth = 0
  private var budget = Schedule.limit

  /// Subscribes a probe.
  var subscribe: ((Int) -> Void)?
  /// Takes what the schedule has source 0 do, where that is a subject.
  var input: ((Act) -> Void)?
  /// Where the row has something to connect.
  var connect: (() -> any Cancellable)?
  private var connection: (any Cancellable)?

  var seams = Seams.none
  /// How many subscribers each seam of the chain has had.
  private var seamed: [Int: Int] = [:]
  var isChain = false

  init(_ schedule: Schedule) { self.schedule = schedule }

  func record(_ entry: @autoclosure () -> History.Entry) {
    if isRecording, history.entries.count < 4 * Schedule.limit { history.entries.append(entry()) }
  }

  // MARK: The schedule

  func perform(_ acts: [Act]) {
    guard isRecording else { return }
    depth += 1
    for act in acts {
      guard budget > 0 else {
        history.isEndless = true
        break
      }
      budget -= 1
      record(.act(act, depth: depth - 1))
      perform(act)
    }
    depth -= 1
  }

  private func perform(_ act: Act) {
    switch act {
    case .subscribe(let probe): subscribe?(probe)
    case .request(let probe, let demand): last(probe)?.request(Subscribers.Demand(act: demand))
    case .cancel(let probe): last(probe)?.cancel()
    case .send(let source, _), .finish(let source), .fail(let source, _), .subscription(let source):
      if source == 0, let input { return input(act) }
      for tap in taps[source] { tap.perform(act) }
    case .advance(let ticks): clock.advance(by: ticks)
    case .connect:
      guard let connect else { return }
      let connection = connect()
      // What letting go of the former one brings must find the new one in place.
      let former = self.connection
      self.connection = connection
      withExtendedLifetime(former) {}
    case .disconnect:
      let connection = connection
      self.connection = nil
      connection?.cancel()
    }
  }

  private func last(_ probe: Int) -> (any ProbeControl)? { probes.last { $0.index == probe } }

  // MARK: The parties

  var isCancelled: Bool { !probes.isEmpty && probes.allSatisfy(\.isCancelled) }

  func add(_ probe: any ProbeControl) { probes.append(probe) }

  /// - Returns: Which subscriber of its source it is.
  func add(_ tap: Tap, at position: Int) -> Int {
    taps[tap.source].append(tap)
    let number = taps[tap.source].count - 1
    record(.belongs(source: tap.source, number, position: position))
    record(.attached(source: tap.source, number))
    return number
  }

  /// - Returns: Which subscriber of the seam it is.
  func addSeam(_ position: Int) -> Int {
    let number = seamed[position, default: 0]
    seamed[position] = number + 1
    record(.attached(source: History.seam(position), number))
    return number
  }

  func requested(_ source: Int) {
    requests[source] += 1
    if let reaction = schedule.onRequest[source].dropFirst(requests[source] - 1).first { perform(reaction.acts) }
  }

  // MARK: The end

  /// Plays the schedule, then lets go of everything and looks at who is left.
  ///
  /// - Parameter token: What the closures of the operator hold.
  func play(_ token: WeakBox) -> History {
    perform(schedule.events)
    perform([.advance(200)])
    isRecording = false
    let isOver = !probes.isEmpty && probes.allSatisfy(\.isOver)
    let downstreams = probes.map(WeakBox.init)
    let upstreams = taps.joined().filter(\.isOver).map(WeakBox.init)
    // Whoever keeps a subscription after its end must keep nothing else alive by it.
    let subscriptions = probes.map { $0.take() }
    if !isOver { for subscription in subscriptions { subscription?.cancel() } }
    for tap in taps.joined() { tap.release() }
    (subscribe, input, connect) = (nil, nil, nil)
    connection = nil
    probes = []
    taps = []
    if isOver {
      alive("probes", downstreams)
      alive("source subscriptions", upstreams)
      alive("closures", [token])
    }
    return withExtendedLifetime(subscriptions) { history }
  }

  private func alive(_ name: String, _ boxes: [WeakBox]) {
    let count = boxes.count { $0.object != nil }
    if count > 0 { history.entries.append(.alive(name, count)) }
  }
}

final class WeakBox {
  weak var object: AnyObject?
  init(_ object: AnyObject) { self.object = object }
}

extension Subscribers.Demand {
  init(act: Int) { self = act == Act.unlimited ? .unlimited : .max(act) }

  var act: Int { max ?? Act.unlimited }
}
