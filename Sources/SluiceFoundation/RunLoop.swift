public import Foundation
public import Sluice
import SluiceDispatch

/// A run loop as a scheduler, with Combine's names for its time, its intervals and its options.
///
/// ```swift
/// let cancellable = readings.receive(on: RunLoop.main).sink { label.text = "\($0)" }
/// ```
///
/// Actions run on the thread of the run loop while it runs in its default mode. Actions without a date run in the order
/// in which they were scheduled. Any thread may schedule actions, which wakes a waiting run loop. A run loop with
/// actions does not return from `run()` by itself.
extension RunLoop: Sluice.Scheduler {
  /// A time on the wall clock, which may be set.
  public struct SchedulerTimeType: _DateSchedulerTime {
    /// The time as a date.
    public var date: Date
    /// Makes a time from a date.
    public init(_ date: Date) { self.date = date }

    /// An interval of time in seconds.
    public struct Stride: _TimeIntervalStride {
      /// The length of the interval.
      public var magnitude: TimeInterval
      /// Makes an interval of seconds.
      public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }
    }
  }

  /// There are no options.
  public struct SchedulerOptions: Sendable {}

  /// Runs an action as soon as possible.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = ScheduledAction(run: action)
    perform { action.run() }
    // Also on the thread of the run loop, because after an action it may wait without checking for new actions.
    RunLoopWaker.wake(self)
  }

  /// Runs an action at a time.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let action = TimerAction(action)
    start(Timer(fire: date.date, interval: 0, repeats: false) { _ in action.runAndForget() }, tolerance)
  }

  /// Runs an action at a time, and again after each interval.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let action = TimerAction(action)
    let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in action.run() }
    start(timer, tolerance)
    return AnyCancellable {
      timer.invalidate()
      action.forget()
    }
  }

  private func start(_ timer: Timer, _ tolerance: SchedulerTimeType.Stride) {
    timer.tolerance = tolerance.timeInterval
    add(timer, forMode: .default)
  }
}
