import SluiceSystem

/// A value behind a mutex. The holder runs with the highest priority of the waiting threads.
///
/// It is for work that may take long: a system call on a device or a file, a lock of another process, or foreign code.
/// A waiting thread sleeps in the kernel until the mutex is released. Threads with a priority between the two cannot
/// prevent the holder from running (pthread_mutexattr_setprotocol(3p)). For bookkeeping of nanoseconds use ``Locked``,
/// which takes a third of the time, and sleeps only in steps.
///
/// It is not recursive: a body that takes it again traps.
package final class PriorityInheritanceMutex<Value>: @unchecked Sendable {
  // The mutex protects `value`, which only `withLock` uses.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    var error = pthread_mutexattr_init(&attributes)
    if error == 0 {
      defer { pthread_mutexattr_destroy(&attributes) }
      // A kernel without priority inheritance (CONFIG_FUTEX_PI) gives a mutex that only sleeps.
      _ = pthread_mutexattr_setprotocol(&attributes, Int32(PTHREAD_PRIO_INHERIT))
      error = pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
      if error == 0 { error = pthread_mutex_init(mutex, &attributes) }
    }
    if error != 0 { error = pthread_mutex_init(mutex, nil) }
    precondition(error == 0, "a mutex cannot be made: error \(error)")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    let error = pthread_mutex_lock(mutex)
    precondition(error == 0, "a mutex cannot be taken: error \(error)")
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
