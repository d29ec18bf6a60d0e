import SluiceReadings
import SluiceRecording

/// One run that wrote a file: what its last stage gave, and the readings whose flags its metadata lists.
struct Run {
  var trace: Trace
  /// For each stream, the readings at the place where its flags are noted: as they were received, or as the last stage
  /// that makes readings of this stream made them.
  var noted: [[Reading]]

  /// Whether it has read a recording that was restarted.
  var isRestarted = false

  /// A run without stages.
  init(_ trace: Trace) { self.init(trace, noted: Self.byStream(trace)) }

  init(_ trace: Trace, noted: [[Reading]]) { (self.trace, self.noted) = (trace, noted) }

  static func byStream(_ trace: Trace) -> [[Reading]] {
    trace.streams.indices.map { stream in trace.readings.filter { Int($0.stream.index) == stream } }
  }
}

/// What decides how much a file keeps.
struct FileOptions {
  var format: String
  var decimals: Int?
  /// With `--raw`.
  var isRaw = false
  /// With `--rotate T`.
  var period: Int64?
  var hasParts = false
  var isFolder = false
  /// Whether its runs are recordings. Nothing was recorded between them.
  var isRecorded = false
}

/// What a file keeps of the readings that were written into it.
struct Kept {
  var contents: Contents
  /// The number of readings that the format cannot hold.
  var unwritten = 0
  /// Whether its reader rounds a value, and says so.
  var isRounded = false
}

extension Kept {
  /// Replay.md: "Values keep all their digits if these fit in 64 bits. Others become the nearest number of 18 or 19 digits,
  /// ... and a message says so."
  fileprivate mutating func round() {
    for row in contents.rows.indices {
      for (index, value) in contents.rows[row].values.enumerated() {
        guard let value, value.nearestOf64Bits != value else { continue }
        contents.rows[row].values[index] = value.nearestOf64Bits
        isRounded = true
      }
    }
  }
}

/// What a file keeps of its runs: everything except the losses that the pages in docs name. Each rule quotes a page.
///
/// Metadata stands beside the file, so that names, units and levels are kept by all formats.
func kept(_ runs: [Run], in file: FileOptions) -> Kept {
  var kept = Kept(contents: Contents(Trace(streams: runs[0].trace.streams)))
  var lists = Lists(streams: kept.contents.streams.count)
  for (number, run) in runs.enumerated() {
    // Metadata says how raw values are to be scaled, but who reads line protocol does not look at it.
    var contents = Contents(run.trace, isRaw: file.isRaw && file.format == "influx")
    let count = contents.rows.count
    contents.rows = written(contents, in: file)
    kept.unwritten += count - contents.rows.count
    lists.add(run)
    if !hasRowsWithFlags(file.format) {
      for index in contents.rows.indices { contents.rows[index].flags = [] }
    }
    // Info.md: "the time between two runs of a recording (`--append`, parts) is a gap of every stream". Stages.md: "The
    // first reading of each stream after it has the flags `gap_before` and `restart`".
    if number > 0, file.isRecorded {
      for stream in contents.streams.indices {
        guard let first = contents.rows.firstIndex(where: { $0.stream == stream }) else { continue }
        contents.rows[first].flags.formUnion([.gapBefore, .restart])
      }
    }
    kept.contents.rows += contents.rows
  }
  // Record.md, on `--raw`: values are "written as the device gave them", with the digits that they have.
  if file.format != "influx", !file.isRaw { kept.round() }
  switch file.format {
  case "influx": break  // Line protocol cannot be replayed, so nobody reads its metadata.
  case _ where hasRowsWithFlags(file.format): lists.flagLeftOut(&kept.contents)
  default: lists.flag(&kept.contents)
  }
  // Record.md: "With a folder, the file of each stream is cut into parts." "A period without readings has no part."
  if file.hasParts, file.isFolder { kept.contents.removeSilentStreams() }
  return kept
}

/// Record.md: "`jsonl`: one object per reading: ...; flags are in `"flags"`"; "Each stream has a table of its name: `id`,
/// ..., and `flags`"; "Flags are a field of text: `flags="gap_before"`". Metadata.md: "A row of CSV does not say whether
/// something is missing before it".
private func hasRowsWithFlags(_ format: String) -> Bool { ["jsonl", "sqlite", "influx", "mcap"].contains(format) }

/// The rows of one run that are written, with their values as they are written.
private func written(_ contents: Contents, in file: FileOptions) -> [Contents.Row] {
  var rows = contents.rows
  // Record.md: "`--decimals N` rounds each value that has more than N decimals; a half is rounded away from zero. It does
  // not change values with fewer decimals or levels." "A database beside a text file keeps all digits."
  if let decimals = file.decimals, file.format != "sqlite" {
    for index in rows.indices {
      for (number, channel) in contents.streams[rows[index].stream].channels.enumerated() where !channel.isLevel {
        rows[index].values[number] = rows[index].values[number]?.rounded(toDecimals: decimals)
      }
    }
  }
  switch file.format {
  case "vcd":
    guard file.isFolder else { return changes(rows, contents.streams, file) }
    // Record.md: "`-o DIR` writes one file per stream".
    let files = contents.streams.indices.map { stream in
      changes(rows.filter { $0.stream == stream }, contents.streams, file)
    }
    return files.flatMap { $0 }
  case "influx":
    // Record.md: "A reading without any value and without flags has no line, and the account counts it as not written."
    return rows.filter { !$0.flags.isEmpty || $0.values.contains { $0 != nil } }
  default: return rows
  }
}

