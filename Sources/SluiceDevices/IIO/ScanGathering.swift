/// How long to let the scans of a buffer gather before they are read.
///
/// For each scan the kernel wakes whoever waits in `poll(2)`, and lets it go on only at the watermark
/// (`iio_push_to_buffer` and `iio_buffer_poll` in drivers/iio/industrialio-buffer.c): 1,000 context switches per second
/// at 1 kHz. Where scans come evenly it is known when the watermark is due, and until then nobody has to wait for the
/// device. Where they do not, the device is waited for, since a burst may fill the buffer; for no longer than the
/// latency, since the kernel does not tell of scans below the watermark.
struct ScanGathering {
  /// In nanoseconds: `poll(2)` takes milliseconds, and so few of them are too inexact.
  static var shortest: Double { 2_000_000 }
  /// In nanoseconds, also where the latency is longer: only a read tells that a device was removed.
  static var longest: Int64 { 1_000_000_000 }

  private enum Due {
    /// There may be more.
    case atOnce
    /// The watermark is due then.
    case at(UInt64)
    /// When the device is ready, or else then.
    case ready(before: UInt64)
  }

  private let wanted: Double
  private let latency: UInt64
  private var due: Due?
  /// Scans since the buffer was empty, which take several reads where each takes all that it can.
  private var count = 0
  private var oldest: Int64?
  private var newest: Int64?
  /// When the buffer was empty, and the newest scan before.
  private var emptied: (moment: UInt64, newest: Int64?)?
  /// Between the scans before that, in nanoseconds.
  private var period: Double?

  /// Is nil where nothing may gather, or nobody knows how many scans are kept.
  /// - Parameters:
  ///   - watermark: Scans that make the buffer readable.
  ///   - capacity: Scans that the kernel keeps. At half of them they are read, whatever the watermark.
  ///   - latency: How long a scan may wait, in nanoseconds.
  init?(watermark: Int, capacity: Int, latency: Int64) {
    guard watermark > 1, capacity > 1, latency > 0 else { return nil }
    wanted = min(Double(watermark), Double(capacity) / 2)
    self.latency = UInt64(min(latency, Self.longest))
  }

  /// Scans were read.
  /// - Parameters:
  ///   - moment: When the read began, in nanoseconds, by a clock that is never set back.
  ///   - times: Of the oldest and the newest, in nanoseconds; nil where they carry none.
  ///   - isAll: False where the read took what it could, and more may be there.
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

  /// The period, if all that tells of it agrees within a factor of two: how many came since the buffer was empty, the
  /// times that they carry, and what it was before. That tells a steady rate from bursts, gaps and clocks that are set.
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

  /// How long to wait for nothing but the end of the stream, in milliseconds, before the next read.
  /// - Parameter now: By the clock of the reads.
  func pause(at now: UInt64) -> Int32 {
    guard case .at(let due) = due, due > now else { return 0 }
    return Int32(clamping: (due - now) / 1_000_000)
  }

  /// How long to wait for the device after that, in milliseconds, before it is read all the same.
  func timeout(at now: UInt64) -> Int32 {
    switch due {
    case .atOnce, .at: return 0
    case .ready(let before): return before > now ? Int32(clamping: (before - now - 1) / 1_000_000 + 1) : 0
    case nil: return Int32(clamping: (latency - 1) / 1_000_000 + 1)
    }
  }
}
