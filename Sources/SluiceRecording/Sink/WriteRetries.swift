/// When a failed write is tried again, and when a message says so. It is a value: the queue gives it the time.
package struct WriteRetries {
  private struct Outage {
    let since: Int64
    /// The back-off before the next try.
    var pause: Int64
  }

  /// The last message, with the time of the last one that the disk is away.
  private enum Message {
    case none
    case away(Int64)
    case back(Int64)
  }

  private let pauses: ClosedRange<Int64>
  private var outage: Outage?
  private var last = Message.none

  /// - Parameter pauses: The first and the longest pause before a next try.
  package init(_ pauses: ClosedRange<Int64>) { self.pauses = pauses }

  /// A write has failed. If the disk comes and goes, there is still only one message per minute. But a message that the
  /// disk is back is followed by one that it is away again, except for short interruptions.
  /// - Returns: The nanoseconds until the next try; and if a message must say that the disk is away, for how long.
  package mutating func fail(at now: Int64) -> (pause: Int64, awayFor: Int64?) {
    let outage = outage ?? Outage(since: now, pause: pauses.lowerBound)
    self.outage = Outage(since: outage.since, pause: min(2 * outage.pause, pauses.upperBound))
    let duration = now - outage.since
    let isDue =
      switch last {
      case .none: true
      case .away(let time): now - time >= 60_000_000_000
      case .back(let time): now - time >= 60_000_000_000 || duration >= 5_000_000_000
      }
    guard isDue else { return (outage.pause, nil) }
    last = .away(now)
    return (outage.pause, duration)
  }

  /// A batch is written.
  /// - Returns: If a message must say that the disk is back, how long it was away.
  package mutating func succeed(at now: @autoclosure () -> Int64) -> Int64? {
    guard let outage else { return nil }
    self.outage = nil
    // The disk is away without a message after a short interruption.
    guard case .away(let time) = last else { return nil }
    last = .back(time)
    return now() - outage.since
  }
}
