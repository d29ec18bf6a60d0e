import SluicePipeline
import SluiceReadings
import SluiceRecording

/// A random pipeline: a trace, and some commands after one another, each of which reads what the one before it has
/// written. The current folder is empty when it begins.
struct RandomPipeline {
  private var random: Randomness
  private let lineProtocol: LineProtocol?
  /// The commands so far, as a user can paste them.
  private(set) var lines: [String] = []
  /// Called with each command before it runs.
  var willRun: (Command) -> Void = { _ in }
  /// What the commands refused, as sentences.
  private(set) var refusals: [String] = []
  private(set) var statistics = Statistics()

  struct Statistics {
    var commands = 0
    var outputs: [String: Int] = [:]
    var stages: [String: Int] = [:]
    var endings: [String: Int] = [:]
  }

  /// What the next command reads.
  private struct Input {
    var paths: [String]
    /// What a reader has to find in it.
    var trace: Trace
    /// Whether the order of readings of different streams is known.
    var isOrdered = true
    /// Whether its values are raw, as metadata says.
    var isRaw = false
  }

  init(seed: UInt64, _ lineProtocol: LineProtocol?) {
    random = Randomness(seed: seed)
    self.lineProtocol = lineProtocol
  }

  /// - Throws: A ``Fault``, or the error of a command that had to read what another one has written.
  mutating func run() throws {
    var input: Input?
    for hop in 1...random.pick([1, 1, 2, 3]) {
      let isRecorded = hop == 1 && random.chance(3)
      if hop == 1, !isRecorded { input = try given() }
      var outputs = RandomOutputs(
        &random, named: "\(hop)", span: input?.trace.span ?? 5_000_000, count: input?.trace.readings.count ?? 400,
        mayBeRaw: input?.isRaw ?? false)
      let command = isRecorded ? try recording(&outputs) : command(input ?? Input(paths: [], trace: Trace()), &outputs)
      guard let recorded = try run(command, outputs, input) else { return }
      var next: [Input] = []
      for output in recorded {
        statistics.outputs[output.plan.formatName, default: 0] += 1
        guard let trace = try output.check(lineProtocol, note: { lines.append($0) }) else { continue }
        next.append(
          Input(paths: [output.plan.path], trace: trace, isOrdered: !output.plan.isFolder, isRaw: output.plan.raw))
      }
      guard !next.isEmpty else { return }
      input = random.pick(next)
    }
  }

  // MARK: Traces

  /// One or two traces of other programs, in the current folder.
  private mutating func given() throws -> Input {
    let first = try write("in")
    let isRaw = first.metadata != nil && first.trace.streams.contains { !$0.isScaled }
    let input = Input(paths: [first.name], trace: first.trace, isRaw: isRaw)
    guard random.chance(7) else { return input }
    let second = try write("also")
    let names = first.trace.streams.map { Array($0.name.utf8) }
    // Convert.md: "The streams keep their names. If two traces have a stream of the same name, an error names both files".
    guard !second.trace.streams.contains(where: { names.contains(Array($0.name.utf8)) }),
      !first.trace.goesBack, !second.trace.goesBack
    else { return input }
    return Input(paths: [first.name, second.name], trace: merged(first.trace, second.trace))
  }

  /// Convert.md: "Several traces are merged by time". "If two readings have the same time, the reading of the trace that was
  /// named first comes first."
  private func merged(_ first: Trace, _ second: Trace) -> Trace {
    var merged = first
    merged.streams += second.streams
    var rest = second.readings[...]
    var readings: [Reading] = []
    func shifted(_ reading: Reading) -> Reading {
      var reading = reading
      reading.stream.index += UInt16(first.streams.count)
      return reading
    }
    for reading in first.readings {
      while let next = rest.first, next.time < reading.time { readings.append(shifted(rest.removeFirst())) }
      readings.append(reading)
    }
    merged.readings = readings + rest.map(shifted)
    return merged
  }

  private mutating func write(_ name: String) throws -> TraceFile {
    let file = file(name)
    try writeFile(file.name, file.text)
    if let metadata = file.metadata { try writeFile("\(file.name)-metadata.json", metadata) }
    return file
  }

  private mutating func file(_ name: String) -> TraceFile {
    var limits = RandomTrace.Limits()
    let form = random.number(0...99)
    if form < 60 {
      limits.isDescribed = random.chance(60)
      let trace = trace(limits)
      // An empty file of no description is of no format.
      let isDescribed = limits.isDescribed || trace.readings.isEmpty
      return .jsonLines(trace, "\(name).jsonl", isDescribed: isDescribed, &random)
    }
    (limits.isDescribed, limits.hasFlags) = (false, false)
    if form < 80 { return .longRows(trace(limits), "\(name).csv") }
    limits.hasOddNames = false
    let trace = trace(limits)
    // Replay.md: without a column `STREAM.channel` the file is one stream.
    let isSplit = trace.streams.contains { $0.channels.count > 1 }
    return isSplit ? .wideRows(trace, "\(name).csv") : .longRows(trace, "\(name).csv")
  }

