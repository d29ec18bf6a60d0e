import SluiceSystem
import Synchronization

/// Runs a body on a number of threads at once, and returns when all have returned.
///
/// The threads are made for this call, so their number does not depend on the machine. No body begins before all
/// threads exist, because starting a thread may take longer than a short body.
///
/// - Parameter body: Called with the number of its thread.
package func onThreads(_ count: Int, _ body: @escaping (Int) -> Void) {
  let start = StartBarrier(count)
  let threads = (0..<count).map { number in
    startThread {
      start.wait()
      body(number)
    }
  }
  for thread in threads { pthread_join(thread, nil) }
}

/// Holds threads until all have come.
private final class StartBarrier: Sendable {
  private let missing: Atomic<Int>

  init(_ count: Int) { missing = Atomic(count) }

  func wait() {
    missing.subtract(1, ordering: .acquiringAndReleasing)
    // Not a lock or a condition, because these would wake the threads one after the other.
    while missing.load(ordering: .acquiring) > 0 { sched_yield() }
  }
}

private final class Job {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}

private func startThread(_ run: @escaping () -> Void) -> pthread_t {
  #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(&thread, nil, { runJob($0) }, Unmanaged.passRetained(Job(run)).toOpaque())
    guard code == 0, let thread else { fatalError("no thread could be started: \(String(cString: strerror(code)))") }
    return thread
  #else
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, { runJob($0) }, Unmanaged.passRetained(Job(run)).toOpaque())
    guard code == 0 else { fatalError("no thread could be started: \(String(cString: strerror(code)))") }
    return thread
  #endif
}

private func runJob(_ job: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let job { Unmanaged<Job>.fromOpaque(job).takeRetainedValue().run() }
  return nil
}
