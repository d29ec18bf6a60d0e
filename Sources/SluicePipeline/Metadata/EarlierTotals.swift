import SluiceReadings
import SluiceRecording
import SluiceStages

/// The totals of the earlier runs of a recording, from which its stages continue.
struct EarlierTotals {
  private struct Entry {
    var total: TraceMetadata.Total
    /// The path of the file with the total.
    var path: String
    var isPart: Bool
    var origin: Origin
    /// The stages that only the output of the file has.
    var own: [any RecordingStage] = []
  }

  private enum Origin {
    /// The metadata at the end of the last run.
    case end
    /// The last row of the stream.
    case lastRow
    /// The metadata at the start of the last run or part. It was cut off, and has no later row.
    case start
    /// The same, for a run whose rows do not have the count.
    case startOfOtherRows
  }

  private var entries: [Entry] = []
  /// The stages of the recording that make totals.
  private let lines: [PreparedStages.Total]

  /// By the number of an output, the stages that only it has.
  private let ofOutputs: [Int: [any RecordingStage]]
  /// What the last row of a stream says, and its time.
  private typealias LastRow = (total: TraceMetadata.Total, time: Int64)

  var totals: [TraceMetadata.Total] { entries.map(\.total) }

  /// - Parameters:
  ///   - stages: The stages of the recording; nil for a replay, whose totals do not go on.
  ///   - files: The files that it appends to.
  ///   - spilled: The last reading of each stream that an earlier run has left in the spill of an output, by the number
  ///     of the stream; and the streams of the output.
  ///   - warn: Called with an error of a file that cannot be read.
  init(
    _ stages: PreparedStages?, _ files: [OutputFiles.Described],
    spilled: (_ output: Int) -> (last: [UInt16: Reading], streams: [StreamDescription]),
    warn: (String) -> Void
  ) {
    let outputs = (stages?.ofOutputs ?? []).flatMap { own in own.outputs.map { ($0, own.stages) } }
    self.init(stages?.totals ?? [], Dictionary(outputs) { $1 }, files, spilled: spilled, warn: warn)
  }

  /// The totals of outputs that a running recording gets.
  /// - Parameter outputs: The outputs, with the stages that only they have.
  init(
    _ outputs: [PreparedStages.OfOutputs], _ files: [OutputFiles.Described], warn: (String) -> Void
  ) {
    let ofOutputs = outputs.flatMap { own in own.outputs.map { ($0, own.stages) } }
    self.init(
      outputs.flatMap(\.totals), Dictionary(ofOutputs) { $1 }, files, spilled: { _ in ([:], []) }, warn: warn)
  }

  private init(
    _ lines: [PreparedStages.Total], _ ofOutputs: [Int: [any RecordingStage]], _ files: [OutputFiles.Described],
    spilled: (_ output: Int) -> (last: [UInt16: Reading], streams: [StreamDescription]), warn: (String) -> Void
  ) {
    (self.lines, self.ofOutputs) = (lines, ofOutputs)
    guard !lines.isEmpty else { return }
    for file in files {
      let later = Self.totals(spilled(file.output))
      for var entry in entries(of: file, later, warn) {
        entry.own = own(file)
        add(entry)
      }
    }
  }

  private func own(_ file: OutputFiles.Described) -> [any RecordingStage] {
    ofOutputs[file.output] ?? []
  }

  /// Adds a total. Each file of a folder has one stream, and several outputs may have the same stream. The total of a
  /// finished output is preferred, because it includes more than that of one that was cut off.
  private mutating func add(_ entry: Entry) {
    guard let index = entries.firstIndex(where: { $0.total.stream.isExactly(entry.total.stream) }) else {
      return entries.append(entry)
    }
    let (old, new) = (entries[index].total, entry.total)
    // Of windows, the largest number counts, whichever total is preferred.
    defer {
      if let window = [old.window, new.window].compactMap({ $0 }).max() {
        entries[index].total.values[WindowedStreams.channel] = ExactDecimal(significand: window)
      }
    }
    if old.isAtLeast, !new.isAtLeast || (old.count("count") ?? 0) < (new.count("count") ?? 0) { entries[index] = entry }
  }

