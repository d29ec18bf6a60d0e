import Sluice
package import SluicePipeline
package import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Checks whether the rows, the order, the metadata and the account of a recording agree. It reads everything once,
/// block by block.
package struct RecordingCheck {
  let path: String
  var findings: [Finding] = []
  private(set) var rows = Rows()
  /// The process that still writes the file; nil if there is none.
  private var running: RunningRecording?

  /// The rows that were read.
  struct Rows {
    var streams: [StreamDescription] = []
    var metadata: TraceMetadata?
    /// The number of readings per stream.
    var counts: [Int] = []
    var lastTimes: [Int64?] = []
    var stepsBack: [Int: StepsBack] = [:]
    var intervals: [Intervals] = []
    var isComplete = false
    /// The messages of the reader while it opened the trace, and after that.
    var opening: [String] = []
    var reading: [String] = []
    /// The error that ended the read.
    var error: SluiceError?
    /// The number of unreadable rows that were left out, and the fault of the first.
    var skipped = (count: 0, first: SluiceError?.none)
    var total: Int { counts.reduce(0, +) }
  }

  /// Readings of a stream whose time is before that of the previous reading.
  struct StepsBack {
    var count = 0
    /// The number of the first such reading, from 1, its time, and the time of the previous reading.
    let first: (number: Int, time: Int64, before: Int64)
  }

  /// The options for reading.
  private var plan: ReplayPlan

  private init(_ path: String, _ plan: ReplayPlan) {
    self.path = path
    self.plan = plan
    self.plan.files = [path]
  }

  /// - Parameters:
  ///   - path: A trace, or a folder of traces.
  ///   - plan: The options for reading. Its files are not used.
  /// - Throws: If there is nothing to check.
  package static func findings(_ path: String, _ plan: ReplayPlan) throws(SluiceError) -> [Finding] {
    guard let identity = FileIdentity(path: path) else {
      if let parts = RecordedParts(of: path, Compressions.all) {
        return of(parts) + restarts(of: parts) + parts.paths.flatMap { of($0, plan) }
      }
      throw SluiceError(.notFound, "verify", path, because: "there is no such file or folder")
    }
    guard identity.isDirectory else { return of(path, plan) }
    let paths = try recordings(in: path, endingIn: Traces.extensions).filter {
      FileIdentity(path: $0)?.isRegular ?? false
    }
    guard !paths.isEmpty else {
      throw SluiceError(
        .notFound, "verify", path, because: "it is a folder without a recording",
        remedy: "give a file, or the folder of a recording")
    }
    let folder = path.hasSuffix("/") ? path : path + "/"
    let series = RecordedParts.all(of: paths.map { String($0.dropFirst(folder.count)) }, in: folder, Compressions.all)
    return series.flatMap { of($0) + restarts(of: $0) + $0.paths.flatMap { of($0, plan) } }
  }

  /// Checks whether parts are missing. Each part is compared with its own metadata.
  private static func of(_ parts: RecordedParts) -> [Finding] {
    guard !parts.isFile, let oldest = parts.oldest, let newest = parts.newest else { return [] }
    do throws(SluiceError) { try parts.check() } catch { return [.problem("parts", "\(error)")] }
    let remedy = "look for a copy; nothing else has what is missing"
    if let text = parts.missingText { return [.problem("parts", text, remedy)] }
    let bytes = try? SystemFiles().contents(of: parts.path + PartIndex.suffix, limit: 64 << 10)
    let index = bytes.flatMap { PartIndex($0) }
    let writer = RunningRecording.writer(of: parts)
    // A part may have begun after the parts were listed.
    if let last = index?.last, last > newest, writer == nil {
      return [.problem("parts", "\(parts.path): there was a part \(last), and the newest is \(newest)", remedy)]
    }
    // This is not certainly a problem: the count of removed parts may have been lost with the index.
    if let removed = index?.removedParts, oldest - 1 > removed {
      return [
        .warning(
          "parts",
          "\(parts.path): the first part is \(oldest), and --keep has removed \(removed == 1 ? "1 part" : "\(removed) parts")",
          "look for a copy of the parts before, if nobody removed them on purpose")
      ]
    }
    let running = writer.map { "; it is \(RunningRecording($0).text)" } ?? ""
    return [.ok("parts", "\(parts.path): no part is missing up to number \(newest)\(running)")]
  }

  private static func of(_ path: String, _ plan: ReplayPlan) -> [Finding] {
    var check = RecordingCheck(path, plan)
    let writer = RunningRecording.writer(of: [path])
    if let empty = check.empty(writer) { return [empty] }
    check.read()
    check.running = RunningRecording(writer, check.rows.metadata, [path])
    // While a recording writes a row, the file has only its beginning. The reader leaves it out.
    let isWhole = check.running != nil || check.checkTail()
    check.checkRows(isWhole: isWhole)
    guard check.rows.isComplete || check.rows.metadata != nil || check.rows.total > 0 else { return check.findings }
    check.checkOrder()
    check.checkGaps()
    check.checkMetadata()
    check.checkRuns()
    check.checkRestarts()
    check.checkTotals()
    check.checkAccount(isWhole: isWhole)
    return check.findings
  }

  /// The finding about a file of 0 bytes without metadata; nil for any other file. A run that is killed before its
  /// first write leaves such a file. If there is metadata, its account says what the run has written.
  private func empty(_ writer: RunningRecording.Writer?) -> Finding? {
    guard fileSize(of: path) == 0, FileIdentity(path: path)?.isRegular ?? false, !MetadataFile(beside: path).exists
    else { return nil }
    if let writer { return .ok("rows", "\(path): it has no row so far; it is \(RunningRecording(writer).text)") }
    if PartName(fileName(of: path)) != nil {
      return .ok("rows", "\(path): it has no row, because its run was killed before the first one")
    }
    return .warning(
      "rows", "\(path): it is empty",
      "if it is a recording, its run was killed before the first row; a recording with --append continues it")
  }

  // MARK: Rows

  /// - Returns: Whether all rows are complete. True for a format that cannot show it.
  private mutating func checkTail() -> Bool {
    let repair = RecordingRepair(path, formats: Traces.repairs)
    if let damage = try? repair.inspectFormat() { return checkFormat(damage) }
    // For other kinds, the reader reports a torn tail.
    guard let tail = try? repair.inspect(isWholeFile: false) else { return true }
    if !tail.isEmpty {
      findings.append(.problem("rows", "\(path): \(tail.sentence)", "sluice repair \(quotedForShell(path))"))
      return false
    }
    guard let all = try? repair.inspect(isWholeFile: true), !all.isEmpty else { return true }
    findings.append(
      .problem(
        "rows", "\(path): from byte \(all.end) on something is damaged that was on the disk before the last run",
        "look for a copy; the rows before are good"))
    return false
  }

  /// - Returns: Whether nothing is damaged.
  private mutating func checkFormat(_ damage: FormatDamage) -> Bool {
    let remedy = "sluice repair \(quotedForShell(path))"
    for fault in damage.faults { findings.append(.problem("rows", fault, remedy)) }
    if !damage.tail.isEmpty { findings.append(.problem("rows", "\(path): \(damage.tail.sentence)", remedy)) }
    for fault in damage.repairs { findings.append(.problem("index", fault, remedy)) }
    return damage.faults.isEmpty && damage.tail.isEmpty
  }

  private mutating func read() {
    let warnings = Locked<[String]>([])
    let sentences = { warnings.withLock { $0 } }
    do throws(SluiceError) {
      let trace = try plan.reader(plan.changes) { sentence in warnings.withLock { $0.append(sentence) } }
      rows.opening = sentences()
      (rows.metadata, rows.streams) = (trace.metadata, trace.streams)
      defer { rows.skipped = trace.skippedRows }
      try readAll(trace)
      rows.isComplete = true
    } catch {
      rows.error = error
    }
    rows.reading = Array(sentences().dropFirst(rows.opening.count))
  }

  private mutating func checkRows(isWhole: Bool) {
    if let error = rows.error {
      let isMetadata = error.object != path
      // A torn tail has been reported already, and the error of its last row adds nothing.
      if isWhole || isMetadata {
        findings.append(.problem(isMetadata ? "metadata" : "rows", "\(error)"))
      }
    }
    let waiting = WaitingSpill.sentences([path], rows.metadata?.plan)
    for sentence in rows.opening where !sentence.hasPrefix(RunsFile(beside: path).path) {
      findings.append(.warning(waiting.contains(sentence) ? "spill" : "metadata", sentence))
    }
    if let first = rows.skipped.first {
      let rows = rows.skipped.count == 1 ? "1 row" : "\(grouped(rows.skipped.count)) rows"
      findings.append(.problem("rows", "\(path): \(rows) cannot be read; the first is \(first.cause)"))
    }
    // The reader also reports the rows that it has left out, and the row that a running recording is writing.
    for sentence in rows.reading
    where isWhole && running == nil && !sentence.hasSuffix(rows.skipped.first?.cause ?? "\n") {
      findings.append(.warning("rows", sentence))
    }
    guard isWhole, rows.isComplete, rows.skipped.count == 0, !findings.contains(where: { $0.check == "rows" }) else {
      return
    }
    // A stage may have left out all readings of a stream.
    let count = rows.streams.count { !$0.channels.isEmpty }
    let streams = count == 1 ? "1 stream" : "\(grouped(count)) streams"
    let readings = rows.total == 1 ? "1 reading" : "\(grouped(rows.total)) readings"
    findings.append(
      .ok("rows", "\(path): \(readings) of \(streams)\(running == nil ? "" : " so far"), every row is whole"))
  }

  private mutating func readAll(_ trace: TraceReader) throws(SluiceError) {
    var readings = [Reading](repeating: .empty, count: 512)
    rows.counts = Array(repeating: 0, count: rows.streams.count)
    rows.lastTimes = Array(repeating: nil, count: rows.streams.count)
    rows.intervals = Array(repeating: Intervals(of: rows.streams.count), count: rows.streams.count)
    while case let count = try trace.next(into: &readings), count > 0 {
      for reading in readings[..<count] { add(reading) }
    }
  }

  private mutating func add(_ reading: Reading) {
    let stream = Int(reading.stream.index)
    guard rows.counts.indices.contains(stream) else { return }
    rows.counts[stream] += 1
    // The recording has already counted it as late.
    if !reading.flags.isDisjoint(with: [.late, .uncertainTime, .possibleDuplicate]) { return }
    if let before = rows.lastTimes[stream] {
      if reading.time < before {
        let first = (rows.counts[stream], reading.time, before)
        rows.stepsBack[stream, default: StepsBack(first: first)].count += 1
      } else {
        let length = UInt64(bitPattern: reading.time &- before)
        rows.intervals[stream].add(length, after: rows.counts[stream] - 1, at: before)
      }
    }
    rows.lastTimes[stream] = reading.time
  }

  // MARK: Findings about the rows

  private mutating func checkOrder() {
    for (index, steps) in rows.stepsBack.sorted(by: { $0.key < $1.key }) {
      let times = steps.count == 1 ? "once" : "\(grouped(steps.count)) times"
      let (number, time, before) = steps.first
      findings.append(
        .warning(
          "order",
          "\(path): the times of \(rows.streams[index].name) go back \(times), first from \(before) to \(time) at its reading \(grouped(number))",
          "the clock of the machine may have been set; sort by time what needs it"))
    }
    if rows.stepsBack.isEmpty, rows.isComplete {
      findings.append(.ok("order", "\(path): the times of each stream never go back"))
    }
  }

  /// The metadata of a recording has its losses. In any other trace, only a fixed rate shows gaps.
  private mutating func checkGaps() {
    guard rows.metadata == nil else { return }
    for (stream, intervals) in zip(rows.streams, rows.intervals) {
      guard !stream.isLine, let regular = intervals.regular, regular.gaps > 0 else { continue }
      let first = intervals.longest.filter { Double($0.length) > regular.limit }.min { $0.reading < $1.reading }
      let gaps = regular.gaps == 1 ? "1 gap" : "\(grouped(regular.gaps)) gaps"
      let missing = regular.missing == 1 ? "1 reading is" : "\(grouped(regular.missing)) readings are"
      let place = regular.gaps > Intervals.kept ? "a long one" : "the first"
      findings.append(
        .warning(
          "gaps",
          "\(path): \(stream.name) has \(gaps): by its rate \(missing) missing"
            + (first.map { ", \(place) after its reading \(grouped($0.reading))" } ?? ""),
          "sluice info \(quotedForShell(path)) lists them"))
    }
  }

  private mutating func checkMetadata() {
    guard let metadata = rows.metadata else {
      // A run writes its metadata a moment after the file.
      if let running {
        findings.append(.ok("metadata", "\(path): it is \(running.text)"))
        return
      }
      // A metadata file that does not fit has been reported already.
      if !MetadataFile(beside: path).exists {
        findings.append(
          .warning("metadata", "\(path): there is none, so that nothing says what its rows are or what they miss"))
      }
      return
    }
    let errors = metadata.errors ?? []
    switch metadata.state {
    case .unfinished? where running != nil:
      findings.append(.ok("metadata", "\(path): it is \(running?.text ?? "")"))
    case .finished?: findings.append(.ok("metadata", "\(path): the last run finished"))
    case .unfinished? where !metadata.wasKilled && !errors.isEmpty:
      let more = errors.count > 1 ? " (and \(grouped(errors.count - 1)) more)" : ""
      findings.append(
        .problem(
          "metadata", "\(path): the recording ended with an error: \(errors[0])\(more)",
          "it has what was read before; correct the cause, and record or replay once more"))
    case .unfinished?:
      findings.append(.ok("metadata", "\(path): \(metadata.unfinishedText)"))
    case nil: findings.append(.warning("metadata", "\(path): it does not say whether the recording finished"))
    }
    if metadata.state != .unfinished {
      for error in errors { findings.append(.warning("metadata", "\(path): the recording had an error: \(error)")) }
    }
    if metadata.hasUndescribedRows {
      findings.append(.warning("metadata", "\(path): some rows were there before, and nothing describes them"))
    }
  }

  private mutating func checkRuns() {
    let file = RunsFile(beside: path)
    guard let newest = try? MetadataFile(beside: path).read() else { return }
    do throws(SluiceError) {
      let contents = try file.contents(besides: newest)
      for fault in contents.faults { findings.append(.problem("runs", fault)) }
      if contents.isTorn {
        findings.append(
          .warning("runs", "\(file.path): its last line has no end", "sluice repair \(quotedForShell(path))"))
      }
      let (count, expected) = (contents.runs.count, newest.earlierRuns)
      if count < expected {
        findings.append(
          .problem(
            "runs", "\(file.path): it has \(count) of \(expected) earlier runs",
            "look for a copy; nothing else says what those runs missed"))
      } else if count > 0, contents.faults.isEmpty {
        findings.append(.ok("runs", "\(file.path): \(count == 1 ? "1 earlier run" : "\(grouped(count)) earlier runs")"))
      }
    } catch {
      findings.append(.problem("runs", "\(error)"))
    }
  }

  // MARK: The account

  private mutating func checkAccount(isWhole: Bool) {
    guard let metadata = rows.metadata else { return }
    guard isWhole, rows.isComplete, rows.skipped.count == 0 else {
      findings.append(.warning("account", "\(path): it is not compared, because not every row can be read"))
      return
    }
    let written = Dictionary(
      (metadata.ledger ?? []).map { (ExactName($0.stream), $0.written) },
      uniquingKeysWith: { $0.addingReportingOverflow($1).partialValue })
    let counts = Dictionary(zip(rows.streams.map { ExactName($0.name) }, rows.counts), uniquingKeysWith: +)
    let isKnown = metadata.ledger != nil && !metadata.hasUnfinishedRun && !metadata.hasUndescribedRows && !missesRuns
    var isRight = true
    for (name, written) in written.sorted(by: { $0.key.text < $1.key.text }) where counts[name, default: 0] < written {
      isRight = false
      findings.append(
        .problem(
          "account",
          "\(path): \(name) has \(Self.readings(counts[name, default: 0])), and \(Self.wereWritten(written))",
          "look for a copy; what is gone cannot be had from this file"))
    }
    for (name, count) in counts.sorted(by: { $0.key.text < $1.key.text })
    where isKnown && count > written[name, default: 0] {
      isRight = false
      findings.append(
        .problem(
          "account",
          "\(path): \(name) has \(Self.readings(count)), and only \(Self.wereWritten(written[name, default: 0]))",
          "something else has written into the file"))
    }
    guard isRight, running == nil else { return }
    if isKnown {
      findings.append(.ok("account", "\(path): the file has as many readings as the account says"))
    } else if metadata.hasUnfinishedRun, metadata.state != .unfinished || metadata.wasKilled,
      !metadata.hasUndescribedRows, !missesRuns
    {
      let others = metadata.ledger == nil ? "" : "no reading of the runs that ended is missing; "
      findings.append(
        .ok("account", "\(path): \(others)nobody knows how many readings a run that was killed had received"))
    } else {
      findings.append(
        .warning("account", "\(path): how many readings were written cannot be known, because not every run says it"))
    }
  }

  private static func readings(_ count: Int) -> String { "\(grouped(count)) reading\(count == 1 ? "" : "s")" }

  private static func wereWritten(_ count: Int) -> String { "\(grouped(count)) \(count == 1 ? "was" : "were") written" }

  private var missesRuns: Bool { findings.contains { $0.check == "runs" && $0.verdict == .problem } }
}
