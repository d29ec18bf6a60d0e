import SluiceAnalysis
import SluicePipeline
import SluiceReadings
import SluiceRecording

extension TraceInfo {
  /// The output of `sluice info`, without distributions but the percentiles of channels.
  func text(percentiles: Bool = false) -> String {
    var lines = headline + recorded
    lines += notes.map { "note: \($0)" }
    if let error { lines.append("the rest cannot be read: \(error)") }
    if !streams.isEmpty { lines += [""] + columns(streamRows, numbers: 1...) }
    let channels = channelRows(percentiles: percentiles)
    if channels.count > 1 { lines += [""] + columns(channels, numbers: 2...) }
    lines += gapLines
    return lines.asLines
  }

  private var headline: [String] {
    let count = "\(grouped(readings)) reading\(readings == 1 ? "" : "s")"
    let names = "\(grouped(streams.count)) stream\(streams.count == 1 ? "" : "s")"
    var line = "\(path == "-" ? "standard input" : path): \(count) of \(names)"
    if let times {
      line += " in \(Self.span(UInt64(bitPattern: times.upperBound &- times.lowerBound)))"
      return [line, "from \(Self.instant(times.lowerBound)) to \(Self.instant(times.upperBound))"]
    }
    return [line]
  }

  /// The lines about the metadata.
  private var recorded: [String] {
    guard let metadata else {
      if let running { return ["recording: \(running.text), no metadata yet"] }
      return ["no metadata: losses of the recording are not known"]
    }
    var parts: [String] = []
    switch metadata.state {
    case _ where running != nil: parts.append(running?.text ?? "")
    case .finished?: parts.append("finished")
    case .unfinished?: parts.append(metadata.unfinishedText)
    case nil: break
    }
    if let values = metadata.values { parts.append("values are \(values.rawValue)") }
    if let file = metadata.trace?.file { parts.append("replayed from \(file)") }
    if metadata.earlierRuns > 0 {
      parts.append("\(grouped(metadata.earlierRuns)) earlier run\(metadata.earlierRuns == 1 ? "" : "s")")
    }
    if let pauses = metadata.pauses?.count, pauses > 0 { parts.append(pauses == 1 ? "1 pause" : "\(pauses) pauses") }
    let marks = metadata.marks ?? []
    if !marks.isEmpty { parts.append(marks.count == 1 ? "1 mark" : "\(grouped(marks.count)) marks") }
    var lines = ["recording: " + (parts.isEmpty ? "its end is not known" : parts.joined(separator: ", "))]
    lines.append("account: \(account(metadata))")
    if let clock = metadata.clockText { lines.append("clock: \(clock)") }
    if uncertainTimes > 0 {
      lines.append(
        "\(grouped(uncertainTimes)) time\(uncertainTimes == 1 ? "" : "s") may be wrong, because the wall clock was "
          + (isClockExceeded ? "set, or was worse than --max-clock-error allows" : "set"))
    }
    if possibleDuplicates > 0 {
      lines.append(
        "\(grouped(possibleDuplicates)) reading\(possibleDuplicates == 1 ? "" : "s") may be in it twice, because a run was "
          + "killed while its spill was written to it")
    }
    if uncertainLevels > 0 {
      lines.append(
        "\(grouped(uncertainLevels)) edge\(uncertainLevels == 1 ? " has" : "s have") the same level as the edge before, because "
          + "an edge was lost, or because the kernel read a level late")
    }
    if let windows = streams.map(\.windows).max(), windows > 0 {
      lines.append("windows: \(grouped(windows))")
    }
    if !metadata.totalTexts.isEmpty { lines.append("totals: \(metadata.totalTexts.joined(separator: "; "))") }
    lines += (metadata.errors ?? []).map { "error: \($0)" }
    lines += marks.prefix(Self.shownMarks).map { "mark: \(Self.instant($0.time)) \($0.text.inOneLine)" }
    if marks.count > Self.shownMarks {
      lines.append("and \(grouped(marks.count - Self.shownMarks)) more marks, which --json lists")
    }
    return lines
  }

  private var isClockExceeded: Bool { metadata?.runs.contains { !($0.clocks?.excesses.isEmpty ?? true) } ?? false }

  /// The readings whose time may be wrong.
  var uncertainTimes: Int { Self.sum(metadata?.uncertainTime) }
  /// The readings that may be in the file twice.
  var possibleDuplicates: Int { Self.sum(metadata?.possibleDuplicate) }
  /// The edges whose level may be wrong.
  var uncertainLevels: Int { Self.sum(metadata?.uncertainLevel) }

