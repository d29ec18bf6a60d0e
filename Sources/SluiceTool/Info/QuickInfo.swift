import SluiceAnalysis
import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// What is known of a trace without its readings, for `sluice info --quick`.
enum QuickInfo {
  case index(IndexInfo)
  case counts(RecordedCounts)

  /// Reads the index of a file, or the metadata of a recording.
  static func read(_ path: String) throws(SluiceError) -> QuickInfo {
    // A folder, and the name of a recording in parts, have no first bytes.
    let beginning = (try? SystemFiles().contents(of: path, limit: 512)) ?? []
    for kind in Traces.indexes where kind.recognizes(beginning) {
      return .index(IndexInfo(path: path, index: try kind.index(of: path)))
    }
    return .counts(try RecordedCounts(path))
  }

  func text() -> String {
    switch self {
    case .index(let index): index.text()
    case .counts(let counts): counts.text()
    }
  }

  var json: JSON {
    switch self {
    case .index(let index): index.json
    case .counts(let counts): counts.json
    }
  }
}

/// What the index of a file says.
struct IndexInfo {
  let path: String
  let index: TraceIndex

  func text() -> String {
    let count = index.readings == 1 ? "1 reading" : "\(groupedNumber(index.readings)) readings"
    let streams = index.series.count == 1 ? "1 stream" : "\(grouped(index.series.count)) streams"
    var lines = ["\(path): \(count) of \(streams)"]
    if let times = index.times {
      lines[0] += " in \(TraceInfo.span(UInt64(bitPattern: times.upperBound &- times.lowerBound)))"
      lines.append("from \(TraceInfo.instant(times.lowerBound)) to \(TraceInfo.instant(times.upperBound))")
    }
    lines[0] += ", by the index of the file"
    let chunks = index.chunks == 1 ? "1 chunk" : "\(grouped(index.chunks)) chunks"
    let attachments = index.attachments == 1 ? "1 attachment" : "\(grouped(index.attachments)) attachments"
    lines.append(
      "\(index.form): \(chunks)\(index.attachments > 0 ? ", \(attachments)" : ""), written by "
        + "\(index.library.isEmpty ? "an unknown program" : index.library.inOneLine)")
    switch index.metadata?.state {
    case .finished?: lines.append("recording: finished")
    case .unfinished?: lines.append("recording: \(index.metadata?.unfinishedText ?? "")")
    case nil: lines.append("no metadata: losses of the recording are not known")
    }
    lines.append(
      "note: the readings were not looked at: their rates, gaps and values, and whether they are whole, is not known")
    if !index.series.isEmpty {
      let rows =
        [["stream", "readings", "encoding"]]
        + index.series.map { [$0.name, groupedNumber($0.readings), $0.encoding] }
      lines += [""] + table(rows) { $0 == 1 }
    }
    return lines.asLines
  }

  private func groupedNumber(_ number: UInt64) -> String { grouped(Int(clamping: number)) }

  var json: JSON {
    let series = index.series.map { series in
      JSON.object([
        ("name", .string(series.name)), ("readings", .number("\(series.readings)")),
        ("encoding", .string(series.encoding)),
      ])
    }
    var members: [(String, JSON)] = [
      ("trace", .string(path)), ("readings", .number("\(index.readings)")), ("quick", .bool(true)),
    ]
    if let times = index.times {
      members += [("first_ns", .number("\(times.lowerBound)")), ("last_ns", .number("\(times.upperBound)"))]
    }
    if let state = index.metadata?.state { members.append(("state", .string(state.rawValue))) }
    members += [
      ("chunks", JSON(index.chunks)), ("attachments", JSON(index.attachments)), ("library", .string(index.library)),
      ("streams", .array(series)), ("notes", .array([])),
    ]
    return .object(members)
  }
}
