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

  func validate() throws {
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
    let format = TraceFormat(
      timeColumn: timeColumn, timeUnit: timeUnit, columns: columns?.names ?? [], dbc: dbc)
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