  private static func sum(_ flagged: [FlaggedReadings]?) -> Int {
    (flagged ?? []).reduce(0) { $0.addingReportingOverflow($1.count).partialValue }
  }

  private static var shownMarks: Int { 20 }

  private func account(_ metadata: TraceMetadata) -> String {
    let ledger = metadata.ledger ?? []
    func sum(_ path: KeyPath<StreamAccount, Int>) -> Int {
      ledger.reduce(0) { $0.addingReportingOverflow($1[keyPath: path]).partialValue }
    }
    var parts = [
      (sum(\.written), "written"), (sum(\.dropped), "dropped (buffer full)"), (sum(\.suppressed), "left out"),
      (sum(\.used), "made into \(grouped(sum(\.made)))"),
      (sum(\.discarded), "discarded (paused)"), (sum(\.unwritten), "not written (error)"),
    ].filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    // Each run has its own losses.
    var losses: [(reason: String, count: Int)] = []
    for loss in metadata.losses ?? [] where loss.count > 0 && loss.reason != TraceMetadata.restartReason {
      if let index = losses.firstIndex(where: { $0.reason == loss.reason }) {
        losses[index].count = losses[index].count.addingReportingOverflow(loss.count).partialValue
      } else {
        losses.append((loss.reason, loss.count))
      }
    }
    parts += losses.map { "\(grouped($0.count)) \($0.reason)" }
    if metadata.wasKilled, running == nil { parts.append("nobody knows what the run that was killed missed") }
    if running != nil { parts.append((parts.isEmpty ? "it" : "that of this run") + " comes at the end of the run") }
    var sentences: [String] = []
    if metadata.isCutOff, metadata.state == .finished {
      sentences.append("an earlier run was cut off: what it wrote and missed is not known")
    }
    if let text = metadata.restartText { sentences.append(text) }
    guard !parts.isEmpty || !sentences.isEmpty else { return "none" }
    if metadata.missed == 0, metadata.losses != nil, losses.isEmpty, !metadata.isCutOff {
      parts.append(
        (metadata.lossesShown?.assurance ?? "no loss known") + (metadata.restarts.isEmpty ? "" : " while it recorded"))
    }
    return ([parts.joined(separator: ", ")].filter { !$0.isEmpty } + sentences).joined(separator: "; ")
  }

  // MARK: Tables

  private var streamRows: [[String]] {
    var rows = [["stream", "readings", "per second", "interval", "jitter", "gaps", "missing", "back in time"]]
    for stream in streams {
      let regular = stream.isLine ? nil : stream.intervals.regular
      rows.append([
        stream.description.name, grouped(stream.count), regular.map { Self.rate(1e9 / $0.interval) } ?? rate(stream),
        regular.map { Self.span($0.interval) } ?? (stream.isLine ? "" : "irregular"),
        regular.map { Self.span($0.jitter) } ?? "",
        stream.isLine || regular == nil ? flagged(stream) : grouped(regular?.gaps ?? 0),
        regular.map { grouped($0.missing) } ?? "", stream.stepsBack == 0 ? "" : grouped(stream.stepsBack),
      ])
    }
    return withoutEmptyColumns(rows)
  }

  /// The gaps of a stream without a fixed rate: those that the recording flagged.
  private func flagged(_ stream: StreamStatistics) -> String {
    stream.flagged == 0 ? "" : grouped(stream.flagged)
  }

  private func rate(_ stream: StreamStatistics) -> String {
    guard stream.count > 1, stream.last > stream.first else { return "" }
    return Self.rate(Double(stream.count - 1) / (Double(stream.last) - Double(stream.first)) * 1e9)
  }

  private static var percents: [Double] { [1, 50, 99, 99.9] }

