#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// A value behind a mutex whose holder runs with the priority of the most urgent thread that waits for it.
///
/// For what may take long: a system call on a device, a file, another process's lock, or a call of foreign code. A
/// waiting thread sleeps in the kernel until the mutex is released, and threads between the two priorities do not keep
/// a holder of low priority from releasing it (pthread_mutexattr_setprotocol(3p)). For bookkeeping of nanoseconds use
/// ``Locked``, which takes a third of the time, and sleeps while it waits.
///
/// It is not recursive: a body that takes it again traps.
package final class PriorityInheritanceMutex<Value>: @unchecked Sendable {
  // The mutex protects `value`, which is reached through `withLock` alone.
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
      // A kernel without it (CONFIG_FUTEX_PI) gets a mutex that only sleeps.
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
