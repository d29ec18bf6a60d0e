#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#elseif canImport(Darwin)
  @preconcurrency import Darwin
#endif

/// A value behind a lock: the only lock in the package, never held across a call into foreign code.
///
/// `pthread_mutex_t` rather than `Synchronization.Mutex`, for ThreadSanitizer understands it on Linux. Value and mutex
/// share one allocation, whose address never changes, which a stored `pthread_mutex_t` could not promise.
@usableFromInline
package struct Locked<Value>: @unchecked Sendable {
  // The value is reached through `withLock` alone.
  @usableFromInline final class Storage: ManagedBuffer<Value, pthread_mutex_t> {
    @inlinable deinit { withUnsafeMutablePointerToElements { _ = pthread_mutex_destroy($0) } }
  }

  @usableFromInline let storage: ManagedBuffer<Value, pthread_mutex_t>

  @inlinable package init(_ value: Value) {
    storage = Storage.create(minimumCapacity: 1) { _ in value }
    storage.withUnsafeMutablePointerToElements { mutex in
      let error = pthread_mutex_init(mutex, nil)
      precondition(error == 0, "pthread_mutex_init failed: \(error)")
    }
  }

  @inlinable package func withLock<R>(_ body: (inout Value) -> R) -> R {
    storage.withUnsafeMutablePointers { value, mutex in
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body(&value.pointee)
    }
  }
}
