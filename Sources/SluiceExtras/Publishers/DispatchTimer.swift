public import Dispatch
public import Sluice

extension Publishers {
  /// Publishes the time at regular intervals, from a `DispatchSource` timer.
  ///
  /// ```swift
  /// let timer = Publishers.timer(queue: .main, interval: .milliseconds(100), times: .max(6))
  /// let cancellable = timer.sink { print($0.uptimeNanoseconds) }
  /// ```
  ///
  /// It starts with the first demand. The first tick is one interval later. It publishes only while there is demand. A
  /// tick is missed if there was no demand for it, or if the system was too late; ``DispatchTimer/ticks`` counts missed
  /// ticks. Each subscriber has its own timer.
  ///
  /// - Parameters:
  ///   - queue: The queue that delivers; by default the timer has its own.
  ///   - leeway: The longest delay of a tick for saving power.
  ///   - times: The number of values before it finishes.
  public static func timer(
    queue: DispatchQueue? = nil, interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .nanoseconds(0),
    times: Subscribers.Demand = .unlimited
  ) -> DispatchTimer {
    DispatchTimer(queue: queue, interval: interval, leeway: leeway, times: times)
  }

  /// Publishes the time at regular intervals, from a `DispatchSource` timer.
  public struct DispatchTimer: Publisher {
    public typealias Output = DispatchTime
    public typealias Failure = Never

    /// The queue that delivers the ticks.
    public let queue: DispatchQueue?
    /// The interval between two ticks.
    public let interval: DispatchTimeInterval
    /// The longest delay of a tick for saving power.
    public let leeway: DispatchTimeInterval
    /// The number of ticks after which it finishes.
    public let times: Subscribers.Demand

    /// Makes a timer.
    public init(
      queue: DispatchQueue?, interval: DispatchTimeInterval, leeway: DispatchTimeInterval, times: Subscribers.Demand
    ) {
      self.queue = queue
      self.interval = interval
      self.leeway = leeway
      self.times = times
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == DispatchTime, S.Failure == Never {
      ticks.map(\.time).receive(subscriber: subscriber)
    }

    /// The same timer with details of each tick.
    public var ticks: Ticks { Ticks(timer: self) }
  }

  /// Publishes the ticks of a timer with numbers, so that missed ticks show.
  public struct Ticks: _DirectPublisher {
    public typealias Output = Tick
    public typealias Failure = Never

    /// The timer whose ticks are numbered.
    public let timer: DispatchTimer

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Tick, S.Failure == Never {
      attach(AnySubscriber(subscriber))
    }

    /// Not generic, so that the compiler specialises it in this module.
    private func attach(_ subscriber: AnySubscriber<Tick, Never>) {
      let queue = timer.queue ?? DispatchQueue(label: "sluice.timer")
      let conduit = Operators.Conduit("Timer", TimerCore(times: timer.times), subscriber)
      let source = TimerSource(
        queue: queue, interval: timer.interval, leeway: timer.leeway,
        fire: { periods in
          let now = DispatchTime.now()
          conduit.feed { $0.fire(periods, at: now) }
        })
      conduit.connect(source, 0)
    }
  }

  /// One tick of a timer.
  public struct Tick: Hashable, Sendable {
    /// The time when the tick was handled.
    public var time: DispatchTime
    /// The number of the period that the tick ends, from 1. Missing numbers between two ticks are those of missed
    /// periods.
    public var number: UInt64
    /// The number of periods missed since the last tick.
    public var missed: UInt64

    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }
}

/// The dispatch source of one subscriber. Its conduit treats it as upstream.
private final class TimerSource: Subscription, @unchecked Sendable {
  // Nothing changes after `init`; a dispatch source may be used from any thread.
  private let source: any DispatchSourceTimer
  private let interval: DispatchTimeInterval
  private let leeway: DispatchTimeInterval
  private let fire: (UInt64) -> Void

  init(
    queue: DispatchQueue, interval: DispatchTimeInterval, leeway: DispatchTimeInterval,
    fire: @escaping (UInt64) -> Void
  ) {
    source = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    self.interval = interval
    self.leeway = leeway
    self.fire = fire
    source.setEventHandler { [weak self] in
      guard let self else { return }
      self.fire(UInt64(source.data))
    }
    // It is active from the start, because releasing an inactive source traps.
    source.schedule(deadline: .distantFuture)
    source.activate()
  }

  /// Starts the source. It is called once, with the first demand.
  func request(_ demand: Subscribers.Demand) {
    source.schedule(deadline: .now() + interval, repeating: interval, leeway: leeway)
  }

  func cancel() { source.cancel() }
}

/// The ticks that a timer has counted and not published yet.
struct TimerCore: Operators.Core {
  typealias Output = Publishers.Tick
  typealias Failure = Never

  let times: Subscribers.Demand
  var left: Subscribers.Demand
  var demand = Subscribers.Demand.none
  var started = false
  var starting = false
  var number: UInt64 = 0
  var emitted: UInt64 = 0  // the number of the last tick that was emitted
  var tick: Publishers.Tick?

  init(times: Subscribers.Demand) {
    self.times = times
    left = times
  }

  mutating func request(_ more: Subscribers.Demand) {
    demand += more
    if !started, demand != .none {
      started = true
      starting = true
    }
  }

  /// - Parameter periods: The number of periods since the last call: more than one if the system was late.
  mutating func fire(_ periods: UInt64, at time: DispatchTime) {
    number += periods
    guard demand != .none, left != .none, tick == nil else { return }
    demand -= 1
    left -= 1
    tick = Publishers.Tick(time: time, number: number, missed: number - emitted - 1)
    emitted = number
  }

  mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if starting {
      starting = false
      return left == .none ? out.complete(.finished) : .request(.max(1), inlet: 0)
    }
    if let tick {
      self.tick = nil
      return out.deliver(tick)
    }
    return left == .none && started ? out.complete(.finished) : nil
  }
}
