import SluiceAnalysis
import SluicePipeline
import SluiceReadings

extension TraceInfo {
  /// The lines of `--intervals` and `--histogram`.
  func distributionsText(_ shown: DistributionsShown, _ glyphs: TerminalGlyphs) throws(SluiceError) -> String {
    var lines: [String] = []
    if shown.intervals {
      let all = streams.flatMap { $0.distributions?.intervals ?? [] }
      if all.isEmpty { lines += ["", "no intervals: no stream has two readings"] }
      for intervals in all { lines += text(of: intervals, shown, glyphs) }
    }
    return try lines.asLines + histogramsText(shown, glyphs)
  }

  /// The lines of `--histogram`.
  func histogramsText(
    _ shown: DistributionsShown, _ glyphs: TerminalGlyphs, title: String? = nil
  ) throws(SluiceError) -> String {
    var lines = title.map { [$0] } ?? []
    for histogram in try shown.histograms(of: self) {
      let unit = histogram.unit.map { " (\($0))" } ?? ""
      lines += ["", "histogram of \(histogram.name.inOneLine)\(unit):"]
      lines += HistogramText.lines(histogram.values, isOfTimes: histogram.isOfTimes, glyphs)
    }
    return lines.asLines
  }

  private func text(
    of intervals: IntervalDistribution, _ shown: DistributionsShown, _ glyphs: TerminalGlyphs
  ) -> [String] {
    let period = intervals.period(tolerance: shown.tolerance)
    let what = intervals.kind == .width ? "pulse" : "interval"
    var title = "\(intervals.name.inOneLine): \(grouped(intervals.count)) \(what)\(intervals.count == 1 ? "" : "s")"
    if let period {
      title += ", period \(Self.span(period.nominal)) \(period.isGiven ? "(given)" : "(found)")"
    } else if intervals.kind == .period {
      title += ", no fixed period"
    }
    var lines = ["", title]
    func row(_ name: String, _ values: [Double]) -> [String] { [name] + values.map { Self.span($0) } }
    var rows = [[""] + IntervalDistribution.names]
    rows.append(row("all", intervals.histogram.percentiles(IntervalDistribution.percents).map { $0 ?? 0 }))
    if let period {
      if period.gaps > 0, !period.usual.isEmpty { rows.append(row("without gaps", period.usual)) }
      if !period.deviations.isEmpty { rows.append(row("deviation", period.deviations)) }
    }
    lines += table(rows) { $0 > 0 }.map { "  \($0)" }
    if let period { lines += text(of: period, intervals) }
    if intervals.flagged > 0, let longest = intervals.longestFlagged {
      lines.append(
        "  flagged by the recording: \(grouped(intervals.flagged)) gap\(intervals.flagged == 1 ? "" : "s"), not counted above, the longest \(place(longest))"
      )
    }
    if intervals.short > 0, let first = intervals.firstShort {
      lines.append("  shorter than the limit: \(grouped(intervals.short)), the first \(place(first))")
    } else if intervals.isLimited {
      lines.append("  shorter than the limit: none")
    }
    let worst = intervals.worst(period?.nominal)
    if !worst.isEmpty {
      lines.append("  farthest from the \(period == nil ? "median" : "period"):")
      lines += worst.map { "    \(place($0))" }
    }
    lines += HistogramText.lines(intervals.histogram, upTo: period?.limit, isOfTimes: true, glyphs).map { "  \($0)" }
    return lines
  }

  private func text(of period: IntervalDistribution.Period, _ intervals: IntervalDistribution) -> [String] {
    let share = fixed(100 * Double(period.within) / Double(max(1, intervals.count)), 3)
    var lines = [
      "  within \(Self.span(period.tolerance)) of the period: \(share) %, \(grouped(intervals.count - period.within)) outside"
    ]
    let mean = "mean \(Self.span(period.mean)), standard deviation \(Self.span(period.jitter))"
    let ends = period.usual.last.flatMap { last in period.usual.first.map { Self.span(last - $0) } }
    lines.append(
      "  jitter: \(mean)" + (ends.map { ", peak to peak \($0)" } ?? "") + (period.gaps > 0 ? ", without gaps" : ""))
    if period.gaps > 0 {
      let limit = Self.span(period.limit)
      lines.append(
        "  gaps: \(grouped(period.gaps)) longer than \(limit), \(grouped(period.missing)) missing")
    } else {
      lines.append("  gaps: none")
    }
    return lines
  }

  /// `1.268 ms at 2026-09-21T14:13:33.612Z, after reading 17`.
  private func place(_ interval: Intervals.Long) -> String {
    "\(Self.span(interval.length)) at \(Self.instant(interval.time)), after reading \(grouped(interval.reading))"
  }
}
