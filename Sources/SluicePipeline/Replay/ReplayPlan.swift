package import SluiceReadings
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
  /// It is made of its texts each time.
  public var scans: RawScans? {
    get { scanLayout.flatMap { try? RawScans($0, sampleRate: sampleRate) } }
    set { (scanLayout, sampleRate) = (newValue?.layout, newValue?.sampleRate) }
  }
  /// The text of ``scans``.
  private var scanLayout: String?
  private var sampleRate: String?
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
  /// Where it ends; nil for the end of the trace. Not with a ``duration``.
  public var to: TraceInstant?
  /// The length of the replayed part. Not with ``to``.
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
  package static let settings = Settings<Self>(
    .optional("file", \.onlyFile, file).says("The trace: a file, a folder, or - for standard input."),
    .optional("files", \.severalFiles, files).says("Several traces, which are merged by time."),
    .optional("select", \.select, .texts("STREAM, STREAM.channel or channel"))
      .option(
        "NAME,...",
        "Take only these, in this order: STREAM, STREAM.channel, or channel for this channel of all streams.",
        list: .commas),
    .optional("time-column", \.format.timeColumn, .text)
      .option(
        "C",
        "The time column: its name, or its number from 1; name:1 and number:1 if a column is called 1. (default: detected from the names)"
      ),
    .optional("dbc", \.format.dbc, .text)
      .option(
        "FILE", "Read a file of candump -L with this DBC file: each of its messages becomes a stream of signals.",
        completion: .files(endings: ["dbc"])),
    .optional("time-unit", \.format.timeUnit, .choice)
      .option("The unit of the time column; iso is text such as 2024-03-01T12:00:00Z. (default: detected)"),
    .optional("time-format", \.format.timeFormat, .text)
      .option(
        "FORMAT",
        "How the text of times is written, such as '%d.%m.%Y %H:%M:%S' or '%m/%d/%Y %I:%M:%S %p'."),
    .optional("date", \.format.date, .text)
      .option(
        "DATE",
        "The date of the first row, such as 2024-03-14, if the times have none. After midnight it is the next day."),
    .optional("timezone", \.format.timezone, .text)
      .option(
        "ZONE",
        "The zone of times without one, such as Europe/Berlin; local is that of this machine. (default: UTC)"),
    .optional("period", \.format.period, .part(.period).explaining(RowPeriod.form) { TimeReason.why($0) })
      .option(
        "T",
        "The time from one row to the next, such as 10ms or 100Hz, if the rows have no times. With a rate, each time is rounded to nanoseconds separately, so errors do not add up."
      )
      .excludes("time-column", "time-unit", "time-format", "date", "timezone") {
        " gives times to rows that have none: leave it out, or leave out \(setting: $0)"
      },
    .optional("skip-lines", \.format.skippedLines, .count(0...))
      .option("N", "Leave out this many lines before the header. (default: detected)"),
    .optional("column-names", \.format.columnNames, .texts("names of columns"))
      .option(
        "NAME,...", "The names of all columns. Use it to replace the names of the header, or if there is no header.",
        list: .commas),
    .optional("columns", \.format.columns, .texts("names and numbers of columns") { $0.written })
      .option(
        "C,...",
        "Read only these columns of CSV, in this order: names, or numbers from 1. For JSON Lines of another program: names of members.",
        list: .commas),
    .optional("skip-bad", \.skipsBad, .flag)
      .option("Leave out and count rows that cannot be read. (default: the first such row ends the run)"),
    .optional("scan-layout", \.scanLayout, .text)
      .option(
        "CHANNEL,...",
        "Read a dump of an IIO buffer with these channels, in the order of their indices. Each is NAME=TYPE [+OFFSET] [*SCALE] [UNIT], such as 'accel_x=le:s12/16>>4 *0.0005 m/s^2, timestamp=le:s64/64>>0'."
      )
      .excludes(ofTables) { " is for a dump of an IIO buffer, which is no table: leave out \(setting: $0)" },
    .optional("sample-rate", \.sampleRate, rateOfScans)
      .option("HZ", "The scans per second, if --scan-layout has no timestamp, such as 400.")
      .needs(
        "scan-layout", says: " gives times to a dump of an IIO buffer: give \(setting: "scan-layout") too"),
    .optional("lines", \.lines, lineForm)
      .option(
        "time=C[,as=...]",
        "Read the lines of a sensor, such as a log of a serial port. time= names the value with the time; the rest is as for sources of lines."
      )
      .excludes(ofTables + ["scan-layout"]) { " has settings of its own: leave out \(setting: $0)" },
    .optional("times", \.times, .choice)
      .option(
        "Use the recorded times, or correct them with the clock of the metadata. (default: recorded)"),
    .optional("rate", \.rate, speed)
      .option(
        "N|max",
        "Replay N times as fast as recorded: 1 is the recorded speed, max does not wait. (default: max)"),
    .optional("max-gap", \.maxGap, .time)
      .option(
        "T",
        "With --rate: wait no longer than T between two readings, such as 5s. T is a time of the trace; times in the output do not change."
      )
      .needs("rate", says: " shortens the waits of \(setting: "rate"): give \(setting: "rate") too"),
    .optional("reorder", \.reorder, .time)
      .option(
        "T",
        "Put readings into the order of their times if they are out of order by no more than T, such as 50ms. Others are late."
      ),
    .optional("shift", \.shifts, shiftsForm)
      .option(
        "TRACE+T|TRACE-T",
        "Add a time to all times of one trace, such as b.csv+1.25s or b.csv-50ms. Can be repeated.", list: .repeated),
    .optional("start-together", \.startsTogether, .flag)
      .option("Count the times of each trace from its first reading, and then apply --shift."),
    .optional("from", \.from, .part(.traceInstant))
      .says("Where the replay begins: a time after the first reading, or a date."),
    .optional("to", \.to, .part(.traceInstant)).says(
      "Where the replay ends: a time after the first reading, or a date."
    )
    .excludes("duration") { " and \(setting: $0) both say where the part ends: give one of them" },
    .optional("duration", \.duration, .time).says("The length of the part that is replayed."),
    .optional("loop", \.loop, loopForm)
      .option(
        "N|forever",
        "Replay the trace N times, or until it is stopped. The times of each round continue after the previous round. (default: 1)"
      )
  ) { ReplayPlan("") }

  /// What only tables have.
  private static let ofTables = [
    "time-column", "time-unit", "time-format", "date", "timezone", "period", "skip-lines", "column-names", "columns",
  ]

  init(plan node: PlanNode) throws(Fault) {
    let object = try PlanObject(node, keys: Self.settings.keys)
    try object.checkKeys()
    if try object.text("file") != nil, try !object.elements("files").isEmpty {
      throw object.error("files", " has several traces, but \"file\" has one: leave out one of them")
    }
    self = try Self.settings.decode(object)
    if files == [""] { _ = try object.required("file", String?.none) }
    do throws(Fault) { try check() } catch { throw error.inside(node.path) }
  }

  /// - Throws: The first broken rule about settings together.
  package func check() throws(Fault) {
    try Self.settings.check(self)
    try checkRules()
  }

  private func checkRules() throws(Fault) {
    if isEmptyWindow { throw Fault(rule: "to", says: " is not later than \(setting: "from")") }
    if let scanLayout {
      do throws(SluiceError) { _ = try RawScans(scanLayout, sampleRate: sampleRate) } catch {
        throw Fault(rule: "scan-layout", says: ": \(error.cause)\(error.remedy.map { "; \($0)" } ?? "")")
      }
    }
    var shifted: Set<String> = []
    for shift in shifts {
      guard files.contains(shift.trace) else {
        throw Fault(rule: "shift", says: ": \(shift.trace) is not one of the traces")
      }
      guard shifted.insert(shift.trace).inserted else {
        throw Fault(rule: "shift", says: ": \(shift.trace) is shifted twice; give the sum of both times")
      }
    }
    if loop != .once, files.contains("-") {
      throw Fault(
        rule: "loop",
        says: " reads the trace several times, but standard input can be read only once: write it to a file first")
    }
  }

  /// Whether its end is not after its start. Where one is a date and the other is not, only the trace knows.
  package var isEmptyWindow: Bool {
    switch (from, to) {
    case (.after(let from)?, .after(let to)?): to.nanoseconds <= from.nanoseconds
    case (.date(let from)?, .date(let to)?): to <= from
    default: false
    }
  }

  var json: JSON { .object(Self.settings.members(self)) }

  // MARK: Files

  private var onlyFile: String? {
    get { files.count == 1 ? files[0] : nil }
    set { files = [newValue ?? ""] }
  }

  private var severalFiles: [String] {
    get { files.count == 1 ? [] : files }
    set { if !newValue.isEmpty { files = newValue } }
  }

  private static func name(_ node: PlanNode) throws(Fault) -> String {
    let name = try node.name()
    if name.isEmpty { throw node.fault(" is empty: give a file, a folder, or - for standard input") }
    return name
  }

  private static let file = Form<String>(
    .text, { node throws(Fault) in try name(node) }, json: { .string($0) })

  private static let files = Form<[String]>(.list(.text)) { node throws(Fault) in
    var files: [String] = []
    for element in try node.elements() {
      let file = try name(element)
      if files.contains(file) { throw element.fault(": \(element.json.shown) is read already") }
      files.append(file)
    }
    return files
  } json: {
    .array($0.map { .string($0) })
  }

  // MARK: Forms

  private static let rateOfScans = Form<String>(.number, "a number of hertz, such as 400 or 12.5") { json in
    json.written.flatMap { text in ExactDecimal(text).flatMap { ScanClock(rate: $0) } == nil ? nil : text }
  } json: {
    .string($0)
  }

  private static let lineForm = Form<LineForm>(.text) { node throws(Fault) in
    let text = try node.text()
    do throws(LineFault) { return try LineForm(text: text) } catch { throw node.fault(": \(error.cause)") }
  } json: {
    .string($0.text)
  }

  private static let speed = Form<Double?>(.either([.choice(["max"]), .number])) { node throws(Fault) in
    if node.json.written == "max" { return nil }
    if let rate = node.json.written.flatMap(Double.init), rate > 0, rate.isFinite { return rate }
    throw node.fault(" takes a number above 0, or max, not \(node.json.shown)")
  } json: { rate in
    // JSON has no number for infinity or NaN. They become strings, which are refused when the plan is read.
    rate.map { (try? JSON(encoding: $0)) ?? .string("\($0)") } ?? .string("max")
  }.explaining("a number above 0, or max")

  private static let shiftsForm = Form<[TraceShift]>(.list(.text)) { node throws(Fault) in
    var shifts: [TraceShift] = []
    for text in try node.texts() {
      guard let shift = TraceShift(text) else {
        throw node.fault(" takes a trace and a time, such as b.csv+1.25s, not \(quoted(text, atMost: 64))")
      }
      shifts.append(shift)
    }
    return shifts
  } json: {
    .array($0.map { .string($0.description) })
  }

  private static let loopForm = Form<ReplayLoop>(
    .either([.choice(["forever"]), .wholeNumber(from: 1)]), "a number of rounds above 0, or forever"
  ) {
    $0.written.flatMap { ReplayLoop($0) }
  } json: { loop in
    loop.count.map { JSON($0) } ?? .string(loop.description)
  }
}
