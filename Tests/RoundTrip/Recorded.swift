import SluiceAnalysis
import SluicePipeline
import SluiceReadings
import SluiceRecording

/// An output, and everything that was written into it: checks that its readers take it.
struct Recorded {
  let plan: OutputPlan
  var runs: [Run] = []
  /// Whether it was recorded, and not replayed or converted.
  let isRecorded: Bool
  let hasStages: Bool
  /// Whether a run into it was killed.
  var isCut = false

  init(_ plan: OutputPlan, of command: Command) {
    self.plan = plan
    isRecorded = command.plan.replay == nil
    hasStages = !command.plan.stages.isEmpty || !plan.stages.isEmpty
  }

  var options: FileOptions {
    var options = FileOptions(format: plan.formatName, decimals: plan.decimals)
    options.hasParts = plan.rotation != nil
    options.isFolder = plan.isFolder
    options.isRaw = plan.raw
    options.isRecorded = isRecorded
    if case let period? = plan.rotation?.period { options.period = period.nanoseconds }
    return options
  }

  var kept: Kept { RoundTrip.kept(runs, in: options) }

  /// Whether it is known which readings its format leaves out. For VCD in parts of a size it is not: the rows at which
  /// the parts begin are not known, and each part begins its times anew.
  var isKnown: Bool {
    plan.formatName != "vcd" || plan.rotation?.size == nil
      || !runs.contains { $0.trace.goesBack || hasOddLevels($0.trace) }
  }

  /// Whether the metadata says which rows have flags. It lists times, so where times go back, or several rows of a part have
  /// one time, it says it of one of them.
  private var areFlagsKnown: Bool {
    // A run that was killed has listed nothing.
    if isCut { return false }
    // Restarts are listed by the time at which the recording began again, and stages give their readings other times.
    if hasStages, runs.contains(where: \.isRestarted) { return false }
    let isLeavingOut = runs.contains { run in
      zip(run.noted, Run.byStream(run.trace)).contains { $0.count > $1.count }
    }
    guard plan.rotation != nil || isLeavingOut else { return true }
    return runs.count == 1
      && Run.byStream(runs[0].trace).allSatisfy { readings in
        zip(readings, readings.dropFirst()).allSatisfy { $0.time < $1.time }
      }
  }

  /// Whether a row of the wide layout may have several readings: those of one device and time.
  private var sharesRows: Bool {
    let devices = (runs.last?.trace.streams ?? []).compactMap(\.device)
    return Set(devices).count < devices.count
  }

  private func hasOddLevels(_ trace: Trace) -> Bool {
    trace.readings.contains { reading in reading.values.contains { $0 != .zero && $0 != .one } }
  }

  var isReadable: Bool { plan.formatName != "influx" }

  /// The files, in the order in which they are read.
  func files() throws(SluiceError) -> [String] {
    if plan.isFolder { return try recordings(in: plan.path, endingIn: Traces.extensions + ["lp"]) }
    guard plan.rotation != nil else { return [plan.path] }
    let name = plan.path.split(separator: ".").last.map(String.init) ?? ""
    let beginning = plan.path.dropLast(name.count)
    return try recordings(in: ".", endingIn: [name]).map { String($0.dropFirst(2)) }.filter { $0.hasPrefix(beginning) }
  }

  // MARK: Checks

  /// - Returns: The trace as a replay gives it; nil if the format is no trace.
  /// - Parameter note: Called with the line of each command.
  func check(_ protocol: LineProtocol?, note: (String) -> Void) throws -> Trace? {
    let files = try files()
    for file in files where plan.formatName != "sqlite" {
      guard let metadata = try TraceMetadata(beside: file) else { throw Fault("\(file) has no metadata") }
      if !isCut, metadata.state != .finished { throw Fault("the metadata of \(file) does not say that it is finished") }
    }
    let kept = kept
    guard isReadable else {
      try checkLines(files, kept.contents, `protocol`)
      return nil
    }
    // A folder without a stream has no file, and a recording without a reading no part.
    if files.isEmpty, kept.contents.streams.isEmpty || plan.rotation != nil && kept.contents.rows.isEmpty { return nil }
    if isCut {
      note(Command.line(["repair", plan.path]))
      _ = try RecordingRepair(plan.path, formats: Traces.repairs).run(isDryRun: false)
    }
    note(Command.line(["verify", plan.path]))
    try verify(kept)
    note(Command.line(["info", plan.path]))
    let info = try TraceInfo(ReplayPlan(plan.path))
    if let error = info.error { throw Fault("info: \(error)") }
    let received = try replay(note: note)
    var found = Contents(received)
    guard isKnown else { return received }
    if info.readings != kept.contents.rows.count {
      throw Fault("info finds \(info.readings) readings, and not \(kept.contents.rows.count)")
    }
    var expected = kept.contents
    if !areFlagsKnown {
      found.removeFlags()
      expected.removeFlags()
    }
    // The files of a folder are merged by time.
    let difference = plan.isFolder ? difference(found.byStream, expected.byStream) : difference(found, expected)
    if let difference { throw Fault("the replay of \(plan.path): \(difference)") }
    return received
  }

