import ArgumentParser
import Dispatch
import Sluice
import SluiceRecording

extension TraceFormat.Unit: ExpressibleByArgument {}

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Send a recorded trace through the operators, by its own time: same trace, same options, same bytes.",
    discussion: "Example: sluice replay walk.csv --throttle 100ms -o slow.csv"
  )

  @Argument(help: ArgumentHelp("A CSV file with a time column; - for standard input.", valueName: "TRACE"))
  var trace: String

  @Option(help: ArgumentHelp("The name of the time column.", valueName: "C"))
  var timeColumn = "time_ns"

  @Option(help: ArgumentHelp("The unit of the time column.", valueName: "s|ms|us|ns"))
  var timeUnit: TraceFormat.Unit = .nanoseconds

  @Option(help: ArgumentHelp("Times faster than recorded; max does not wait at all.", valueName: "N|max"))
  var rate: RateArgument = .unlimited

  @Option(help: ArgumentHelp("Leave out what comes earlier than T after the first reading.", valueName: "T"))
  var start: DurationArgument?

  @Option(help: ArgumentHelp("Replay only so much of the trace.", valueName: "T"))
  var duration: DurationArgument?

  @OptionGroup(title: "Operators") var operators: OperatorOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  func run() throws {
    try reportingErrors {
      guard !isSameFile(trace, output.output) else {
        throw SluiceError(
          .usage, "write", output.output, because: "it is the trace that is to be replayed", remedy: "give another -o")
      }
      let reader = try TraceReader(path: trace, format: TraceFormat(timeColumn: timeColumn, timeUnit: timeUnit))
      guard !reader.isGrowing else {
        throw SluiceError(
          .unsupported, "replay", trace,
          because: "its streams are only known at its end",
          remedy: "give it as a file")
      }
      let replay = Publishers.Replay(reader, window: window)
      let pace = rate.times.map { Pace(rate: $0) }
      var source = Source(streams: reader.streams, waits: true) { _, _ in
        guard let pace else { return replay.eraseToAnyPublisher() }
        return replay.map { reading in
          pace.wait(for: reading.time)
          return reading
        }.eraseToAnyPublisher()
      }
      source.finish = {
        replay.end()
        pace?.end()
      }
      if pace == nil { source.blocks = { _, _ in replay.blocks.eraseToAnyPublisher() } }
      // A trace waits for its reader: there is nothing to keep unless a buffer is asked for.
      let metadata = try RunMetadata(
        RecordingMetadata([source], operators, output, bufferSize: 0, command: "replay"), output)
      let pipeline = try Pipeline([source], operators, output, bufferSize: 0)
      try Session(pipeline: pipeline, metadata: metadata, output: output, verb: "replayed").run()
    }
  }

  /// Nil for everything, also what is earlier than the first reading.
  private var window: Range<Int64>? {
    guard start != nil || duration != nil else { return nil }
    let from = start?.nanoseconds ?? 0
    let (to, overflow) = from.addingReportingOverflow(duration?.nanoseconds ?? .max)
    return (start == nil ? .min : from)..<(overflow ? .max : to)
  }
}

/// How much faster than it was recorded a trace is replayed.
enum RateArgument: ExpressibleByArgument, Equatable {
  case unlimited
  case times(Double)

  init?(argument: String) {
    if argument == "max" {
      self = .unlimited
    } else if let times = Double(argument), times > 0, times.isFinite {
      self = .times(times)
    } else {
      return nil
    }
  }

  var times: Double? { if case .times(let times) = self { times } else { nil } }

  var defaultValueDescription: String { "max" }
}

/// Holds readings back to the pace of the wall clock.
private final class Pace {
  private let rate: Double
  private var begin: (time: Int64, at: DispatchTime)?
  private let ended = DispatchSemaphore(value: 0)

  init(rate: Double) { self.rate = rate }

  func wait(for time: Int64) {
    let begin = begin ?? (time, .now())
    self.begin = begin
    let age = max(0, Double(time) - Double(begin.time)) / rate
    let due = begin.at + .nanoseconds(Int(exactly: age.rounded()) ?? .max)
    // A sleep that cannot be too short, but that can be ended, and all others with it.
    if ended.wait(timeout: due) == .success { end() }
  }

  /// From any thread.
  func end() { ended.signal() }
}