/// Record.md: "Times in VCD cannot go back. A reading with an earlier time than the one before it is not written, and is
/// counted as `unwritten`; so is a level other than 0 and 1, and a reading more than 292 years after the first one."
private func changes(_ rows: [Contents.Row], _ streams: [Contents.Stream], _ file: FileOptions) -> [Contents.Row] {
  var (first, last) = (Int64?.none, Int64?.none)
  var end: Int128?
  return rows.filter { row in
    // Record.md, on parts: "Every part has its own header and metadata, and can be read alone." "A late reading is
    // written to the open part." "at each full hour. Any period is counted from midnight UTC".
    if let period = file.period, end.map({ Int128(row.time) >= $0 }) ?? true {
      (first, last) = (nil, nil)
      let (time, length) = (Int128(row.time), Int128(period))
      end = time - (time % length + length) % length + length
    }
    if let last, row.time < last { return false }
    if let first, row.time.subtractingReportingOverflow(first).overflow { return false }
    let levels = zip(row.values, streams[row.stream].channels).filter { $1.isLevel }.compactMap(\.0)
    guard levels.allSatisfy({ $0 == Number(0, 0) || $0 == Number(1, 0) }) else { return false }
    (first, last) = (first ?? row.time, row.time)
    return true
  }
}

/// The times of flagged readings, as the metadata lists them.
private struct Lists {
  private struct Flagged {
    var gaps: [Int64] = []
    var levels: [Int64] = []
    var late: [Int64] = []
    var uncertain: [Int64] = []
    var duplicates: [Int64] = []
    var uncertainLevels: [Int64] = []
    var restarts: [Int64] = []
  }

  private var streams: [Flagged]

  init(streams: Int) { self.streams = Array(repeating: Flagged(), count: streams) }

  /// Metadata.md: "`sluice:gap_before` has the time of each such reading, by stream. Readings are noted as they are
  /// received."
  mutating func add(_ run: Run) {
    var place = 0
    for (stream, noted) in zip(run.trace.streams, run.noted) where !stream.channels.isEmpty {
      // Metadata.md: "For each stream the first 1,000 times are listed".
      func first(_ flag: Reading.Flags) -> [Int64] {
        noted.lazy.filter { $0.flags.contains(flag) }.prefix(1_000).map(\.time)
      }
      streams[place].gaps += first(.gapBefore)
      streams[place].levels += first(.initialLevel)
      streams[place].late += first(.late)
      streams[place].uncertain += first(.uncertainTime)
      streams[place].duplicates += first(.possibleDuplicate)
      streams[place].uncertainLevels += first(.uncertainLevel)
      streams[place].restarts += first(.restart)
      place += 1
    }
  }

  /// Metadata.md: "If `--throttle` or a full buffer has left out such a reading, the first row of its stream at or after
  /// that time is the one that follows the gap. In the same way, `sluice:initial_level` lists the readings that are no
  /// edge but the level of a line at the start". "`sluice:late` has the readings that came after the merge had passed
  /// their time", `sluice:uncertain_time` those "whose time may be wrong",
  /// `sluice:possible_duplicate` those "that may be in the file twice", and `sluice:uncertain_level` the edges "that have the
  /// level of the edge before". "`sluice:restarts`: of a replay: the restarts of the recording".
  func flag(_ contents: inout Contents) {
    for (stream, flagged) in streams.enumerated() {
      let rows = contents.rows.indices.filter { contents.rows[$0].stream == stream }
      for (listed, flag) in [(flagged.gaps, Reading.Flags.gapBefore), (flagged.restarts, .restart)] {
        var times = listed
        for row in rows {
          let time = contents.rows[row].time
          if times.contains(where: { $0 <= time }) { contents.rows[row].flags.insert(flag) }
          times.removeAll { $0 <= time }
        }
      }
      for (listed, flag) in [
        (flagged.levels, Reading.Flags.initialLevel), (flagged.late, .late), (flagged.uncertain, .uncertainTime),
        (flagged.duplicates, .possibleDuplicate), (flagged.uncertainLevels, .uncertainLevel),
      ] {
        var times = listed
        for row in rows {
          guard let place = times.firstIndex(of: contents.rows[row].time) else { continue }
          contents.rows[row].flags.insert(flag)
          times.remove(at: place)
        }
      }
    }
  }

  /// Metadata.md: "The rows of JSON Lines and of a database have these flags themselves. There a listed time is used only if
  /// its reading was left out."
  func flagLeftOut(_ contents: inout Contents) {
    for (stream, flagged) in streams.enumerated() {
      let rows = contents.rows.indices.filter { contents.rows[$0].stream == stream }
      var times = flagged.gaps
      for row in rows where contents.rows[row].flags.contains(.gapBefore) {
        if let own = times.firstIndex(of: contents.rows[row].time) { times.remove(at: own) }
      }
      for row in rows {
        let time = contents.rows[row].time
        // A row of the same time that does not have the flag is another reading.
        func isPassed(_ listed: Int64) -> Bool {
          contents.rows[row].flags.contains(.gapBefore) ? listed <= time : listed < time
        }
        let before = times.count
        times.removeAll(where: isPassed)
        if times.count < before { contents.rows[row].flags.insert(.gapBefore) }
      }
    }
  }
}
