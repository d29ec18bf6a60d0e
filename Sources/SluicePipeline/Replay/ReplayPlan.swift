import SluiceReadings
public import SluiceRecording

/// A recorded trace that takes the place of the sources, or several traces that are merged by time.
///
/// Use it in ``RecordingPlan/input`` to pass a recording through other stages.
///
/// ```swift
/// let walk = ReplayPlan("walk.csv", from: .after(.seconds(5)), duration: .seconds(60))
/// let plan = RecordingPlan(replay: walk, stages: [.every(10)], outputs: [OutputPlan("slow.csv")])
/// ```
public struct ReplayPlan: Hashable, Sendable {
  /// The paths. Each is a file, a folder of files, or `-` for standard input (only once). Several traces are merged by
  /// time. The names of all their streams must be different.
  public var files: [String]
  /// What to read, in this order: `STREAM`, `STREAM.channel`, or `channel` for this channel of all streams; empty for all.
  public var select: [String] = []
  /// The time column, its unit, and the columns to read. Nil members are detected from the trace.
  public var format: TraceFormat
  /// Whether unreadable rows are left out and counted.
  public var skipsBad = false
  /// The layout of a dump of an IIO buffer. If it is nil, the first bytes of the file decide its format.
  public var scans: RawScans?
  /// The form of a sensor's lines, as `time=utc,as=nmea`. If it is nil, the first bytes of the file decide its format.
  package var lines: LineForm?
  /// Whether the times are those of the rows, or corrected by the clock in the metadata.
  public var times: TraceTimes
  /// The speed relative to the recording, above 0; nil does not wait at all.
  public var rate: Double?
  /// The longest wait between two readings, in the time of the trace; nil for no limit. Only with a ``rate``. The times
  /// of the readings do not change.
  public var maxGap: TimeSpan?
  /// Readings that are out of order by no more than this are sorted by their times; nil keeps the order of the trace.
  public var reorder: TimeSpan?
  /// What is added to the times of single traces.
  package var shifts: [TraceShift] = []
  /// Whether the first reading of each trace comes at 0, before its shift.
  public var startsTogether = false
  /// The number of rounds. The times of each round follow those of the round before.
  public var loop = ReplayLoop.once
  /// Where the replay begins; nil for the first reading. A time counts from the first selected reading.
  public var from: TraceInstant?
  /// Where it ends, if ``duration`` is nil; nil for the end of the trace.
  public var to: TraceInstant?
  /// The length of the replayed part. With it, ``to`` has no effect.
  public var duration: TimeSpan?

  /// Plans a replay of a file.
  public init(
    _ file: String, format: TraceFormat = TraceFormat(), times: TraceTimes = .recorded, rate: Double? = nil,
    from: TraceInstant? = nil, to: TraceInstant? = nil, duration: TimeSpan? = nil
  ) {
    files = [file]
    self.format = format
    self.times = times
    self.rate = rate
    self.from = from
    self.to = to
    self.duration = duration
  }

  /// The first file.
  public var file: String {
    get { files.first ?? "" }
    set { files = [newValue] }
  }
}