  private func channelRows(percentiles: Bool) -> [[String]] {
    let names = ["p1", "p50", "p99", "p99.9"]
    var rows = [["channel", "unit", "min", "mean", "max"] + names + ["missing", "high", "shortest"]]
    for stream in streams {
      if stream.isLine {
        let share = stream.known == 0 ? "" : fixed(100 * Double(stream.high) / Double(stream.known), 1) + " %"
        let shortest = stream.intervals.count > 0 ? Self.span(stream.intervals.shortest) : ""
        rows.append([stream.description.name, "level", "", "", ""] + names.map { _ in "" } + ["", share, shortest])
        continue
      }
      for (index, (channel, values)) in zip(stream.description.channels, stream.channels).enumerated() {
        let counted = percentiles ? stream.distributions?.values[index].percentiles(Self.percents) : nil
        let percentiles = counted?.map { $0.map(ScaledStatistics.rounded) ?? "" } ?? names.map { _ in "" }
        let scaled = ScaledStatistics(values, channel, isScaled: stream.description.isScaled)
        let name = stream.description.channels.count == 1 ? "" : ".\(channel.name)"
        rows.append(
          [
            stream.description.name + name, channel.unit ?? "", scaled.smallest ?? "", scaled.roundedMean,
            scaled.largest ?? "",
          ] + percentiles + [values.missing == 0 ? "" : grouped(values.missing), "", ""])
      }
    }
    return withoutEmptyColumns(rows)
  }

  /// Leaves out columns that are empty below the title.
  private func withoutEmptyColumns(_ rows: [[String]]) -> [[String]] {
    let used = rows[0].indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
    return rows.map { row in used.map { row[$0] } }
  }

  private func columns(_ rows: [[String]], numbers: PartialRangeFrom<Int>) -> [String] {
    table(rows) { numbers.contains($0) }
  }

  private var gapLines: [String] {
    var lines: [String] = []
    for stream in streams where stream.restartCount > 0 {
      let title =
        stream.restartCount > stream.restarts.count ? "the first \(stream.restarts.count) restarts" : "restarts"
      lines += ["", "\(title) of \(stream.description.name.inOneLine):"]
      lines += stream.restarts.map {
        "  after reading \(grouped($0.reading)) at \(offset($0.time)): no reading for \(Self.span($0.length))"
      }
    }
    for stream in streams where !stream.isLine {
      guard let regular = stream.intervals.regular, regular.gaps > 0 else { continue }
      let longest = Self.longest(stream)
      let title = regular.gaps > longest.count ? "the \(longest.count) longest gaps" : "gaps"
      lines += ["", "\(title) of \(stream.description.name.inOneLine):"]
      for gap in longest {
        let steps = Int(exactly: (Double(gap.length) / regular.interval).rounded()) ?? .max
        let missing = max(1, steps - 1)
        lines.append(
          "  after reading \(grouped(gap.reading)) at \(offset(gap.time)): \(Self.span(gap.length)), \(grouped(missing)) missing"
        )
      }
    }
    return lines
  }

  private func offset(_ time: Int64) -> String {
    "\(fixed(Double(time &- (times?.lowerBound ?? time)) / 1e9, 6)) s"
  }

  // MARK: Numbers

  static func rate(_ rate: Double) -> String { rate < 100 ? fixed(rate, 2) : grouped(rate, 1) }

  static func span(_ nanoseconds: UInt64) -> String { span(Double(nanoseconds)) }

  static func span(_ nanoseconds: Double) -> String { spanText(nanoseconds) }

  /// A date, or seconds if the times do not count from 1970.
  static func instant(_ time: Int64) -> String {
    TraceTimes.isDate(time) ? utcTime(time) : "\(fixed(Double(time) / 1e9, 6)) s"
  }
}

extension TraceMetadata {
  /// How far the wall clock may have been wrong, in the worst of the runs; nil if none knows it.
  fileprivate var clockText: String? {
    let clocks = runs.compactMap(\.clocks)
    func worst(_ errors: [ClockErrors], _ moment: String, isUnsynchronised: Bool = false) -> String? {
      guard let greatest = errors.map(\.greatest).max() else { return nil }
      let isBound = !isUnsynchronised && greatest < ClockErrors.unsynchronised
      return (isBound ? "wrong by at most \(spanText(Double(greatest)))" : "not synchronised") + " at the \(moment)"
    }
    let isUnsynchronised = clocks.contains { $0.isSynchronised == false && $0.errors != nil }
    let begin = worst(clocks.compactMap(\.errors), "start", isUnsynchronised: isUnsynchronised)
    guard let begin else { return nil }
    let end = worst(clocks.compactMap(\.errorsAtEnd), "end").map { ", \($0)" }
    let count = clocks.reduce(0) { $0 + $1.excessCount }
    let excess =
      count == 0 ? "" : "; more than --max-clock-error allows \(count == 1 ? "once" : "\(grouped(count)) times")"
    return "\(begin)\(end ?? "")\(excess)"
  }
}