  /// - Parameter spilled: What the file does not have yet.
  private func entries(of file: OutputFiles.Described, _ spilled: [LastRow], _ warn: (String) -> Void) -> [Entry] {
    var entries = file.isAppended ? entriesOfRows(file, spilled, warn) : entriesOfSpill(file, spilled)
    // A run that began these parts may have counted, though it wrote no row.
    for path in file.empty {
      let metadata = try? file.metadata(of: path).read()
      let isCutOff = metadata?.wasKilled ?? true
      if isCutOff { for index in entries.indices { entries[index].total.isAtLeast = true } }
      for var total in metadata?.totals ?? [] {
        if isCutOff || total.goesOn { (total.isAtLeast, total.goesOn) = (true, false) }
        let later = Entry(total: total, path: path, isPart: true, origin: .start)
        guard let index = entries.firstIndex(where: { $0.total.stream.isExactly(total.stream) }) else {
          entries.append(later)
          continue
        }
        if total.isGreater(than: entries[index].total) { entries[index] = later }
      }
    }
    return entries
  }

  /// The totals of a run whose readings were written only to its spill.
  private func entriesOfSpill(_ file: OutputFiles.Described, _ spilled: [LastRow]) -> [Entry] {
    spilled.compactMap { row in
      guard var last = total(ofRow: row.total, from: nil, own(file), isRounded: file.style.decimals != nil) else {
        return nil
      }
      last.isAtLeast = true
      return Entry(total: last, path: file.file.path, isPart: file.part != nil, origin: .lastRow)
    }
  }

  /// - Parameter spilled: What the file does not have yet.
  private func entriesOfRows(
    _ file: OutputFiles.Described, _ spilled: [LastRow], _ warn: (String) -> Void
  ) -> [Entry] {
    let path = file.file.path
    let metadata = try? file.metadata.read()
    var known = metadata?.totals ?? []
    if metadata == nil, let before = file.before {
      // A part gets its metadata after its first row.
      known = (try? file.metadata(of: before).read())?.totals ?? []
    }
    if metadata?.state == .finished, !known.isEmpty {
      return known.map { total in
        var total = total
        // If the run had ended after this part, the metadata would have its end.
        guard total.goesOn else { return Entry(total: total, path: path, isPart: file.part != nil, origin: .end) }
        (total.isAtLeast, total.goesOn) = (true, false)
        // The run went on after this part, perhaps only in its spill.
        if let row = spilled.first(where: { $0.total.stream.isExactly(total.stream) }),
          var last = self.total(ofRow: row.total, from: total, own(file), isRounded: metadata?.decimals != nil),
          last.isGreater(than: total)
        {
          last.isAtLeast = true
          return Entry(total: last, path: path, isPart: file.part != nil, origin: .lastRow)
        }
        return Entry(total: total, path: path, isPart: file.part != nil, origin: .end)
      }
    }
    // A run that was cut off has not written its last totals. A part may have ended in the middle of a run.
    let isCutOff = metadata?.state != .finished || file.part != nil
    let written = Self.lastRows(path, warn).filter { row in
      !spilled.contains { $0.total.stream.isExactly(row.total.stream) }
    }
    let rows = spilled + written
    let others = known.map(\.stream).filter { name in !rows.contains { $0.total.stream.isExactly(name) } }
    return (rows.map(\.total.stream) + others).compactMap { stream in
      let start = known.first { $0.stream.isExactly(stream) }
      var entry = start.map { Entry(total: $0, path: path, isPart: file.part != nil, origin: .start) }
      if let row = rows.first(where: { $0.total.stream.isExactly(stream) }) {
        if let last = total(ofRow: row.total, from: start, own(file), isRounded: metadata?.decimals != nil) {
          if start.map({ last.isLater(than: $0, row.time, began: metadata?.began) }) ?? true {
            entry = Entry(total: last, path: path, isPart: file.part != nil, origin: .lastRow)
          }
        } else {
          entry?.origin = .startOfOtherRows
        }
      }
      if isCutOff { entry?.total.isAtLeast = true }
      return entry
    }
  }

  /// The total of an earlier run that was cut off, from the last row of its stream; nil if the row does not have it.
  private func total(
    ofRow row: TraceMetadata.Total, from start: TraceMetadata.Total?, _ own: [any RecordingStage], isRounded: Bool
  ) -> TraceMetadata.Total? {
    for (stage, following, streams) in lines where streams?.contains(ExactName(row.stream)) ?? true {
      let channels = (following + own).compactMap { ($0 as? ScaleStage)?.scale.channel }
      let scaled = Set(channels.compactMap { $0.split(separator: ".").last.map(String.init) })
      if let total = stage.total(ofRow: row, from: start, scaled: scaled, isRounded: isRounded) { return total }
    }
    return nil
  }

