import Dispatch

/// Where a sink does its work, one thing after the other: a dispatch queue, or in a test one whose time is virtual.
package protocol WorkQueue: Sendable {
  /// Nanoseconds since a moment that is the same for all queues.
  var now: Int64 { get }
  func perform(_ work: @escaping @Sendable () -> Void)
  func perform(after nanoseconds: Int64, _ work: @escaping @Sendable () -> Void)
}

/// A dispatch queue.
package struct DispatchWorkQueue: WorkQueue {
  private let queue: DispatchQueue

  package init(_ label: String) { queue = DispatchQueue(label: label) }

  package var now: Int64 { Int64(clamping: DispatchTime.now().uptimeNanoseconds) }

  package func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  package func perform(after nanoseconds: Int64, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: nanoseconds)), execute: work)
  }
}
