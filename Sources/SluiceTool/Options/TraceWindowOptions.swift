import ArgumentParser
import SluiceAnalysis
import SluicePipeline

/// A part of the time of a trace: `--from T --to T`, or `--from T --duration T`.
struct TraceWindowOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Start at T after the first reading, such as 10s. 'sluice plot' also takes -10m before the last one, a time of day such as 13:00, and a date such as 2026-11-21T12:00:00Z.",
      valueName: "T"))
  var from: PlotInstant?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End at T after the first reading. Only 'sluice plot' also takes the other forms that --from lists.",
      valueName: "T"))
  var to: PlotInstant?

  @Option(parsing: .unconditional, help: ArgumentHelp("Take only a part of this length, such as 1m.", valueName: "T"))
  var duration: TimeSpan?

  func validate() throws {
    if to != nil, duration != nil {
      throw ValidationError("--to and --duration both say where the part ends; give one of them")
    }
  }

  /// Whether only a part of the time is read.
  var isPart: Bool { from != nil || to != nil || duration != nil }

  /// The times after the first reading.
  /// - Throws: If a time is a date, or if the end is not after the start.
  func span() throws -> (start: TimeSpan?, duration: TimeSpan?) {
    let first = try Self.offset(from, "--from")
    let start = first.flatMap { $0 > 0 ? TimeSpan(nanoseconds: $0) : nil }
    guard let end = try Self.offset(to, "--to") else { return (start, duration) }
    guard end > first ?? 0 else { throw ValidationError("--to is not later than --from") }
    return (start, TimeSpan(nanoseconds: end - (first ?? 0)))
  }

  private static func offset(_ instant: PlotInstant?, _ option: String) throws -> Int64? {
    switch instant {
    case .offset(let offset)?: return offset
    case .date?:
      throw ValidationError("\(option) takes a time after the first reading, such as 10s; only plot takes a date")
    case .beforeEnd?, .timeOfDay?:
      throw ValidationError(
        "\(option) takes a time after the first reading, such as 10s; only plot takes a time of day or a time before the end"
      )
    case nil: return nil
    }
  }
}