  /// The last reading of each stream. The whole file is read, because any row may be the last of its stream.
  private static func lastRows(_ path: String, _ warn: (String) -> Void) -> [LastRow] {
    do throws(SluiceError) {
      let trace = try ReplayPlan(path).reader(OpenTrace.Changes(), warn: { _ in })
      var last: [UInt16: Reading] = [:]
      var readings = [Reading](repeating: .empty, count: 512)
      while case let count = try trace.next(into: &readings), count > 0 {
        for reading in readings[..<count] { last[reading.stream.index] = reading }
      }
      return totals((last, trace.streams))
    } catch {
      warn("\(error); so no total goes on from this file")
      return []
    }
  }

  private static func totals(_ found: (last: [UInt16: Reading], streams: [StreamDescription])) -> [LastRow] {
    found.last.sorted { $0.key < $1.key }.compactMap { stream, reading in
      guard found.streams.indices.contains(Int(stream)) else { return nil }
      return (TraceMetadata.Total(reading, of: found.streams[Int(stream)]), reading.time)
    }
  }

  /// The stages, those with totals as they continue.
  func goingOn(_ stages: PipelineStages) -> PipelineStages { stages.map(goingOn) }

  func goingOn(_ stage: any RecordingStage) -> any RecordingStage {
    stage.totalStage?.goingOn(from: totals) ?? stage
  }

  // MARK: Sentences

  /// A sentence for each total that goes on: `water goes on at 35.5 l (71 pulses), from the end of walk.csv`.
  var sentences: [String] {
    lines.flatMap { stage, following, streams in
      entries.compactMap { entry in
        guard streams?.contains(ExactName(entry.total.stream)) ?? true, let text = stage.text(of: entry.total) else {
          return nil
        }
        let stream = entry.total.stream
        if let reason = stage.reason(againstGoingOnFrom: entry.total) {
          return "\(stream) cannot go on at \(text), \(origin(of: entry)), because \(reason)"
        }
        return "\(stream) goes on at \(text), \(origin(of: entry))" + atLeast(entry, stage, following + entry.own)
          + (stage.startText.map { "; \($0) is only for a new recording" } ?? "")
      }
    }
  }

  private func origin(of entry: Entry) -> String {
    switch entry.origin {
    case .end: "from the end of \(entry.path)"
    case .lastRow: "from the last row of \(entry.path)"
    case .start, .startOfOtherRows: "from the start of \(entry.isPart ? "" : "the last run of ")\(entry.path)"
    }
  }

  /// - Parameters:
  ///   - stage: The stage of the total.
  ///   - stages: The stages after it.
  private func atLeast(_ entry: Entry, _ stage: any TotalStage, _ stages: [any RecordingStage]) -> String {
    guard entry.total.isAtLeast else { return "" }
    let missing =
      switch entry.origin {
      case .end: [String]()
      case .startOfOtherRows: ["all that this run counted, because its rows do not have the count"]
      case .lastRow, .start: stages.compactMap(\.mayHold)
      }
    let text = type(of: stage).cutOffText
    let cause =
      switch entry.origin {
      case .end: "; an earlier run was cut off, so \(text)"
      case .lastRow: "; the last run was cut off, so \(text)"
      case .start, .startOfOtherRows: "; that run was cut off, so \(text)"
      }
    return cause + (missing.isEmpty ? "" : ", and may lack \(missing.joined(separator: " and "))")
  }
}

extension TraceMetadata.Total {
  /// Whether it has counted more, or has seen more windows.
  fileprivate func isGreater(than other: TraceMetadata.Total) -> Bool {
    for (mine, theirs) in [(count("count"), other.count("count")), (window, other.window)] {
      if let mine, let theirs, mine != theirs { return mine > theirs }
    }
    return false
  }

  /// Whether the total of a row is later than the total at the start of its run or part. The metadata of a part has the
  /// total until then, even if the rows never reached the disk.
  fileprivate func isLater(than start: TraceMetadata.Total, _ time: Int64, began: Int64?) -> Bool {
    if let count = count("count"), let before = start.count("count") { return count >= before }
    return began.map { time >= $0 } ?? true
  }
}

extension RecordingStage {
  /// The words for the rows that this stage may have kept back, so that the last row lacks their total; nil if it
  /// passes every row.
  fileprivate var mayHold: String? {
    switch self {
    case let every as EveryStage where every.count > 1:
      "up to \(grouped(every.count - 1)) row\(every.count == 2 ? "" : "s") that --every left out"
    case let throttle as ThrottleStage: "what came in \(throttle.interval) (--throttle)"
    case is CollectStage: "the rows of a group that was not complete (--collect)"
    case is BufferStage: nil
    case _ where window > 0: "what came in one window (--\(Self.name))"
    default: Self.leavesOut ? "what --\(Self.name) left out" : nil
    }
  }
}
