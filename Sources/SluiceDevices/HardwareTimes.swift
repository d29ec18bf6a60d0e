/// Brings the times of a controller's clock to the clock of the recording, which does not jump when the wall clock is set.
///
/// This clock may begin with any time, and drifts by up to 100 parts per million. The kernel's time of a frame is later
/// by the delay of its interrupt, so the smallest difference in the last seconds is taken as the offset.
struct HardwareTimes {
  /// The length of a window in nanoseconds. A clock drifts less than a millisecond in it.
  private static let window: Int64 = 5_000_000_000
  private var begin: Int64?
  /// The smallest differences in this window and in the one before it.
  private var (smallest, before): (Int64, Int64) = (.max, .max)

  /// The time by the clock of the recording.
  /// - Parameters:
  ///   - kernel: The kernel's time of the frame, by the clock of the recording.
  ///   - isUncertain: Whether it may be wrong by a jump of the wall clock. Then it says nothing about the offset.
  mutating func time(_ hardware: Int64, kernel: Int64, isUncertain: Bool = false) -> Int64 {
    let difference = kernel &- hardware
    let isNear = (difference &- min(smallest, before)).magnitude < 1_000_000_000
    if isUncertain { return begin != nil && isNear ? hardware &+ min(smallest, before) : kernel }
    // Otherwise the controller was restarted.
    if let begin, isNear, (begin...begin &+ 2 * Self.window).contains(kernel) {
      if kernel > begin &+ Self.window { (self.begin, before, smallest) = (kernel, smallest, .max) }
    } else {
      (begin, before, smallest) = (kernel, .max, .max)
    }
    smallest = min(smallest, difference)
    return hardware &+ min(smallest, before)
  }
}
