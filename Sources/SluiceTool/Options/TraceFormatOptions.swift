import SluiceArguments
import SluicePipeline
import SluiceReadings
package import SluiceRecording

extension TraceFormat.Unit: NamedChoice {}

/// The options for the format of a trace.
struct TraceFormatOptions: ArgumentGroup {
  var timeColumn: String?
  var timeUnit: TraceFormat.Unit?
  var timeFormat: String?
  var date: String?
  var timezone: String?
  var period: PeriodArgument?
  var skipLines: Int?
  var columnNames: NameList?
  var columns: NameList?
  var dbc: String?
  var skipBad = false
  var scanLayout: String?
  var sampleRate: String?
  var lines: String?

  static var rows: [ArgumentRow<Self>] {
    [
      .option(
        "time-column", "C",
        "The time column: its name, or its number from 1; name:1 and number:1 if a column is called 1. (default: detected from the names)",
        \.timeColumn),
      .option(
        "time-unit", "s|ms|us|ns|iso",
        "The unit of the time column; iso is text such as 2024-03-01T12:00:00Z. (default: detected)", \.timeUnit),
      .option(
        "time-format", "FORMAT",
        "How the text of times is written, such as '%d.%m.%Y %H:%M:%S' or '%m/%d/%Y %I:%M:%S %p'.", \.timeFormat),
      .option(
        "date", "DATE",
        "The date of the first row, such as 2024-03-14, if the times have none. After midnight it is the next day.",
        \.date),
      .option(
        "timezone", "ZONE",
        "The zone of times without one, such as Europe/Berlin; local is that of this machine. (default: UTC)",
        \.timezone),
      .option(
        "period", "T",
        "The time from one row to the next, such as 10ms or 100Hz, if the rows have no times. The times of a rate are rounded to nanoseconds, each by itself.",
        \.period),
      .option("skip-lines", "N", "Leave out this many lines before the header. (default: detected)", \.skipLines),
      .option(
        "column-names", "NAME,...", "The names of all columns, instead of those of the header, or if there is none.",
        \.columnNames),
      .option(
        "columns", "C,...",
        "Read only these columns of CSV, in this order: names, or numbers from 1. For JSON Lines of another program: names of members.",
        \.columns),
      .option(
        "dbc", "FILE",
        "Read a file of candump -L with this DBC file: each of its messages becomes a stream of signals.", \.dbc,
        completion: .files(endings: ["dbc"])),
      .flag(
        "skip-bad", "Leave out and count rows that cannot be read. (default: the first such row ends the run)",
        \.skipBad),
      .option(
        "scan-layout", "CHANNEL,...",
        "Read a dump of an IIO buffer with these channels, in the order of their indices. Each is NAME=TYPE [+OFFSET] [*SCALE] [UNIT], such as 'accel_x=le:s12/16>>4 *0.0005 m/s^2, timestamp=le:s64/64>>0'.",
        \.scanLayout),
      .option(
        "sample-rate", "HZ", "The scans per second, if --scan-layout has no timestamp, such as 400.", \.sampleRate),
      .option(
        "lines", "time=C[,as=...]",
        "Read the lines of a sensor, such as a log of a serial port. time= names the value with the time; the rest is as for sources of lines.",
        \.lines),
    ]
  }

  private var isOfTable: Bool {
    timeFormat != nil || date != nil || timezone != nil || period != nil || skipLines != nil || columnNames != nil
  }

  func validate() throws {
    if lines != nil || scanLayout != nil, isOfTable {
      throw ArgumentFault(
        "--time-format, --date, --timezone, --period, --skip-lines and --column-names are for tables; leave them out, or leave out "
          + (lines != nil ? "--lines" : "--scan-layout"))
    }
    if let skipLines, skipLines < 0 { throw ArgumentFault("--skip-lines takes a number of lines from 0 on") }
    if period != nil, timeColumn != nil || timeUnit != nil || timeFormat != nil || date != nil || timezone != nil {
      throw ArgumentFault(
        "--period gives times to rows that have none; leave it out, or leave out the options of a time column")
    }
    if lines != nil, timeColumn != nil || timeUnit != nil || columns != nil || scanLayout != nil {
      throw ArgumentFault(
        "--lines has settings of its own; leave out --time-column, --time-unit, --columns and --scan-layout")
    }
    if sampleRate != nil, scanLayout == nil {
      throw ArgumentFault("--sample-rate gives times to a dump of an IIO buffer; give --scan-layout too")
    }
    if scanLayout != nil, timeColumn != nil || timeUnit != nil || columns != nil {
      throw ArgumentFault(
        "a dump of an IIO buffer has no columns; leave out --time-column, --time-unit and --columns, or --scan-layout")
    }
  }

  /// The plan of these traces, read from their beginnings to their ends.
  func plan(_ files: [String]) throws -> ReplayPlan {
    var format = TraceFormat(
      timeColumn: timeColumn, timeUnit: timeUnit, columns: columns?.names ?? [], dbc: dbc)
    (format.timeFormat, format.date, format.timezone) = (timeFormat, date, timezone)
    (format.period, format.skippedLines) = (period?.period, skipLines)
    format.columnNames = columnNames?.names ?? []
    var plan = ReplayPlan("", format: format)
    (plan.files, plan.skipsBad) = (files, skipBad)
    plan.scans = try scanLayout.map { layout throws(SluiceError) in try RawScans(layout, sampleRate: sampleRate) }
    plan.lines = try lines.map { text in
      do throws(LineFault) { return try LineForm(text: text) } catch {
        throw ArgumentFault("--lines: \(error.cause)")
      }
    }
    return plan
  }
}
