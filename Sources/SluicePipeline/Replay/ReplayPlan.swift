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

extension ReplayPlan: PlanPart {
  /// The keys in their order, and how their values are written.
  static let forms: [(key: String, form: ValueForm)] = [
    ("file", .text), ("files", .list(.text)), ("select", .list(.text)), ("time-column", .text),
    ("time-unit", .choice(TraceFormat.Unit.allCases.map(\.rawValue))), ("time-format", .text), ("date", .text),
    ("timezone", .text), ("period", .period), ("skip-lines", .wholeNumber(from: 0)), ("column-names", .list(.text)),
    ("columns", .list(.text)), ("dbc", .text), ("skip-bad", .flag), ("scan-layout", .text), ("sample-rate", .number),
    ("lines", .text), ("times", .choice(TraceTimes.allCases.map(\.rawValue))),
    ("rate", .either([.choice(["max"]), .number])), ("max-gap", .time), ("reorder", .time), ("shift", .list(.text)),
    ("start-together", .flag), ("from", .traceInstant), ("to", .traceInstant), ("duration", .time),
    ("loop", .either([.choice(["forever"]), .wholeNumber(from: 1)])),
  ]

  init(plan node: PlanNode) throws(PlanFault) {
    let object = try PlanObject(node, keys: Self.forms.map { PlanKey($0.key) })
    try object.checkKeys()
    files = try Self.files(object)
    select = try Self.texts(object, "select", "STREAM, STREAM.channel or channel")
    format = TraceFormat(
      timeColumn: try object.text("time-column"),
      timeUnit: try object.value("time-unit", Form<TraceFormat.Unit>.choice),
      columns: try Self.texts(object, "columns", "names and numbers of columns") { $0.written },
      dbc: try object.text("dbc"))
    (format.timeFormat, format.date) = (try object.text("time-format"), try object.text("date"))
    format.timezone = try object.text("timezone")
    format.period = try object.value("period")
    format.skippedLines = try object.number("skip-lines", 0...)
    format.columnNames = try Self.texts(object, "column-names", "names of columns")
    skipsBad = try object.flag("skip-bad") ?? false
    scans = try Self.scans(object)
    lines = try Self.lines(object)
    times = try object.value("times", Form<TraceTimes>.choice) ?? .recorded
    rate = try Self.rate(object)
    maxGap = try object.value("max-gap")
    reorder = try object.value("reorder")
    shifts = try Self.shifts(object, files)
    startsTogether = try object.flag("start-together") ?? false
    from = try object.value("from")
    to = try object.value("to")
    duration = try object.value("duration")
    try checkWindow(object)
    loop = try Self.loop(object)
    if maxGap != nil, rate == nil {
      throw object.error("max-gap", " shortens the waits of \"rate\": give \"rate\" too", about: .several)
    }
    if loop != .once, files.contains("-") {
      throw object.error(
        "loop", " reads the trace several times, but standard input can be read only once: write it to a file first")
    }
  }

  private func checkWindow(_ object: PlanObject) throws(PlanFault) {
    if to != nil, duration != nil {
      throw object.error("to", " and \"duration\" both say where the part ends: give one of them", about: .several)
    }
    if isEmptyWindow { throw object.error("to", " is not later than \"from\"", about: .several) }
  }

  /// Whether its end is not after its start. Where one is a date and the other is not, only the trace knows.
  package var isEmptyWindow: Bool {
    switch (from, to) {
    case (.after(let from)?, .after(let to)?): to.nanoseconds <= from.nanoseconds
    case (.date(let from)?, .date(let to)?): to <= from
    default: false
    }
  }

  private static func files(_ object: PlanObject) throws(PlanFault) -> [String] {
    let empty = " is empty: give a file, a folder, or - for standard input"
    let elements = try object.elements("files")
    if elements.isEmpty {
      let file = try object.required("file", object.name("file"))
      if file.isEmpty { throw object.error("file", empty) }
      return [file]
    }
    if try object.text("file") != nil {
      throw object.error("files", " has several traces, but \"file\" has one: leave out one of them")
    }
    var files: [String] = []
    for element in elements {
      let file = try element.name()
      if file.isEmpty { throw element.fault(empty) }
      if files.contains(file) { throw element.fault(": \(element.json.shown) is read already") }
      files.append(file)
    }
    return files
  }