  private mutating func trace(_ limits: RandomTrace.Limits) -> Trace {
    var maker = RandomTrace(random: random)
    defer { random = maker.random }
    return maker.trace(limits)
  }

  // MARK: Commands

  private static let convertStages = Stages.names.filter {
    ![BufferStage.name, SelectStage.name, EveryStage.name, ThrottleStage.name, CollectStage.name].contains($0)
  }
  private static let replayStages = Stages.names.filter { $0 != SelectStage.name }

  /// `convert`, or `replay`, which has more stages and one trace.
  private mutating func command(_ input: Input, _ outputs: inout RandomOutputs) -> Command {
    let isReplay = input.paths.count == 1 && random.chance(40)
    var replay = ReplayPlan("")
    replay.files = input.paths
    var words = input.paths
    var stages = RandomStages(random, input.trace.streams, span: input.trace.span)
    var chosen: [RandomStages.Choice] = []
    if random.chance(10), let names = stages.selection() {
      replay.select = names
      words.append("--select=\(names.joined(separator: ","))")
    } else if random.chance(45) {
      chosen = stages.stages(isReplay ? Self.replayStages : Self.convertStages, percent: random.pick([6, 12, 25]))
    }
    random = stages.random
    if random.chance(5) {
      let window = TimeSpan(nanoseconds: max(1, input.trace.span / random.number(1...50)))
      replay.reorder = window
      words.append("--reorder=\(window)")
    }
    // The rounds are apart by the interval of the readings, or by a second: windows of a stage may be much shorter.
    if isReplay, chosen.isEmpty, random.chance(8) {
      replay.loop = ReplayLoop("2") ?? .once
      words.append("--loop=2")
    }
    if random.chance(5) {
      let age = max(1, input.trace.span / 3)
      let first = input.trace.readings.first?.time ?? 0
      let start: TraceInstant =
        EpochClock.isDate(first) && random.chance(50)
        ? .date(Int64(clamping: Int128(first) + Int128(age))) : .after(TimeSpan(nanoseconds: age))
      replay.from = start
      words.append("--from=\(start)")
    }
    for choice in chosen { statistics.stages[type(of: choice.stage.stage).name, default: 0] += 1 }
    // Those of a trace whose streams change in a selection are not known here.
    if replay.select.isEmpty, replay.loop == .once { giveStages(to: &outputs, stages.streams, span: input.trace.span) }
    var plan = RecordingPlan(replay: replay, stages: chosen.map(\.stage), outputs: outputs.plans)
    plan.sync = outputs.sync
    return Command(
      name: isReplay ? "replay" : "convert", words: words + chosen.flatMap(\.words) + outputs.words, plan: plan)
  }

  private static let outputStages = replayStages.filter {
    ![BufferStage.name, PulseCountStage.name, QuadratureStage.name].contains($0)
  }

  /// Gives some of the outputs stages and a buffer of their own.
  /// - Parameter streams: Those that reach the outputs.
  private mutating func giveStages(to outputs: inout RandomOutputs, _ streams: [StreamDescription], span: Int64) {
    for index in outputs.plans.indices where random.chance(12) {
      var stages = RandomStages(random, streams, span: span)
      let chosen = stages.stages(Self.outputStages, percent: random.pick([6, 12, 25]))
      random = stages.random
      let buffer = random.chance(30) ? random.number(1...500) : nil
      guard outputs.give(chosen, buffer: buffer, to: index) else { continue }
      for choice in chosen {
        statistics.stages["\(type(of: choice.stage.stage).name) of one output", default: 0] += 1
      }
    }
  }

  /// `record` from simulated sensors and timers, with names that a source may have.
  private mutating func recording(_ outputs: inout RandomOutputs) throws -> Command {
    let names = ["imu", "METER", "a b", "@z", "\u{e9}", "x.y", "time_ns"].shuffled(using: &random)
    let whats = ["sim:imu@20000,seed=\(random.number(0...99))", "sim:meter@30000,seed=7", "timer:50us"]
    let own = ["", "", "", ",every=3", ",throttle=200us", ",dedupe", ",throttle=1ms,first", ",collect=7"]
    let texts = zip(names, whats.shuffled(using: &random)).prefix(random.number(1...3)).map {
      "\($0)=\($1)\(random.pick(own))"
    }
    let sources = try texts.map { try SourcePlan($0) }
    for stage in sources.flatMap(\.stages) {
      statistics.stages["\(type(of: stage.stage).name) of one source", default: 0] += 1
    }
    let count = random.number(1...400)
    let streams = [StreamDescription(name: "none", channels: [])]
    var stages = RandomStages(random, streams, span: 20_000_000)
    let chosen =
      random.chance(30) ? stages.stages([DedupeStage.name, EveryStage.name, ThrottleStage.name], percent: 30) : []
    random = stages.random
    var plan = RecordingPlan(
      input: .sources(sources), stages: [.buffer()] + chosen.map(\.stage), outputs: outputs.plans)
    plan.limits.count = count
    plan.sync = outputs.sync
    return Command(
      name: "record", words: texts + ["--count=\(count)"] + chosen.flatMap(\.words) + outputs.words, plan: plan)
  }

