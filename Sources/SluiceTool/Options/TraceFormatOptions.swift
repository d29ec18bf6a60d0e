import ArgumentParser
import SluicePipeline
import SluiceReadings
public import SluiceRecording

extension TraceFormat.Unit: NamedChoice {}

/// The options for the format of a trace.
struct TraceFormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The time column: its name, or its number from 1; name:1 and number:1 if a column is called 1. (default: detected from the names)",
      valueName: "C"))
  var timeColumn: String?

  @Option(
    help: ArgumentHelp(
      "The unit of the time column; iso is text such as 2024-03-01T12:00:00Z. (default: detected)",
      valueName: "s|ms|us|ns|iso"))
  var timeUnit: TraceFormat.Unit?

  @Option(
    help: ArgumentHelp(
      "How the text of times is written, such as '%d.%m.%Y %H:%M:%S' or '%m/%d/%Y %I:%M:%S %p'.",
      valueName: "FORMAT"))
  var timeFormat: String?

  @Option(
    help: ArgumentHelp(
      "The date of the first row, such as 2024-03-14, if the times have none. After midnight it is the next day.",
      valueName: "DATE"))
  var date: String?

  @Option(
    help: ArgumentHelp(
      "The zone of times without one, such as Europe/Berlin; local is that of this machine. (default: UTC)",
      valueName: "ZONE"))
  var timezone: String?

  @Option(
    help: ArgumentHelp(
      "The time from one row to the next, such as 10ms or 100Hz, if the rows have no times. The times of a rate are rounded to nanoseconds, each by itself.",
      valueName: "T"))
  var period: PeriodArgument?

  @Option(
    help: ArgumentHelp("Leave out this many lines before the header. (default: detected)", valueName: "N"))
  var skipLines: Int?

  @Option(
    help: ArgumentHelp(
      "The names of all columns, instead of those of the header, or if there is none.", valueName: "NAME,..."))
  var columnNames: NameList?

  @Option(
    help: ArgumentHelp(
      "Read only these columns of CSV, in this order: names, or numbers from 1. For JSON Lines of another program: names of members.",
      valueName: "C,..."))
  var columns: NameList?

  @Option(
    help: ArgumentHelp(
      "Read a file of candump -L with this DBC file: each of its messages becomes a stream of signals.",
      valueName: "FILE"),
    completion: .file(extensions: ["dbc"]))
  var dbc: String?

  @Flag(help: "Leave out and count rows that cannot be read. (default: the first such row ends the run)")
  var skipBad = false

  @Option(
    help: ArgumentHelp(
      "Read a dump of an IIO buffer with these channels, in the order of their indices. Each is NAME=TYPE [+OFFSET] [*SCALE] [UNIT], such as 'accel_x=le:s12/16>>4 *0.0005 m/s^2, timestamp=le:s64/64>>0'.",
      valueName: "CHANNEL,..."))
  var scanLayout: String?

  @Option(
    help: ArgumentHelp("The scans per second, if --scan-layout has no timestamp, such as 400.", valueName: "HZ"))
  var sampleRate: String?

  @Option(
    help: ArgumentHelp(
      "Read the lines of a sensor, such as a log of a serial port. time= names the value with the time; the rest is as for sources of lines.",
      valueName: "time=C[,as=...]"))
  var lines: String?

  private var isOfTable: Bool {
    timeFormat != nil || date != nil || timezone != nil || period != nil || skipLines != nil || columnNames != nil
  }

  func validate() throws {
    if lines != nil || scanLayout != nil, isOfTable {
      throw ValidationError(
        "--time-format, --date, --timezone, --period, --skip-lines and --column-names are for tables; leave them out, or leave out "
          + (lines != nil ? "--lines" : "--scan-layout"))
    }
    if let skipLines, skipLines < 0 { throw ValidationError("--skip-lines takes a number of lines from 0 on") }
    if period != nil, timeColumn != nil || timeUnit != nil || timeFormat != nil || date != nil || timezone != nil {
      throw ValidationError(
        "--period gives times to rows that have none; leave it out, or leave out the options of a time column")
    }
    if lines != nil, timeColumn != nil || timeUnit != nil || columns != nil || scanLayout != nil {
      throw ValidationError(
        "--lines has settings of its own; leave out --time-column, --time-unit, --columns and --scan-layout")
    }
    if sampleRate != nil, scanLayout == nil {
      throw ValidationError("--sample-rate gives times to a dump of an IIO buffer; give --scan-layout too")
    }
    if scanLayout != nil, timeColumn != nil || timeUnit != nil || columns != nil {
      throw ValidationError(
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
        throw ValidationError("--lines: \(error.cause)")
      }
    }
    return plan
  }
}
