public import Foundation
public import Sluice

/// An operation queue as a scheduler, with Combine's names for its time, its intervals and its options.
///
/// ```swift
/// let queue = OperationQueue()
/// queue.maxConcurrentOperationCount = 1  // or values may come at the same time, and in another order
/// let cancellable = readings.receive(on: queue).sink { archive($0) }
/// ```
///
/// An action that is due later waits in the queue as an operation that is not ready. The queue has not finished until
/// the action has run or is cancelled. `cancelAllOperations()` cancels it too, and ends a repeating action.
extension OperationQueue: Sluice.Scheduler {
  /// A time on the wall clock, which may be set. A wait that has begun keeps its length.
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
    addOperation(BlockOperation { action.run() })
  }

  /// - Parameter tolerance: Not used, because waiting needs no wake-up.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let operation = DelayedOperation(action)
    addOperation(operation)
    operation.wait(until: date.deadline)
  }

  /// - Parameter tolerance: Not used, because waiting needs no wake-up.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    AnyCancellable(OperationRepetition(on: self, from: date.deadline, every: interval.timeInterval, action))
  }
}

extension OperationQueue.SchedulerTimeType {
  /// The date on the clock for waits.
  fileprivate var deadline: DispatchTime { .now() + date.timeIntervalSinceNow }
}