  // MARK: Runs

  /// Runs a command once, or several times with `--append`.
  /// - Returns: What was written; nil if the command refuses.
  private mutating func run(_ command: Command, _ outputs: RandomOutputs, _ input: Input?) throws -> [Recorded]? {
    var recorded = outputs.plans.map { Recorded($0, of: command) }
    let isStopped = random.chance(8)
    var runs = 1
    if outputs.canAppend, random.chance(15) { runs = random.number(2...3) }
    // The run that is killed.
    let cutOffs = recorded.map { CutOff($0) }
    let killed = !cutOffs.contains { $0 == nil } && random.chance(25) ? random.number(0...runs - 1) : nil
    let ending = killed != nil ? "killed" : isStopped ? "stopped" : "clean"
    statistics.endings[ending + (runs > 1 ? " and appended" : ""), default: 0] += 1
    var command = command
    for number in 0..<runs {
      if number == 1 {
        command.words.append("--append")
        command.plan.outputs = outputs.appending.plans
      }
      lines.append(command.line)
      willRun(command)
      statistics.commands += 1
      let execution: Execution
      do throws(SluiceError) {
        execution = try Execution(command, stopAt: isStopped ? random.number(1...20) : nil) {
          if killed == number { for cutOff in cutOffs { cutOff?.look() } }
        }
      } catch {
        // Every command must read what another one has written, and `--append` what the same command has written.
        if error.action == "read" || number > 0 { throw Fault("\(error)") }
        refusals.append("\(error)")
        return nil
      }
      // Replay.md, on loops: "A time after the year 2262 is an error."
      if execution.status == 1, command.plan.replay?.loop ?? .once != .once {
        refusals.append(execution.account.errors.joined(separator: ", "))
        return nil
      }
      guard execution.status == 0 else { throw Fault("exit status \(execution.status): \(execution.account.errors)") }
      if let input { try check(execution, of: input) }
      for index in recorded.indices {
        recorded[index].runs.append(execution.runs[index])
        try check(execution, recorded[index], index)
        guard killed == number, let cutOff = cutOffs[index] else { continue }
        try recorded[index].cut(cutOff, &random, isLast: number == runs - 1) { lines.append($0) }
      }
    }
    return recorded
  }

  /// What the sources gave is what the trace has.
  private func check(_ execution: Execution, of input: Input) throws {
    let replay = execution.command.plan.replay
    guard replay?.select.isEmpty ?? false, replay?.reorder == nil, replay?.loop == .once, !execution.isStopped
    else { return }
    var trace = input.trace
    switch replay?.from {
    case .date(let start)?: trace.readings.removeAll { $0.time < start }
    // The first reading of several files is not known here.
    case .after? where !input.isOrdered: return
    case .after(let age)?:
      let start = Int64(clamping: Int128(trace.readings.first?.time ?? 0) + Int128(age.nanoseconds))
      trace.readings.removeAll { $0.time < start }
    case nil: break
    }
    let (found, expected) = (Contents(execution.received), Contents(trace))
    let fault = input.isOrdered ? difference(found, expected) : difference(found.byStream, expected.byStream)
    if let fault { throw Fault("the trace \(input.paths.joined(separator: ", ")): \(fault)") }
  }

  /// Account.md: "`received` and `made`, less `written`, `dropped`, `suppressed`, `used`, `discarded` and `unwritten`" is 0,
  /// and an output has written what its format keeps.
  private func check(_ execution: Execution, _ output: Recorded, _ index: Int) throws {
    let account = execution.account
    for (stream, counts) in account.streams.enumerated() {
      let received = execution.received.readings.count { Int($0.stream.index) == stream }
      // Of several outputs with stages of their own, it is the account of the one with most readings of the stream.
      let left = execution.runs.map { run in run.trace.readings.count { Int($0.stream.index) == stream } }
      let toWrite = counts.received - counts.dropped - counts.suppressed - counts.used + counts.made - counts.discarded
      if counts.received != received || !left.contains(toWrite) {
        throw Fault(
          "the account of \(counts.stream) has \(counts.received) received and \(toWrite) to write, and not \(received) and \(left)"
        )
      }
    }
    guard output.isKnown, account.outputs.indices.contains(index) else { return }
    let kept = RoundTrip.kept([execution.runs[index]], in: output.options)
    let written = account.outputs[index].streams.reduce(0) { $0 + $1.written }
    let unwritten = account.outputs[index].streams.reduce(0) { $0 + $1.unwritten }
    if written != kept.contents.rows.count || unwritten != kept.unwritten {
      throw Fault(
        "the account of \(output.plan.path) has \(written) written and \(unwritten) not, and not \(kept.contents.rows.count) and \(kept.unwritten)"
      )
    }
  }
}