  /// The texts of a list, none of them empty.
  /// - Parameter sentence: What the list takes: `names of columns`.
  private static func texts(
    _ object: PlanObject, _ key: PlanKey, _ sentence: String, _ text: (JSON) -> String? = { $0.string }
  ) throws(PlanFault) -> [String] {
    var texts: [String] = []
    for element in try object.elements(key) {
      guard let text = text(element.json), !text.isEmpty else {
        throw object.error(key, " takes \(sentence), not \(element.json.shown)")
      }
      texts.append(text)
    }
    return texts
  }

  private static func loop(_ object: PlanObject) throws(PlanFault) -> ReplayLoop {
    guard let value = object.member("loop")?.json else { return .once }
    if let loop = value.written.flatMap({ ReplayLoop($0) }) { return loop }
    throw object.error("loop", " takes a number of rounds above 0, or forever, not \(value.shown)")
  }

  private static func scans(_ object: PlanObject) throws(PlanFault) -> RawScans? {
    let rate = object.member("sample-rate")?.json
    guard let layout = try object.text("scan-layout") else {
      if rate == nil { return nil }
      throw object.error(
        "sample-rate", " gives times to a dump of an IIO buffer, and needs \"scan-layout\"", about: .several)
    }
    do throws(SluiceError) {
      return try RawScans(layout, sampleRate: rate.map { $0.written ?? $0.shown })
    } catch {
      throw object.error("scan-layout", ": \(error.cause)\(error.remedy.map { "; \($0)" } ?? "")")
    }
  }

  private static func lines(_ object: PlanObject) throws(PlanFault) -> LineForm? {
    guard let text = try object.text("lines") else { return nil }
    if try object.text("scan-layout") != nil { throw object.error("lines", " and \"scan-layout\": give one of them") }
    do throws(LineFault) { return try LineForm(text: text) } catch { throw object.error("lines", ": \(error.cause)") }
  }

  private static func shifts(_ object: PlanObject, _ files: [String]) throws(PlanFault) -> [TraceShift] {
    var shifted: Set<String> = []
    var shifts: [TraceShift] = []
    for text in try object.texts("shift") {
      guard let shift = TraceShift(text) else {
        throw object.error("shift", " takes traces and times such as [\"b.csv+1.25s\"]")
      }
      guard files.contains(shift.trace) else {
        throw object.error("shift", ": \(shift.trace) is not one of the traces", about: .several)
      }
      guard shifted.insert(shift.trace).inserted else {
        throw object.error("shift", ": \(shift.trace) is shifted twice", about: .several)
      }
      shifts.append(shift)
    }
    return shifts
  }

  private static func rate(_ object: PlanObject) throws(PlanFault) -> Double? {
    guard let value = object.member("rate")?.json, value.written != "max" else { return nil }
    if let rate = value.written.flatMap(Double.init), rate > 0, rate.isFinite { return rate }
    throw object.error("rate", " takes a number above 0, or max, not \(value.shown)")
  }

  var json: JSON {
    var members: [(String, JSON)] = []
    func add(_ key: String, _ value: JSON?) { if let value { members.append((key, value)) } }
    func add(_ key: String, texts: [String]) { if !texts.isEmpty { add(key, .array(texts.map { .string($0) })) } }
    func add(_ key: String, text: String?) { add(key, text.map { .string($0) }) }
    if files.count == 1 { add("file", text: file) } else { add("files", .array(files.map { .string($0) })) }
    add("select", texts: select)
    add("time-column", text: format.timeColumn)
    add("dbc", text: format.dbc)
    add("time-unit", text: format.timeUnit?.rawValue)
    add("time-format", text: format.timeFormat)
    add("date", text: format.date)
    add("timezone", text: format.timezone)
    add("period", format.period?.json)
    add("skip-lines", format.skippedLines.map { JSON($0) })
    add("column-names", texts: format.columnNames)
    add("columns", texts: format.columns)
    add("skip-bad", skipsBad ? .bool(true) : nil)
    add("scan-layout", text: scans?.layout)
    add("sample-rate", text: scans?.sampleRate)
    add("lines", text: lines?.text)
    add("times", text: times == .recorded ? nil : times.rawValue)
    // JSON has no number for infinity or NaN. They become strings, which are refused when the plan is read.
    add("rate", rate.map { (try? JSON(encoding: $0)) ?? .string("\($0)") })
    add("max-gap", maxGap?.json)
    add("reorder", reorder?.json)
    add("shift", texts: shifts.map(\.description))
    add("start-together", startsTogether ? .bool(true) : nil)
    add("from", from?.json)
    if duration == nil { add("to", to?.json) }
    add("duration", duration?.json)
    switch loop {
    case .once: break
    case .rounds(let count): add("loop", JSON(count))
    case .forever: add("loop", text: loop.description)
    }
    return .object(members)
  }
}
