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
  /// By output, what its last stage gave, and where its flags are noted.
  let runs: [Run]
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
    let stages = command.plan.stages
    let taps = Self.taps(stages)
    var plan = command.plan
    plan.stages = Self.tapped(stages, taps)
    // By number of a source with stages of its own, what it gave.
    var given: [Int: Tap] = [:]
    if case .sources(var sources) = plan.input {
      for index in sources.indices where !sources[index].stages.isEmpty {
        let tap = Tap()
        given[index] = tap
        sources[index].stages.insert(StagePlan(TapStage(tap)), at: 0)
      }
      plan.input = .sources(sources)
    }
    let own = plan.outputs.map { Self.taps($0.stages) }
    for index in plan.outputs.indices where !plan.outputs[index].stages.isEmpty {
      plan.outputs[index].stages = Self.tapped(plan.outputs[index].stages, own[index])
    }

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
    let received = Self.received(taps[0].trace, given)
    self.received = received
    let traces = [received] + taps.dropFirst().map(\.trace)
    runs = command.plan.outputs.enumerated().map { number, output in
      let all = (stages + output.stages).map(\.stage)
      let last = output.stages.isEmpty ? taps.last?.trace : own[number].last?.trace
      var run = Run(
        last ?? Trace(),
        noted: Self.noted(all, output.stages.isEmpty ? traces : traces + own[number].dropFirst().map(\.trace)))
      run.isRestarted = received.readings.contains { $0.flags.contains(.restart) }
      return run
    }
  }

  /// One before the first stage, and one behind each.
  private static func taps(_ stages: [StagePlan]) -> [Tap] { (0...stages.count).map { _ in Tap() } }

  private static func tapped(_ stages: [StagePlan], _ taps: [Tap]) -> [StagePlan] {
    [StagePlan(TapStage(taps[0]))] + zip(stages, taps.dropFirst()).flatMap { [$0, StagePlan(TapStage($1))] }
  }

  /// What the sources gave: those with stages of their own have left out some of it since. Each random source has one
  /// stream.
  private static func received(_ trace: Trace, _ given: [Int: Tap]) -> Trace {
    var received = trace
    received.readings.removeAll { given[Int($0.stream.index)] != nil }
    for (stream, tap) in given {
      received.readings += tap.trace.readings.map { reading in
        var reading = reading
        reading.stream = StreamID(UInt16(stream))
        return reading
      }
    }
    return received
  }

  /// For each stream, the readings at the place where its flags are noted.
  private static func noted(_ stages: [any RecordingStage], _ traces: [Trace]) -> [[Reading]] {
    traces[0].streams.indices.map { stream in
      let maker = stages.indices.last {
        makes(stages[$0], traces[$0].streams[stream], traces[$0 + 1].streams[stream])
      }
      let first = maker.map { $0 + 1 } ?? 0
      let noted = traces[first].readings.filter { Int($0.stream.index) == stream }
      return stages.indices.dropFirst(first).reduce(noted) { noted, stage in
        guard stages[stage] is WhileStage || stages[stage] is AroundStage else { return noted }
        return noted + gaps(traces[stage], traces[stage + 1], stream)
      }
    }
  }

  /// Stages.md: "The first reading of a stream in a window has the gap flag if readings of the stream were left out before
  /// it."
  private static func gaps(_ before: Trace, _ after: Trace, _ stream: Int) -> [Reading] {
    var rest = before.readings.filter { Int($0.stream.index) == stream }[...]
    return after.readings.filter { Int($0.stream.index) == stream }.compactMap { reading in
      while let first = rest.first, first.time != reading.time || !reading.values.starts(with: first.values) {
        rest.removeFirst()
      }
      guard let was = rest.popFirst(), reading.flags.contains(.gapBefore), !was.flags.contains(.gapBefore) else {
        return nil
      }
      var gap = reading
      gap.flags = .gapBefore
      return gap
    }
  }

  /// Whether a stage makes the readings of a stream. Most stages that do give them other channels.
  private static func makes(
    _ stage: any RecordingStage, _ before: StreamDescription, _ after: StreamDescription
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
