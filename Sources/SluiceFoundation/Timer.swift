public import Foundation
public import Sluice

extension Timer {
  /// Publishes the date at regular intervals, from a timer on a run loop.
  ///
  /// ```swift
  /// let cancellable = Timer.publish(every: 0.5, on: .main, in: .common).autoconnect().sink { print($0) }
  /// ```
  ///
  /// If no run loop runs, or for more than a few hundred ticks per second, use `Publishers.timer` instead.
  ///
  /// - Parameters:
  ///   - interval: The interval in seconds.
  ///   - tolerance: Not used, as in Combine; ``TimerPublisher/init(interval:tolerance:runLoop:mode:options:)`` makes a
  ///     timer that uses it.
  ///   - options: There are no options.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, runLoop: runLoop, mode: mode, options: options)
  }

  /// Publishes the date at regular intervals, once it is connected.
  ///
  /// All subscribers get the same date. A subscriber without demand misses ticks. The publisher does not end:
  /// cancelling the connection stops it, and releases all subscribers.
  public final class TimerPublisher: ConnectablePublisher, _DirectPublisher, @unchecked Sendable {
    // `lines` has its lock; the rest is constant, and a timer may be added to a run loop from any thread.
    public typealias Output = Date
    public typealias Failure = Never

    /// The interval between two ticks, in seconds.
    public let interval: TimeInterval
    /// The longest delay of a tick for saving power, in seconds.
    public let tolerance: TimeInterval?
    /// The run loop that the timer is on.
    public let runLoop: RunLoop
    /// The run loop's mode in which it ticks.
    public let mode: RunLoop.Mode
    /// There are no options.
    public let options: RunLoop.SchedulerOptions?

    private typealias Line = Operators.Conduit<Operators.RelayCore<Date, Never>, AnySubscriber<Date, Never>>
    private let lines = Locked([Line]())

    /// Makes a timer that starts when it is connected.
    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
      options: RunLoop.SchedulerOptions? = nil
    ) {
      self.interval = interval
      self.tolerance = tolerance
      self.runLoop = runLoop
      self.mode = mode
      self.options = options
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
      let line = Line(
        "Timer", Operators.RelayCore(forwards: false, takesNoDemand: true),
        AnySubscriber(
          receiveSubscription: { subscriber.receive(subscription: TimerSubscription(line: $0)) },
          receiveValue: { subscriber.receive($0) }))
      lines.withLock { $0.append(line) }
      let link = SourceLink { [weak self, weak line] in
        if let line { self?.disconnect(line) }
      }
      line.connect(link, 0)
    }

    /// Starts a timer. Its first tick is one interval from now.
    /// - Returns: A cancellable for the timer. Its release does not stop the timer.
    public func connect() -> any Cancellable {
      let action = TimerAction { self.fire() }
      let timer = Timer(fire: Date() + interval, interval: interval, repeats: true) { _ in action.run() }
      timer.tolerance = tolerance ?? 0
      runLoop.add(timer, forMode: mode)
      return TimerConnection(publisher: self, timer: timer, action: action)
    }

    private func fire() {
      let now = Date()
      for line in lines.withLock({ $0 }) { line.feed(passing: { $0.pass(now) }) { $0.receive(now) } }
    }

    private func disconnect(_ line: Line) { lines.withLock { $0.removeAll { $0 === line } } }

    fileprivate func disconnectAll() {
      let former = lines.withLock { lines in
        defer { lines = [] }
        return lines
      }
      withExtendedLifetime(former) {}
    }
  }
}

/// Has an empty description, as in Combine.
private final class TimerSubscription: Subscription {
  private let line: any Subscription

  init(line: any Subscription) { self.line = line }

  func request(_ demand: Subscribers.Demand) { line.request(demand) }
  func cancel() { line.cancel() }
}

private struct TimerConnection: Cancellable {
  let publisher: Timer.TimerPublisher
  let timer: Timer
  let action: TimerAction

  func cancel() {
    publisher.disconnectAll()
    timer.invalidate()
    action.forget()
  }
}
