/// Brings the times of a controller's clock to the wall clock.
///
/// This clock may begin with any time, and drifts by up to 100 parts per million. The kernel's time of a frame is later
/// by the delay of its interrupt, so the smallest difference in the last seconds is taken as the offset.
struct HardwareTimes {
  /// The length of a window in nanoseconds. A clock drifts less than a millisecond in it.
  private static let window: Int64 = 5_000_000_000
  private var begin: Int64?
  /// The smallest differences in this window and in the one before it.
  private var (smallest, before): (Int64, Int64) = (.max, .max)

  /// The time by the wall clock.
  mutating func time(_ hardware: Int64, kernel: Int64) -> Int64 {
    let difference = kernel &- hardware
    // Otherwise the controller was restarted, or the wall clock was set.
    if let begin, abs(difference &- min(smallest, before)) < 1_000_000_000,
      (begin...begin &+ 2 * Self.window).contains(kernel)
    {
      if kernel > begin &+ Self.window { (self.begin, before, smallest) = (kernel, smallest, .max) }
    } else {
      (begin, before, smallest) = (kernel, .max, .max)
    }
    smallest = min(smallest, difference)
    return hardware &+ min(smallest, before)
  }
}
