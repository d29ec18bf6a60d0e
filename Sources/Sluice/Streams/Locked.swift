import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value behind a lock that is never held across a system call or a call into foreign code: where one may run,
/// ``PriorityInheritanceMutex`` is the lock to take.
///
/// What it guards is bookkeeping of some nanoseconds, twice a value. So it is one atomic exchange to take and a plain
/// store to give back: 2.4 ns a pair where `pthread_mutex_t` takes 7 and `Synchronization.Mutex` 5.4, which
/// ThreadSanitizer does not understand besides. The price is that nobody can be woken: who finds it taken looks again, at
/// first at once, then after giving way, then after a nap, which lets the holder go on even where it has the lower
/// real-time priority.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
  // The value is reached through `withLock` alone.
  @usableFromInline let isTaken = Atomic(false)
  #if DEBUG
    @usableFromInline let owner = Atomic<UInt>(0)  // the thread that has it
    @usableFromInline var value: Value
  #else
    @usableFromInline @exclusivity(unchecked) var value: Value
  #endif

  @inlinable package init(_ value: Value) { self.value = value }

  @inlinable package func withLock<R>(_ body: (inout Value) -> R) -> R {
    #if DEBUG
      precondition(
        owner.load(ordering: .relaxed) != thisThread, "this thread has the lock already: it would wait for ever")
    #endif
    if isTaken.exchange(true, ordering: .acquiring) { wait() }
    #if DEBUG
      owner.store(thisThread, ordering: .relaxed)
    #endif
    defer {
      #if DEBUG
        owner.store(0, ordering: .relaxed)
      #endif
      isTaken.store(false, ordering: .releasing)
    }
    return body(&value)
  }

  @usableFromInline @inline(never) func wait() {
    var looks = 0
    repeat {
      while isTaken.load(ordering: .relaxed) {
        looks += 1
        switch looks {
        case ..<100: break
        case ..<200: sched_yield()
        default: usleep(20)
        }
      }
    } while isTaken.exchange(true, ordering: .acquiring)
  }
}

@usableFromInline
package var thisThread: UInt {
  #if canImport(Glibc)
    pthread_self()
  #else
    UInt(bitPattern: pthread_self())
  #endif
}
