import SluiceSystem

/// The current time of one of the kernel's clocks, in nanoseconds.
func kernelTime(_ clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
}
