public import Foundation
public import Sluice

/// A moment as a date: the common part of the times of Foundation's schedulers.
///
/// Do not conform to it. Each scheduler has its own type, as in Combine, and this protocol saves repeating the
/// arithmetic.
public protocol _DateSchedulerTime: Strideable, Hashable, Codable, Sendable where Stride: _TimeIntervalStride {
  /// The time as a date.
  var date: Date { get set }
  /// Makes a time from a date.
  init(_ date: Date)
}

extension _DateSchedulerTime {
  /// The interval from this time to another.
  public func distance(to other: Self) -> Stride { Stride(other.date.timeIntervalSince(date)) }
  /// The time that is an interval later.
  public func advanced(by n: Stride) -> Self { Self(date + n.timeInterval) }
}

extension Scheduler where SchedulerTimeType: _DateSchedulerTime {
  /// The scheduler's current time.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  /// The smallest tolerance that the scheduler accepts.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }
}