  private func replay(note: (String) -> Void) throws -> Trace {
    let replay = Command(
      name: "replay", words: [plan.path, "-o", "-", "--format", "jsonl"],
      plan: RecordingPlan(replay: ReplayPlan(plan.path), outputs: [OutputPlan("/dev/null", format: "jsonl")]))
    note(replay.line)
    let execution = try Execution(replay)
    if execution.status != 0 { throw Fault("the replay ends with \(execution.status): \(execution.account.errors)") }
    return execution.received
  }

  /// Cuts the last run off, and leaves of it what a reader finds: whole readings from its beginning, and all that the file
  /// has.
  mutating func cut(_ cutOff: CutOff, _ random: inout Randomness, isLast: Bool, note: (String) -> Void) throws {
    let isCSV = plan.formatName == "csv"
    // Record.md: "In the long layout a reading has one row per channel: if one row is missing, the other rows of the reading
    // are cut off too."
    let isLong = try isCSV && TraceReader(path: plan.path).layout == .long
    guard let last = runs.indices.last, isLong || !isCSV || !sharesRows,
      let size = try cutOff.cut(&random, isAppended: last > 0, mayTearHeader: !isLast, isCSV: isCSV)
    else { return }
    isCut = true
    note("# the run was killed: \(plan.path) has \(size) bytes, and the metadata of the running command")
    var lines = cutOff.lines(before: size, isCSV: isCSV)
    for number in runs.indices {
      let streams = runs[number].trace.streams
      let whole = runs[number].trace.readings.prefix { reading in
        let rows = isLong ? streams[Int(reading.stream.index)].channels.count : 1
        if rows > lines { lines = 0 }
        lines -= rows
        return lines >= 0
      }
      if number == last { runs[number] = Run(Trace(streams: streams, readings: Array(whole))) }
    }
  }

  /// Verify.md: "The exit status is 0 if there is no problem". Of the warnings, only these may be there, and only if they are
  /// true: "`order`: whether the times of a stream go back"; the message of the reader that it has rounded a number; "if a run was killed, nobody knows how many readings it had
  /// written. Then `account` is a warning".
  private func verify(_ kept: Kept) throws {
    for finding in try RecordingCheck.findings(plan.path, ReplayPlan("")) {
      switch finding.verdict {
      case .ok: continue
      case .warning where finding.check == "order" && goesBack(kept.contents): continue
      case .warning where kept.isRounded && finding.check == "rows": continue
      case .warning where isCut && ["metadata", "account"].contains(finding.check): continue
      default: throw Fault("verify says \(finding.verdict) \(finding.check): \(finding.meaning)")
      }
    }
  }

  /// Whether the times of a stream go back.
  private func goesBack(_ contents: Contents) -> Bool {
    contents.streams.indices.contains { stream in
      let rows = contents.rows.filter { $0.stream == stream }
      return zip(rows, rows.dropFirst()).contains { $0.time > $1.time }
    }
  }

  private func checkLines(_ files: [String], _ contents: Contents, _ protocol: LineProtocol?) throws {
    guard let `protocol`, isKnown, !plan.path.hasSuffix(".zst") else { return }
    // The files of a folder have one stream each.
    let fault = try `protocol`.fault(
      of: files, contents, plan.tags, isByMeasurement: plan.isFolder, runs: runs.count)
    if let fault {
      throw Fault("line protocol: \(fault)")
    }
  }
}