extension ReplayPlan: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case file, files, select
    case timeColumn = "time-column"
    case timeUnit = "time-unit"
    case timeFormat = "time-format"
    case date, timezone, period
    case skipLines = "skip-lines"
    case columnNames = "column-names"
    case columns, dbc
    case skipBad = "skip-bad"
    case scanLayout = "scan-layout"
    case sampleRate = "sample-rate"
    case lines
    case times, rate
    case maxGap = "max-gap"
    case reorder, shift
    case startTogether = "start-together"
    case from, to, duration, loop
  }

  /// The keys in their order, and how their values are written.
  static let forms: [(key: String, form: ValueForm)] = CodingKeys.allCases.map { ($0.stringValue, form(of: $0)) }

  private static func form(of key: CodingKeys) -> ValueForm {
    switch key {
    case .file, .timeColumn, .timeFormat, .date, .timezone, .dbc, .scanLayout, .lines: .text
    case .files, .select, .columns, .columnNames, .shift: .list(.text)
    case .skipLines: .wholeNumber(from: 0)
    case .timeUnit: .choice(TraceFormat.Unit.allCases.map(\.rawValue))
    case .skipBad, .startTogether: .flag
    case .sampleRate: .number
    case .times: .choice(TraceTimes.allCases.map(\.rawValue))
    case .rate: .either([.choice(["max"]), .number])
    case .maxGap, .reorder, .duration: .time
    case .from, .to: .traceInstant
    case .period: .period
    case .loop: .either([.choice(["forever"]), .wholeNumber(from: 1)])
    }
  }

  public init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder)
    try object.checkKeys()
    files = try Self.files(object)
    select = try Self.select(object)
    format = TraceFormat(
      timeColumn: try object.text(.timeColumn), timeUnit: try object.choice(.timeUnit),
      columns: try Self.columns(object), dbc: try object.text(.dbc))
    (format.timeFormat, format.date) = (try object.text(.timeFormat), try object.text(.date))
    format.timezone = try object.text(.timezone)
    format.period = try object.value(.period)
    format.skippedLines = try object.number(.skipLines, 0...)
    format.columnNames = try Self.columnNames(object)
    skipsBad = try object.flag(.skipBad) ?? false
    scans = try Self.scans(object)
    lines = try Self.lines(object)
    times = try object.choice(.times) ?? .recorded
    rate = try Self.rate(object)
    maxGap = try object.value(.maxGap)
    reorder = try object.value(.reorder)
    shifts = try Self.shifts(object, files)
    startsTogether = try object.flag(.startTogether) ?? false
    from = try object.value(.from)
    to = try object.value(.to)
    duration = try object.value(.duration)
    try checkWindow(object)
    loop = try Self.loop(object)
    if maxGap != nil, rate == nil {
      throw object.error(.maxGap, " shortens the waits of \"rate\": give \"rate\" too", about: .several)
    }
    if loop != .once, files.contains("-") {
      throw object.error(
        .loop, " reads the trace several times, but standard input can be read only once: write it to a file first")
    }
  }

  private func checkWindow(_ object: PlanObject<CodingKeys>) throws {
    if to != nil, duration != nil {
      throw object.error(.to, " and \"duration\" both say where the part ends: give one of them", about: .several)
    }
    if isEmptyWindow { throw object.error(.to, " is not later than \"from\"", about: .several) }
  }

  /// Whether its end is not after its start. Where one is a date and the other is not, only the trace knows.
  package var isEmptyWindow: Bool {
    switch (from, to) {
    case (.after(let from)?, .after(let to)?): to.nanoseconds <= from.nanoseconds
    case (.date(let from)?, .date(let to)?): to <= from
    default: false
    }
  }

  private static func files(_ object: PlanObject<CodingKeys>) throws -> [String] {
    let empty = " is empty: give a file, a folder, or - for standard input"
    let values: [PlanValue] = try object.list(.files)
    if values.isEmpty {
      let file = try object.required(.file, object.name(.file))
      if file.isEmpty { throw object.error(.file, empty) }
      return [file]
    }
    if try object.text(.file) != nil {
      throw object.error(.files, " has several traces, but \"file\" has one: leave out one of them")
    }
    var files: [String] = []
    for (index, value) in values.enumerated() {
      let place: [any CodingKey] = [CodingKeys.files, PlanKey(index)]
      guard case .text(let file) = value else { throw object.error(at: place, " takes a text, not \(value)") }
      if file.isEmpty { throw object.error(at: place, empty) }
      if file.hasControlCharacters { throw object.error(at: place, " has a line feed or another control character") }
      if files.contains(file) { throw object.error(at: place, ": \(value) is read already") }
      files.append(file)
    }
    return files
  }

  private static func select(_ object: PlanObject<CodingKeys>) throws -> [String] {
    let names: [PlanValue] = try object.list(.select)
    return try names.map { name in
      if case .text(let text) = name, !text.isEmpty { return text }
      throw object.error(.select, " takes STREAM, STREAM.channel or channel, not \(name)")
    }
  }

  private static func loop(_ object: PlanObject<CodingKeys>) throws -> ReplayLoop {
    guard let value: PlanValue = try object.value(.loop) else { return .once }
    if let loop = value.written.flatMap({ ReplayLoop($0) }) { return loop }
    throw object.error(.loop, " takes a number of rounds above 0, or forever, not \(value)")
  }

  private static func scans(_ object: PlanObject<CodingKeys>) throws -> RawScans? {
    let rate: PlanValue? = try object.value(.sampleRate)
    guard let layout = try object.text(.scanLayout) else {
      if rate == nil { return nil }
      throw object.error(
        .sampleRate, " gives times to a dump of an IIO buffer, and needs \"scan-layout\"", about: .several)
    }
    do throws(SluiceError) {
      return try RawScans(layout, sampleRate: rate.map { $0.written ?? "\($0)" })
    } catch {
      throw object.error(.scanLayout, ": \(error.cause)\(error.remedy.map { "; \($0)" } ?? "")")
    }
  }

  private static func lines(_ object: PlanObject<CodingKeys>) throws -> LineForm? {
    guard let text = try object.text(.lines) else { return nil }
    if try object.text(.scanLayout) != nil { throw object.error(.lines, " and \"scan-layout\": give one of them") }
    do throws(LineFault) { return try LineForm(text: text) } catch { throw object.error(.lines, ": \(error.cause)") }
  }

  private static func columns(_ object: PlanObject<CodingKeys>) throws -> [String] {
    let columns: [PlanValue] = try object.list(.columns)
    return try columns.map { column in
      guard let text = column.written, !text.isEmpty else {
        throw object.error(.columns, " takes names and numbers of columns, not \(column)")
      }
      return text
    }
  }

  private static func shifts(_ object: PlanObject<CodingKeys>, _ files: [String]) throws -> [TraceShift] {
    var shifted: Set<String> = []
    return try object.texts(.shift).map { text in
      guard let shift = TraceShift(text) else {
        throw object.error(.shift, " takes traces and times such as [\"b.csv+1.25s\"]")
      }
      guard files.contains(shift.trace) else {
        throw object.error(.shift, ": \(shift.trace) is not one of the traces", about: .several)
      }
      guard shifted.insert(shift.trace).inserted else {
        throw object.error(.shift, ": \(shift.trace) is shifted twice", about: .several)
      }
      return shift
    }
  }

  private static func columnNames(_ object: PlanObject<CodingKeys>) throws -> [String] {
    let names: [PlanValue] = try object.list(.columnNames)
    return try names.map { name in
      guard case .text(let text) = name, !text.isEmpty else {
        throw object.error(.columnNames, " takes names of columns, not \(name)")
      }
      return text
    }
  }

  private static func rate(_ object: PlanObject<CodingKeys>) throws -> Double? {
    guard let value: PlanValue = try object.value(.rate), value.written != "max" else { return nil }
    if let rate = value.written.flatMap(Double.init), rate > 0, rate.isFinite { return rate }
    throw object.error(.rate, " takes a number above 0, or max, not \(value)")
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if files.count == 1 {
      try container.encode(file, forKey: .file)
    } else {
      try container.encode(files, forKey: .files)
    }
    if !select.isEmpty { try container.encode(select, forKey: .select) }
    try container.encodeIfPresent(format.timeColumn, forKey: .timeColumn)
    try container.encodeIfPresent(format.dbc, forKey: .dbc)
    try container.encodeIfPresent(format.timeUnit?.rawValue, forKey: .timeUnit)
    try container.encodeIfPresent(format.timeFormat, forKey: .timeFormat)
    try container.encodeIfPresent(format.date, forKey: .date)
    try container.encodeIfPresent(format.timezone, forKey: .timezone)
    try container.encodeIfPresent(format.period, forKey: .period)
    try container.encodeIfPresent(format.skippedLines, forKey: .skipLines)
    if !format.columnNames.isEmpty { try container.encode(format.columnNames, forKey: .columnNames) }
    if !format.columns.isEmpty { try container.encode(format.columns, forKey: .columns) }
    if skipsBad { try container.encode(true, forKey: .skipBad) }
    try container.encodeIfPresent(scans?.layout, forKey: .scanLayout)
    try container.encodeIfPresent(scans?.sampleRate, forKey: .sampleRate)
    try container.encodeIfPresent(lines?.text, forKey: .lines)
    if times != .recorded { try container.encode(times.rawValue, forKey: .times) }
    if let rate {
      // JSON has no number for infinity or NaN. They become strings, which are refused when the plan is read.
      if rate.isFinite {
        try container.encode(rate, forKey: .rate)
      } else {
        try container.encode("\(rate)", forKey: .rate)
      }
    }
    try container.encodeIfPresent(maxGap, forKey: .maxGap)
    try container.encodeIfPresent(reorder, forKey: .reorder)
    if !shifts.isEmpty { try container.encode(shifts.map(\.description), forKey: .shift) }
    if startsTogether { try container.encode(true, forKey: .startTogether) }
    try container.encodeIfPresent(from, forKey: .from)
    if duration == nil { try container.encodeIfPresent(to, forKey: .to) }
    try container.encodeIfPresent(duration, forKey: .duration)
    switch loop {
    case .once: break
    case .rounds(let count): try container.encode(count, forKey: .loop)
    case .forever: try container.encode(loop.description, forKey: .loop)
    }
  }
}
