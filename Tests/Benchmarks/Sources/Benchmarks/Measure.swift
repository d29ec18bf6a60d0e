import Glibc
import Measurement

/// Runs what belongs together one after the other, round by round, so that a machine that changes its speed changes it for
/// all. Each runs once before, uncounted.
func measure(_ workloads: [Workload], rounds: Int) -> [Result] {
  var results = workloads.filter { $0.library == .sluice }.map(Result.init)
  for round in 0...rounds {
    for index in results.indices {
      let name = results[index].workload
      var checksum: Int?
      for workload in workloads where workload.name == name {
        let (time, sum) = run(workload)
        if let checksum, checksum != sum { fail("\(name): \(workload.library.rawValue) gives another result") }
        checksum = sum
        if round > 0 { results[index].add(time, of: workload.library) }
      }
    }
  }
  return results
}

/// - Returns: Nanoseconds per value, and the checksum.
private func run(_ workload: Workload) -> (Double, Int) {
  let clock = workload.clock == .processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC
  let start = nanoseconds(clock)
  let sum = workload.run(workload.values)
  return (Double(nanoseconds(clock) - start) / Double(workload.values), sum)
}

private func nanoseconds(_ clock: clockid_t) -> Int {
  var time = timespec()
  clock_gettime(clock, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
