package import SluicePipeline
package import SluiceReadings
import SluiceRecording

/// Traces over time before they are drawn: the data of each trace, and the time range of the axis.
package struct Plot {
  package struct Options: Sendable {
    /// The names for ``PlotSelection``; empty for all channels.
    package var channels: [String] = []
    package var from: PlotInstant?
    package var to: PlotInstant?
    /// The length of the window in nanoseconds, instead of `to`.
    package var duration: Int64?
    /// Whether all values are drawn as steps.
    package var isStepped = false
    /// Nil shows dates in UTC, and times that are not dates as relative times.
    package var clock: PlotClock?
    /// The width of the picture in dots.
    package var width = 1_000

    package init() {}
  }

  /// The greatest number of channels. More lines could not be distinguished, and each takes a few hundred kilobytes.
  static let channels = 64

  package private(set) var traces: [PlotTrace]
  package let clock: PlotClock
  /// The time range of the axis.
  package private(set) var times: ClosedRange<Int64>
  /// The zero of relative times.
  package let zero: Int64
  package let name: String
  /// Whether all values are drawn as steps.
  let isStepped: Bool

  /// Reads traces.
  /// - Parameters:
  ///   - plan: The traces, and the options for reading them.
  ///   - warn: Called with warnings about the traces, the same as in a replay.
  /// - Throws: If a trace cannot be read to its end, or if there is nothing to draw.
  package init(
    _ plan: ReplayPlan, _ options: Options = Options(), warn: @escaping @Sendable (String) -> Void = { _ in },
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) {
    var last: Int64?
    if options.needsEnd { last = try Self.end(plan, isInterrupted: isInterrupted) }
    var traces: [PlotTrace] = []
    let writers = plan.files.map { RunningRecording.writer(of: [$0]) }
    for (path, writer) in zip(plan.files, writers) {
      var plan = plan
      plan.files = [path]
      let reader = try plan.reader(plan.changes, warn: warn, isInterrupted: isInterrupted)
      traces.append(try PlotTrace(path: path, reader, RunningRecording(writer, reader.metadata)))
    }
    try self.init(traces, options, last: last)
  }

  /// The time of the last reading, for times before it. The traces are read once more for it.
  private static func end(
    _ plan: ReplayPlan, isInterrupted: @escaping @Sendable () -> Bool
  ) throws(SluiceError) -> Int64? {
    guard !plan.files.contains("-") else {
      throw SluiceError(
        .usage, "plot", "standard input", because: "its end is not known before it is read",
        remedy: "write it to a file first, or give a time after its first reading, such as 1.5s")
    }
    var last: Int64?
    var readings = [Reading](repeating: .empty, count: 512)
    for path in plan.files {
      var plan = plan
      plan.files = [path]
      let reader = try plan.reader(plan.changes, warn: { _ in }, isInterrupted: isInterrupted)
      while case let count = try reader.next(into: &readings), count > 0 {
        for reading in readings[..<count] { last = max(last ?? .min, reading.time) }
      }
    }
    return last
  }

  /// - Parameter last: The time of the last reading, if `options` needs it.
  init(_ traces: [PlotTrace], _ options: Options, last: Int64? = nil) throws(SluiceError) {
    isStepped = options.isStepped
    (self.traces, name) = (traces, OpenTrace.name(traces.map(\.path)))
    guard let zero = traces.compactMap(\.first).min() else {
      throw SluiceError(
        .unsupported, "plot", name, because: traces.count == 1 ? "it has no readings" : "they have no readings")
    }
    self.zero = zero
    (clock, times) = (try Self.clock(traces, options.clock), zero...zero)
    let window = try window(options, last)
    try read(options, window)
    times = try shown(options, window)
    guard panels().contains(where: { $0.values != nil }) else {
      throw SluiceError(
        .unsupported, "plot", name, because: "its readings have no values",
        remedy: window == nil ? nil : "give another time with --from and --to")
    }
  }

  // MARK: Times

  private static func isDate(_ time: Int64) -> Bool { TraceTimes.isDate(time) }

  private static func clock(_ traces: [PlotTrace], _ wanted: PlotClock?) throws(SluiceError) -> PlotClock {
    let first = traces.filter { $0.first != nil }
    let dated = first.filter { isDate($0.first ?? 0) }
    if let date = dated.first, let other = first.first(where: { !isDate($0.first ?? 0) }) {
      throw .differentOrigins("plot", date.name, other.name, remedy: "plot each trace alone")
    }
    if dated.isEmpty, let wanted, wanted != .relative {
      throw SluiceError(
        .usage, "plot", OpenTrace.name(traces.map(\.path)),
        because: "its times are not dates, so they have no time zone",
        remedy: "leave out --time \(wanted.rawValue)")
    }
    return wanted ?? (dated.isEmpty ? .relative : .utc)
  }

  private func window(_ options: Options, _ last: Int64?) throws(SluiceError) -> ClosedRange<Int64>? {
    guard options.from != nil || options.to != nil || options.duration != nil else { return nil }
    func time(_ instant: PlotInstant?, _ option: String) throws(SluiceError) -> Int64? {
      guard let instant else { return nil }
      if instant.isOfClock, !Self.isDate(zero) {
        throw SluiceError(
          .usage, "plot", name,
          because: "its times are not dates, but \(option) is a \(instant.isTimeOfDay ? "time of day" : "date")",
          remedy: "give a time after its first reading, such as 1.5s")
      }
      return instant.time(first: zero, last: last ?? zero, clock) ?? .max
    }
    let from = try time(options.from, "--from")
    var lower = from ?? .min
    var upper = try time(options.to, "--to") ?? .max
    if let duration = options.duration {
      let (sum, overflow) = (from ?? zero).addingReportingOverflow(duration)
      upper = overflow ? .max : sum
    }
    // A time of day is on the day of the first reading. The end is after the start, and the window is not before the
    // first reading.
    if options.to?.isTimeOfDay ?? false, upper <= (from ?? zero) { upper = nextDay(upper) }
    if options.from?.isTimeOfDay ?? false, upper < zero {
      (lower, upper) = (nextDay(lower), nextDay(upper))
    }
    guard lower < upper else {
      throw SluiceError(
        .usage, "plot", name,
        because: options.to == nil
          ? "--from is later than any time"
          : options.from == nil
            ? "--to is earlier than any time" : "--to is not later than --from",
        remedy: "give the earlier time with --from")
    }
    return lower...upper
  }

  /// The same time of day on the next day, also if clocks are changed in between.
  private func nextDay(_ time: Int64) -> Int64 {
    guard clock == .local else { return time.addingReportingOverflow(TimeStep.day).partialValue }
    let local = time.addingReportingOverflow(LocalTime.zone(at: time).offset).partialValue
    return LocalTime.utc(of: local.addingReportingOverflow(TimeStep.day).partialValue)
  }

  private func shown(_ options: Options, _ window: ClosedRange<Int64>?) throws(SluiceError) -> ClosedRange<Int64> {
    let streams = traces.flatMap(\.streams)
    if let window, let all = PlotTrace.hull(traces.compactMap(\.times)), !window.overlaps(all) {
      let side = window.lowerBound > all.upperBound ? "after its last reading" : "before its first reading"
      throw SluiceError(
        .usage, "plot", name, because: "the window of --from and --to is \(side)",
        remedy: "its readings are from \(Self.text(all.lowerBound)) to \(Self.text(all.upperBound)), in "
          + spanText(Double(UInt64(bitPattern: all.upperBound &- all.lowerBound))))
    }
    let drawn = streams.filter(\.isDrawn)
    let used = PlotTrace.hull(drawn.compactMap(\.shownTimes))
    guard drawn.contains(where: { $0.shownTimes != nil || $0.before != nil }),
      let lower = options.from == nil ? used?.lowerBound : window?.lowerBound,
      let upper = options.to == nil ? used?.upperBound : window?.upperBound
    else {
      throw SluiceError(
        .unsupported, "plot", name, because: "there are no readings to draw",
        remedy: window == nil ? nil : "give another time with --from and --to")
    }
    guard lower >= upper else { return lower...upper }
    // A single instant gets a time range of one second.
    let half: Int64 = 500_000_000
    return max(lower, .min + half) - half...min(lower, .max - half) + half
  }

  /// A date, or seconds if the times do not count from 1970.
  static func text(_ time: Int64) -> String {
    isDate(time) ? utcTime(time) : "\(fixed(Double(time) / 1e9, 6)) s"
  }

  // MARK: Reading

  private mutating func read(_ options: Options, _ window: ClosedRange<Int64>?) throws(SluiceError) {
    var selection = PlotSelection(options.channels)
    let capacity = Self.capacity(width: options.width)
    func describe(_ trace: inout PlotTrace) {
      trace.describe(&selection, window: window, capacity: capacity)
    }
    for index in traces.indices { describe(&traces[index]) }
    if !traces.contains(where: \.isGrowing), let error = selection.unknown(name) { throw error }
    try checkNumber()
    for index in traces.indices {
      while try traces[index].addNext() {
        guard traces[index].isGrowing else { continue }
        describe(&traces[index])
        try checkNumber()
      }
      describe(&traces[index])
    }
    if let error = selection.unknown(name) { throw error }
    try checkNumber()
  }

  /// The capacity of an envelope: two to four buckets per dot, with 32 bytes per channel and bucket.
  static func capacity(width: Int) -> Int { min(4 * max(1, width), 1 << 13) }

  private func checkNumber() throws(SluiceError) {
    let drawn = traces.flatMap(\.streams).reduce(0) { $0 + $1.channels.count }
    guard drawn > Self.channels else { return }
    throw SluiceError(
      .usage, "plot", name, because: "it has \(grouped(drawn)) channels, and a plot has \(Self.channels) at most",
      remedy: "name some with --select")
  }
}
