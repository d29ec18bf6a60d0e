/// Computes how long the scans of a buffer gather before they are read.
///
/// The kernel wakes `poll(2)` for each scan, but lets it return only at the watermark (`iio_push_to_buffer` and
/// `iio_buffer_poll` in drivers/iio/industrialio-buffer.c): 1,000 context switches per second at 1 kHz. With a steady
/// rate, the time of the watermark is known, and the thread sleeps until then. Without one, it waits for the device,
/// because a burst may fill the buffer. It waits no longer than the latency, because the kernel does not report scans
/// below the watermark.
struct ScanGathering {
  /// The shortest sleep in nanoseconds. `poll(2)` takes milliseconds, so shorter times are too inexact.
  static var shortest: Double { 2_000_000 }
  /// The longest wait in nanoseconds, even if the latency is longer, because only a read shows that a device was
  /// removed.
  static var longest: Int64 { 1_000_000_000 }

  private enum Due {
    /// More scans may be waiting.
    case atOnce
    /// The time when the watermark is due.
    case at(UInt64)
    /// When the device is ready, or at the latest at this time.
    case ready(before: UInt64)
  }

  private let wanted: Double
  private let latency: UInt64
  private var due: Due?
  /// The number of scans since the buffer was empty. Several full reads may take them.
  private var count = 0
  private var oldest: Int64?
  private var newest: Int64?
  /// The time of the last read that emptied the buffer, and the newest scan so far.
  private var emptied: (moment: UInt64, newest: Int64?)?
  /// The period of the scans before that, in nanoseconds.
  private var period: Double?

  /// The result is nil if no scans may gather, or if the capacity is not known.
  /// - Parameters:
  ///   - watermark: The number of scans that makes the buffer readable.
  ///   - capacity: The number of scans that the kernel keeps. At half of it, scans are read with any watermark.
  ///   - latency: The longest time that a scan may wait, in nanoseconds.
  init?(watermark: Int, capacity: Int, latency: Int64) {
    guard watermark > 1, capacity > 1, latency > 0 else { return nil }
    wanted = min(Double(watermark), Double(capacity) / 2)
    self.latency = UInt64(min(latency, Self.longest))
  }

  /// Call it after each read.
  /// - Parameters:
  ///   - moment: The start of the read, in nanoseconds, by a clock that is never set back.
  ///   - times: The times of the oldest and the newest scan, in nanoseconds; nil if they have none.
  ///   - isAll: False if the read took as many as it could, so that more may be waiting.
  mutating func read(_ count: Int, at moment: UInt64, times: (oldest: Int64, newest: Int64)? = nil, isAll: Bool) {
    self.count += count
    if let times { (oldest, newest) = (oldest ?? times.oldest, times.newest) }
    guard isAll else {
      due = .atOnce
      return
    }
    let sleep = min(wanted * (steadyPeriod(at: moment) ?? 0), Double(latency))
    due = sleep < Self.shortest ? .ready(before: moment &+ latency) : .at(moment &+ UInt64(sleep))
    emptied = (moment, newest ?? emptied?.newest)
    (self.count, oldest, newest) = (0, nil, nil)
  }

  /// The period, if all estimates agree within a factor of two: from the number of scans since the buffer was empty,
  /// from their times, and the previous period. This separates a steady rate from bursts, gaps, and clocks that are
  /// set.
  private mutating func steadyPeriod(at moment: UInt64) -> Double? {
    var periods: [Double] = []
    if count > 0, let emptied {
      periods.append(Double(moment &- emptied.moment) / Double(count))
      if let newest, let before = emptied.newest { periods.append(Double(newest &- before) / Double(count)) }
    }
    if count > 1, let oldest, let newest { periods.append(Double(newest &- oldest) / Double(count - 1)) }
    let before = period
    period = periods.min()
    if let before { periods.append(before) }
    guard period != nil, periods.count > 1, let least = periods.min(), let most = periods.max(), least > 0,
      most <= least * 2
    else { return nil }
    return least
  }

  /// The time to wait before the next read, in milliseconds. Only the end of the stream interrupts it.
  /// - Parameter now: The time by the clock of the reads.
  func pause(at now: UInt64) -> Int32 {
    guard case .at(let due) = due, due > now else { return 0 }
    return Int32(clamping: (due - now) / 1_000_000)
  }

  /// The longest wait for the device after that, in milliseconds.
  func timeout(at now: UInt64) -> Int32 {
    switch due {
    case .atOnce, .at: return 0
    case .ready(let before): return before > now ? Int32(clamping: (before - now - 1) / 1_000_000 + 1) : 0
    case nil: return Int32(clamping: (latency - 1) / 1_000_000 + 1)
    }
  }
}
