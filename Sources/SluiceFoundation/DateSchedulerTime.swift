public import Foundation
public import Sluice

/// A moment as a date: what the times of Foundation's schedulers have in common.
///
/// Not for conforming to: the schedulers have a type each, as in Combine, and this spares them the arithmetic.
public protocol _DateSchedulerTime: Strideable, Hashable, Codable, Sendable where Stride: _TimeIntervalStride {
  var date: Date { get set }
  init(_ date: Date)
}

extension _DateSchedulerTime {
  public func distance(to other: Self) -> Stride { Stride(other.date.timeIntervalSince(date)) }
  public func advanced(by n: Stride) -> Self { Self(date + n.timeInterval) }
}

extension Scheduler where SchedulerTimeType: _DateSchedulerTime {
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }
}
