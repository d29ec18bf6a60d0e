public import ArgumentParser
import SluicePipeline
import SluiceReadings
public import SluiceRecording

extension TraceFormat.Unit: ExpressibleByArgument {}
extension TraceTimes: ExpressibleByArgument {}

/// How a trace is read.
struct TraceReadOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The time column, by its name or its number from 1; by default it is found by its name.", valueName: "C"))
  var timeColumn: String?

  @Option(
    help: ArgumentHelp(
      "The unit of the time column; iso is text such as 2024-03-01T12:00:00Z. By default it is found.",
      valueName: "s|ms|us|ns|iso"))
  var timeUnit: TraceFormat.Unit?

  @Option(
    help: ArgumentHelp(
      "Read only these columns of a CSV file, or members of JSON Lines of another program, in this order: names, or numbers of columns from 1.",
      valueName: "C,..."))
  var columns: ColumnList?

  @Flag(help: "Leave out and count rows that cannot be read; without it the first ends the run.")
  var skipBad = false

  @Option(
    help: ArgumentHelp(
      "The file is a dump of an IIO buffer: its channels in the order of their indices, each as NAME=TYPE [+OFFSET] [*SCALE] [UNIT], such as 'accel_x=le:s12/16>>4 *0.0005 m/s^2, timestamp=le:s64/64>>0'.",
      valueName: "CHANNEL,..."))
  var scanLayout: String?

  @Option(
    help: ArgumentHelp("With --scan-layout without a timestamp: how many scans there are per second.", valueName: "HZ"))
  var sampleRate: String?

  @Option(
    help: ArgumentHelp(
      "Times as they were recorded, or corrected by what the metadata knows of the clock.",
      valueName: "recorded|corrected"))
  var times: TraceTimes = .recorded

  @Option(
    help: ArgumentHelp(
      "Put readings into the order of their times that are out of order by no more than T; others are late.",
      valueName: "T"))
  var reorder: TimeSpan?

  func validate() throws {
    if sampleRate != nil, scanLayout == nil {
      throw ValidationError("--sample-rate gives times to a dump of an IIO buffer; give --scan-layout too")
    }
  }

  /// The plan of these traces, read from their beginnings to their ends.
  func plan(_ files: [String]) throws -> ReplayPlan {
    let format = TraceFormat(timeColumn: timeColumn, timeUnit: timeUnit, columns: columns?.columns ?? [])
    var plan = ReplayPlan("", format: format, times: times)
    (plan.files, plan.skipsBad, plan.reorder) = (files, skipBad, reorder)
    plan.scans = try scanLayout.map { layout throws(SluiceError) in try RawScans(layout, sampleRate: sampleRate) }
    return plan
  }
}
