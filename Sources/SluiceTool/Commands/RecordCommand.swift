import ArgumentParser
import Sluice
import SluiceDevices
import SluiceRecording

extension PauseMode: ExpressibleByArgument {}

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record from devices until stopped by Ctrl-C, or by --duration or --count.",
    discussion: """
      Example: sluice record --timer 1ms --duration 2s -o t.csv

      SIGUSR1 pauses, SIGUSR2 resumes, SIGINT, SIGTERM and SIGHUP end the recording with everything received written.
      """
  )

  @OptionGroup(title: "Sources") var sources: SourceOptions

  @Option(help: ArgumentHelp("Stop after T, such as 500ms, 90s or 5m.", valueName: "T"))
  var duration: DurationArgument?

  @Option(help: ArgumentHelp("Stop after N readings.", valueName: "N"))
  var count: Int?

  @Option(help: ArgumentHelp("Stop when nothing has come for T, such as 30s.", valueName: "T"))
  var idleTimeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "While paused: hold readings in the buffer, or discard and count them.", valueName: "hold|discard"))
  var pauseMode: PauseMode = .hold

  @Flag(help: "Begin paused; SIGUSR2 resumes.")
  var startPaused = false

  @OptionGroup(title: "Operators") var operators: OperatorOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  /// Enough for half a minute at 1 kHz: 3.4 MB a stream, and the command stays below 24 MB with one.
  static let defaultBuffer = 32_768

  func validate() throws {
    if sources.si, output.raw {
      throw ValidationError("--raw writes what the device gave, and --si another unit: take one")
    }
    if let count, count < 1 { throw ValidationError("--count takes 1 or more readings") }
  }

  func run() throws {
    try reportingErrors {
      let clock = EpochClock()
      let began = RecordingMetadata.Instant.now(clock)
      let sources = try sources.open()
      let metadata = try RunMetadata(
        RecordingMetadata(
          sources, operators, output, bufferSize: Self.defaultBuffer, command: "record", began: began), output)
      let pipeline = try Pipeline(
        sources, operators, output, bufferSize: Self.defaultBuffer, pauseMode: pauseMode, count: count, clock: clock)
      try Session(
        pipeline: pipeline, metadata: metadata, output: output, verb: "recorded", duration: duration,
        idleTimeout: idleTimeout,
        startPaused: startPaused
      ).run()
    }
  }
}
