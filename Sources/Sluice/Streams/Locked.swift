import SluiceSystem
public import Synchronization

#if !arch(x86_64)
  public import CFence
#endif

/// A value behind a lock that must not be held across a system call or a call of foreign code. If one may run, use
/// ``PriorityInheritanceMutex``.
///
/// It guards bookkeeping that takes nanoseconds, twice per value. So it is one atomic exchange to take and a plain
/// store to release: 2.4 ns per pair, instead of 7 for `pthread_mutex_t` and 5.4 for `Synchronization.Mutex`, which
/// ThreadSanitizer does not understand. The price: a waiter cannot be woken. It tries again at once, then yields, then
/// sleeps, so that the holder can run even if it has a lower real-time priority.
///
/// A store alone is not enough to release the lock. The compiler has a pass for reference counts that knows nothing of
/// threads (`performLocalRetainMotion` in LLVMARCOpts.cpp of Swift). This pass moves the retain of what was read under
/// the lock down over any store, also over an atomic one, and leaves the retain out if a release follows. Another
/// thread could then free the object in between. The pass stops at a fence. On x86-64, the releasing fence is
/// no instruction. On arm64 it is one, `dmb`, so there the fence is one for the compiler alone, written in C. Swift's
/// optimizer sees a call of C in it, and does not inline the callers of `withLock`: that cost up to 14 % per value on x86-64.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
  // Only `withLock` uses the value.
  @usableFromInline let isTaken = Atomic(false)
  #if DEBUG
    @usableFromInline let owner = Atomic<UInt>(0)  // the thread that has the lock
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
      #if arch(x86_64)
        atomicMemoryFence(ordering: .releasing)
      #else
        cfence_release()
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
