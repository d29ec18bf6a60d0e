import SluiceAnalysis
import SluiceArguments
import SluicePipeline
import SluiceReadings
import SluiceRecording

/// The options for the distributions of intervals and values.
struct DistributionsOptions: ArgumentGroup {
  var intervals: IntervalsArgument?
  var tolerance: TimeSpan?
  var shorterThan: TimeSpan?
  var percentiles = false
  var histogram: NameList?
  var fail: [LimitArgument] = []

  static var rows: [ArgumentRow<Self>] {
    [
      .option(
        "intervals", "PERIOD|found",
        "Print the distribution of the intervals: of scans and ticks, and of the edges and pulses of lines. PERIOD is the wanted interval, such as 1ms or 1kHz. (alone: found in the trace)",
        \.intervals, alone: IntervalsArgument.found),
      .option(
        "tolerance", "T",
        "With --intervals: how far from the period an interval may be. (default: a tenth of the period)", \.tolerance),
      .option(
        "shorter-than", "T", "With --intervals: count the pulses that are shorter than T, such as 10us.", \.shorterThan),
      .flag("percentiles", "Print the percentiles of all channels: p1, p50, p99, p99.9.", \.percentiles),
      .option(
        "histogram", "NAME,...",
        "Print the histograms of these: CHANNEL, STREAM.channel, or intervals such as 'irq high'.", \.histogram),
      .option(
        "fail", "LIMIT",
        "Exit with status 3 if this condition holds, such as 'p99.9 > 1.1ms', 'irq high min < 10us', 'gaps > 0' or 'accel_x p99 > 3'. Can be repeated.",
        \.fail),
    ]
  }

  func validate() throws {
    guard intervals == nil else { return }
    if tolerance != nil, !fail.contains(where: { $0.limit.takesTolerance }) {
      throw Fault(
        "--tolerance is for intervals; give --intervals too, or a --fail condition that has 'within' or 'outside'")
    }
    if shorterThan != nil, !fail.contains(where: { $0.limit.takesShortest }) {
      throw Fault(
        "--shorter-than is for intervals; give --intervals too, or a --fail condition that has 'short'")
    }
  }

  /// Whether none of them is given.
  var isEmpty: Bool {
    intervals == nil && tolerance == nil && shorterThan == nil && histogram == nil && !percentiles && fail.isEmpty
  }

  private var countsIntervals: Bool {
    intervals != nil || histogram != nil || fail.contains { $0.limit.isOfIntervals }
  }

  var options: DistributionOptions {
    var options = DistributionOptions()
    options.intervals = countsIntervals
    options.period = intervals?.period?.realNanoseconds
    options.shorterThan = shorterThan.map { UInt64($0.nanoseconds) }
    options.values = percentiles || histogram != nil || fail.contains { !$0.limit.isOfIntervals }
    return options
  }

  /// What is over a limit.
  func failures(_ info: TraceInfo) throws(SluiceError) -> [String] {
    var sentences: [String] = []
    for argument in fail {
      sentences += try argument.limit.failures(info, tolerance: tolerance.map { Double($0.nanoseconds) })
    }
    return sentences
  }
}
