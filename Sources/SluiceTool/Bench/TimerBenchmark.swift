import Dispatch
import Sluice
import SluiceDispatch
import SluicePipeline
import SluiceReadings

/// How late the library's timer comes on this machine.
struct TimerBenchmark {
  let duration: TimeSpan
  let interval: TimeSpan
  let interruption: Interruption

  func run() throws(SluiceError) -> BenchSection {
    let timer = Publishers.timer(interval: .nanoseconds(Int(interval.nanoseconds)))
    // The first timer of a process waits for threads that a later one finds there.
    let started = DispatchSemaphore(value: 0)
    let first = Publishers.timer(interval: .milliseconds(1)).sink { _ in started.signal() }
    started.wait()
    first.cancel()

    let lateness = Locked(Lateness(start: DispatchTime.now().uptimeNanoseconds, interval: interval.nanoseconds))
    let ticks = timer.ticks.sink { tick in
      lateness.withLock { $0.add(number: tick.number, missed: tick.missed, at: tick.time.uptimeNanoseconds) }
    }
    interruption.wait(for: duration)
    ticks.cancel()
    try interruption.check()
    let found = lateness.withLock { $0 }
    return BenchSection(
      key: "timer", title: "timer",
      measurements: [
        Measurement(
          name: "every \(interval.defaultValueDescription)",
          figures: [
            Figure("ticks", "ticks", found.nanoseconds.count), Figure("missed", "missed", found.missed),
          ] + Percentiles.microseconds(found.nanoseconds))
      ], notes: ["late by so much; a tick that stands for missed ones is as late as the first of them"])
  }
}

/// How late the ticks of a timer were.
struct Lateness: Hashable {
  let start: UInt64
  let interval: Int64
  private(set) var nanoseconds: [Int64] = []
  private(set) var missed = 0

  /// - Parameter start: When the timer was started, in nanoseconds of the clock that its ticks are timed by.
  init(start: UInt64, interval: Int64) {
    self.start = start
    self.interval = interval
  }

  /// A tick is late by the time since the first period that it stands for should have ended. Counted from the last one, a
  /// standstill of a second would leave no trace among the numbers.
  mutating func add(number: UInt64, missed: UInt64, at time: UInt64) {
    self.missed += Int(clamping: missed)
    let due = start &+ (number &- missed) &* UInt64(interval)
    nanoseconds.append(Int64(bitPattern: time &- due))
  }
}
