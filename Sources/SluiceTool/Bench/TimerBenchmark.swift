import SluiceBenchmarks
import SluicePipeline
import SluiceReadings

/// Measures how late the library's timer fires on this machine.
struct TimerBenchmark {
  let duration: TimeSpan
  let interval: TimeSpan
  let interruption: Interruption

  func run() throws(SluiceError) -> BenchSection {
    let found = Lateness.measure(interval: interval.nanoseconds) { interruption.wait(for: duration) }
    try interruption.check()
    return BenchSection(
      key: "timer", title: "timer",
      measurements: [
        Measurement(
          name: "every \(interval.description)",
          figures: [
            Figure("ticks", "ticks", found.nanoseconds.count), Figure("missed", "missed", found.missed),
          ] + Percentiles.microseconds(found.nanoseconds))
      ], notes: ["delay of each tick; a tick that replaces missed ticks is as late as the first of them"])
  }
}
