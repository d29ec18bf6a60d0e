import SluiceRecording

/// All queues of a sink on one thread, in virtual time: work runs when the test says so.
package final class VirtualQueues: @unchecked Sendable {
  // One thread at a time uses it.

  private struct Work {
    var time: Int64
    var number: Int
    var body: @Sendable () -> Void
  }

  package init() {}

  private var waiting: [Work] = []
  private var count = 0
  package private(set) var now: Int64 = 0

  package struct Queue: WorkQueue {
    fileprivate let queues: VirtualQueues
    package var now: Int64 { queues.now }
    package func perform(_ work: @escaping @Sendable () -> Void) { queues.add(work, after: 0) }
    package func perform(after nanoseconds: Int64, _ work: @escaping @Sendable () -> Void) {
      queues.add(work, after: nanoseconds)
    }
  }

  package var queue: Queue { Queue(queues: self) }

  private func add(_ body: @escaping @Sendable () -> Void, after nanoseconds: Int64) {
    count += 1
    waiting.append(Work(time: now + max(0, nanoseconds), number: count, body: body))
  }

  /// Runs what is due within so many nanoseconds.
  package func run(for nanoseconds: Int64) {
    let end = now + nanoseconds
    while let next = waiting.indices.min(by: {
      (waiting[$0].time, waiting[$0].number) < (waiting[$1].time, waiting[$1].number)
    }), waiting[next].time <= end {
      let work = waiting.remove(at: next)
      now = max(now, work.time)
      work.body()
    }
    now = end
  }

  /// The process is gone.
  package func kill() { waiting = [] }
}
