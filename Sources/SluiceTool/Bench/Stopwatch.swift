import SluiceSystem

/// Measures the time that passes and the CPU time of all threads of the process, in nanoseconds.
struct Stopwatch {
  private let start = (wall: nanoseconds(CLOCK_MONOTONIC), cpu: nanoseconds(CLOCK_PROCESS_CPUTIME_ID))

  var wall: Int64 { Self.nanoseconds(CLOCK_MONOTONIC) - start.wall }
  var cpu: Int64 { Self.nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - start.cpu }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
