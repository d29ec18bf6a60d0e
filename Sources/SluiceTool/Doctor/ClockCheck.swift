import SluiceAnalysis
import SluiceDevices
import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Checks that the clock is right and fine enough, and that timers are on time.
enum ClockCheck {
  static let name = "clock"

  struct Measures: Equatable {
    /// The resolution of the clock that gives readings their times.
    var resolution: Int
    /// The 99th percentile of the lateness of a 1 ms timer; nil if it was not measured.
    var latenessMicroseconds: Double?
    /// What the kernel says about the time of day; nil if it says nothing.
    var quality: TraceMetadata.ClockQuality?
  }

  static func findings(_ surroundings: Surroundings, _ measures: Measures) -> [Finding] {
    let folder = "\(surroundings.roots.sys)/devices/system/clocksource/clocksource0"
    let source = Surroundings.word("\(folder)/current_clocksource") ?? "unknown source"
    var findings: [Finding] = []
    if measures.resolution > 1_000 || source == "jiffies" || source == "refined-jiffies" {
      findings.append(
        .warning(
          name, "times come from \(source), in steps of \(grouped(measures.resolution)) ns",
          "the kernel needs CONFIG_HIGH_RES_TIMERS; see \(folder)/available_clocksource"))
    } else {
      findings.append(.ok(name, "times come from \(source), in steps of \(grouped(measures.resolution)) ns"))
    }
    // systemd-timesyncd(8). Other services have no such file.
    let service = "\(surroundings.roots.run)/systemd/timesync"
    if let quality = measures.quality, quality.isSynchronised {
      findings.append(
        .ok(
          name, "the time of day is synchronised, and wrong by at most \(spanText(Double(quality.errors.greatest)))"))
    } else if surroundings.exists("\(service)/synchronized") {
      findings.append(.ok(name, "the time of day is synchronised"))
    } else if surroundings.exists(service) {
      findings.append(
        .warning(
          name, "the time of day is not synchronised: recordings from here may not fit those of other machines",
          "connect the machine to a network, and run sudo timedatectl set-ntp true"))
    }
    if let late = measures.latenessMicroseconds {
      let meaning = "99 of 100 ticks of a 1 ms timer are less than \(grouped(late, 0)) us late"
      findings.append(
        late > 5_000
          ? .warning("timer", meaning, "end what keeps the processor busy; 'sluice bench --only timer' shows more")
          : .ok("timer", meaning))
    }
    return findings
  }

  static func findings(_ surroundings: Surroundings, interruption: Interruption) -> [Finding] {
    var resolution = timespec()
    clock_getres(CLOCK_MONOTONIC, &resolution)
    let timer = TimerBenchmark(
      duration: TimeSpan(nanoseconds: 300_000_000), interval: TimeSpan(nanoseconds: 1_000_000),
      interruption: interruption)
    let late = (try? timer.run())?.measurements.first?.figures.first { $0.key == "p99_us" }?.value
    return findings(
      surroundings,
      Measures(
        resolution: resolution.tv_sec == 0 ? resolution.tv_nsec : .max,
        latenessMicroseconds: late, quality: SystemClocks().quality))
  }
}
