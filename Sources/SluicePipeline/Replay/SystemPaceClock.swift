import SluiceSystem

/// The kernel's monotonic clock.
///
/// It does not use a semaphore of Dispatch, because on Linux such a semaphore waits by the wall clock
/// (sem_timedwait(3)). If the wall clock was set back, a replay would wait too long.
package final class SystemPaceClock: PaceClock, @unchecked Sendable {
  // `mutex` protects `wakes`.

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// The wakes that no waiting thread has taken yet.
  private var wakes = 0

  package init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  package var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  package func wait(until time: Int64?) {
    pthread_mutex_lock(mutex)
    if wakes == 0 {
      if let time {
        var end = timespec()
        end.tv_sec = .init(time / 1_000_000_000)
        end.tv_nsec = .init(time % 1_000_000_000)
        pthread_cond_timedwait(condition, mutex, &end)
      } else {
        pthread_cond_wait(condition, mutex)
      }
    }
    if wakes > 0 { wakes -= 1 }
    pthread_mutex_unlock(mutex)
  }

  package func wake() {
    pthread_mutex_lock(mutex)
    wakes += 1
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }
}
