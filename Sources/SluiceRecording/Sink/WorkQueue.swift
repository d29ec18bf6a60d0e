import Dispatch

/// A serial queue for the work of a sink: a dispatch queue, or in tests a queue in virtual time.
package protocol WorkQueue: Sendable {
  /// Nanoseconds since an origin that all queues share.
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
