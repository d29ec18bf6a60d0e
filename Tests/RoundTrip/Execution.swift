import Sluice
import SluicePipeline
import SluiceReadings
import SluiceRecording

/// A command that has run in this process, with the readings that passed its stages.
struct Execution {
  let command: Command
  let account: Account
  /// What the sources gave.
  let received: Trace
  /// What the last stage gave, and where its flags are noted.
  let run: Run
  let isStopped: Bool

  /// The exit status, as `sluice` has it without `--max-loss`.
  var status: Int32 { account.hasFailed ? 1 : account.unaccounted != 0 ? 4 : 0 }

  /// - Parameters:
  ///   - stop: The number of readings behind the last stage after which it is stopped; nil to run to its end.
  ///   - seen: Called once while it runs, when all its files have begun.
  /// - Throws: If the command refuses to begin.
  init(_ command: Command, stopAt stop: Int? = nil, whileRunning seen: @escaping @Sendable () -> Void = {})
    throws(SluiceError)
  {
    self.command = command
    try command.plan.validate()
    let stages = command.plan.stages.map(\.stage)
    let taps = (0...stages.count).map { _ in Tap() }
    var plan = command.plan
    plan.stages = [StagePlan(TapStage(taps[0]))]
    for (stage, tap) in zip(stages, taps.dropFirst()) { plan.stages += [StagePlan(stage), StagePlan(TapStage(tap))] }

    var context = RecordingContext()
    context.command = Account.Command(rawValue: command.name)
    context.arguments = command.words
    let recording = try Recording(plan, context)
    // The tap must not retain the recording.
    let running = Locked(Recording?.some(recording))
    taps[stages.count].onReading { count in
      if count == 1 { seen() }
      if count == stop { running.withLock { $0 }?.stop() }
    }
    recording.start()
    account = recording.wait()
    running.withLock { $0 = nil }
    isStopped = stop != nil
    received = taps[0].trace
    var run = Run(taps[stages.count].trace, noted: Self.noted(stages, taps.map(\.trace)))
    run.isRestarted = received.readings.contains { $0.flags.contains(.restart) }
    self.run = run
  }

  /// For each stream, the readings at the place where its flags are noted.
  private static func noted(_ stages: [any PipelineStage], _ traces: [Trace]) -> [[Reading]] {
    traces[0].streams.indices.map { stream in
      let maker = stages.indices.last {
        makes(stages[$0], traces[$0].streams[stream], traces[$0 + 1].streams[stream])
      }
      return traces[maker.map { $0 + 1 } ?? 0].readings.filter { Int($0.stream.index) == stream }
    }
  }

  /// Whether a stage makes the readings of a stream. Most stages that do give them other channels.
  private static func makes(
    _ stage: any PipelineStage, _ before: StreamDescription, _ after: StreamDescription
  ) -> Bool {
    let isLine = before.channels.count == 1 && before.channels[0].format == StreamDescription.Channel.level
    return switch stage {
    // Stages.md: "For a line, `mean` and `linear` give its levels, if the trace says that the stream is a line."
    case let stage as ResampleStage: stage.method != .linear || !isLine
    case is ReduceStage: true
    default: type(of: stage).makes && before != after
    }
  }
}
