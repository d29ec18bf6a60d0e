import Dispatch
import Sluice
import SluiceDispatch
import SluiceExtras

/// How late the ticks of a timer were.
package struct Lateness: Equatable {
  let start: UInt64
  let interval: Int64
  package private(set) var nanoseconds: [Int64] = []
  package private(set) var missed = 0

  /// - Parameter start: When the timer was started, in nanoseconds of the clock that its ticks are timed by.
  package init(start: UInt64, interval: Int64) {
    self.start = start
    self.interval = interval
  }

  /// A tick may stand for several periods. It is late by the time since the end of the first of them. Counted from the last
  /// one, a standstill of a second would not show in the numbers.
  package mutating func add(number: UInt64, missed: UInt64, at time: UInt64) {
    self.missed += Int(clamping: missed)
    let due = start &+ (number &- missed) &* UInt64(interval)
    nanoseconds.append(Int64(bitPattern: time &- due))
  }

  /// Runs the library's timer until something is over.
  /// - Parameter interval: In nanoseconds.
  package static func measure(interval: Int64, while body: () -> Void) -> Lateness {
    // The first timer of a process waits for threads that a later one finds there.
    let started = DispatchSemaphore(value: 0)
    let first = Publishers.timer(interval: .milliseconds(1)).sink { _ in started.signal() }
    started.wait()
    first.cancel()

    let timer = Publishers.timer(interval: .nanoseconds(Int(interval)))
    let lateness = Locked(Lateness(start: DispatchTime.now().uptimeNanoseconds, interval: interval))
    let ticks = timer.ticks.sink { tick in
      lateness.withLock { $0.add(number: tick.number, missed: tick.missed, at: tick.time.uptimeNanoseconds) }
    }
    body()
    ticks.cancel()
    return lateness.withLock { $0 }
  }
}
