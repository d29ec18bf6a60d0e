import SluiceAnalysis
import SluicePipeline
import SluiceReadings

extension TraceInfo {
  /// The members of `percentiles`: p0 is the minimum, p100 the maximum.
  private static var percents: [(name: String, percent: Double)] {
    [
      ("p0", 0), ("p0.1", 0.1), ("p1", 1), ("p5", 5), ("p25", 25), ("p50", 50), ("p75", 75), ("p95", 95), ("p99", 99),
      ("p99.9", 99.9), ("p99.99", 99.99), ("p100", 100),
    ]
  }

  /// Nil without values.
  static func percentiles(_ values: LogLinearHistogram?) -> JSON? {
    guard let values, values.count > 0 else { return nil }
    let numbers = values.percentiles(percents.map(\.percent))
    return object(
      zip(percents, numbers).map { ($0.name, $1.map { .number("\($0)") }) } + [("error", .number("\(values.error)"))])
  }

  static func json(_ intervals: IntervalDistribution, _ tolerance: Double?) -> JSON {
    let period = intervals.period(tolerance: tolerance)
    func percentiles(_ values: [Double]) -> JSON? {
      values.isEmpty
        ? nil
        : object(
          zip(IntervalDistribution.percents, values).map { percent, value in
            ("p\(percent == percent.rounded() ? fixed(percent, 0) : "\(percent)")", .number("\(value)"))
          })
    }
    let steps = intervals.histogram.steps(atMost: HistogramText.rows, upTo: period?.limit)
    return object([
      ("name", .string(intervals.name)), ("kind", .string(intervals.kind.rawValue)), ("count", JSON(intervals.count)),
      ("percentiles_ns", Self.percentiles(intervals.histogram)),
      ("period_ns", period.map { .number("\($0.nominal)") }), ("period_given", period.map { .bool($0.isGiven) }),
      ("mean_ns", period.map { .number("\($0.mean)") }), ("jitter_ns", period.map { .number("\($0.jitter)") }),
      ("without_gaps_ns", period.flatMap { percentiles($0.usual) }),
      ("deviation_ns", period.flatMap { percentiles($0.deviations) }),
      ("tolerance_ns", period.map { .number("\($0.tolerance)") }), ("within", period.map { JSON($0.within) }),
      ("outside", period.map { JSON(intervals.count - $0.within) }),
      ("gaps", period.map { JSON($0.gaps) }), ("missing", period.map { JSON($0.missing) }),
      ("flagged_gaps", JSON(intervals.flagged)), ("longest_flagged", intervals.longestFlagged.map(json)),
      ("short", intervals.isLimited ? JSON(intervals.short) : nil), ("first_short", intervals.firstShort.map(json)),
      ("worst", .array(intervals.worst(period?.nominal).map(json))), ("histogram", steps.map(json)),
    ])
  }

  static func json(_ histogram: DistributionsShown.Histogram) -> JSON {
    object([
      ("name", .string(histogram.name)),
      ("unit", histogram.isOfTimes ? .string("ns") : histogram.unit.map { .string($0) }),
      ("percentiles", percentiles(histogram.values)),
      ("histogram", histogram.values.steps(atMost: HistogramText.rows).map(json)),
    ])
  }

  private static func json(_ steps: LogLinearHistogram.Steps) -> JSON {
    object([
      ("from", .number("\(steps.lower)")), ("width", .number("\(steps.width)")),
      ("counts", .array(steps.counts.map { JSON($0) })), ("below", JSON(steps.below)), ("above", JSON(steps.above)),
    ])
  }
}
