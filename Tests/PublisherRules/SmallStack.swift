import Foundation

/// Runs a body on a stack of 512 KiB, as the threads of dispatch queues have, and waits for its end. If the body needs more, the process crashes.
///
/// - Returns: Whether it came to an end.
package func onSmallStack(_ body: @escaping () -> Void) -> Bool {
  let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) let body = body  // nobody else runs it, and it is waited for
  let thread = Thread {
    defer { done.signal() }
    body()
  }
  thread.stackSize = 512 * 1_024
  thread.start()
  return done.wait(timeout: .now() + 1_200) == .success
}
