import SluiceAnalysis
import SluicePipeline
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// What the index of a trace says, for `sluice info --quick`.
struct QuickInfo {
  let path: String
  let index: TraceIndex

  /// Reads the index of a trace.
  static func read(_ path: String) throws(SluiceError) -> QuickInfo {
    var beginning: [UInt8] = []
    do throws(SystemErrno) { beginning = try SystemFiles().contents(of: path, limit: 512) } catch {
      throw SluiceError("read", path, errno: error.code)
    }
    for kind in Traces.indexes where kind.recognizes(beginning) {
      return QuickInfo(path: path, index: try kind.index(of: path))
    }
    let forms = Traces.indexes.map { kind in kind.form }
    throw SluiceError(
      .unsupported, "read the index of", path, because: "only files of \(forms.joined(separator: ", ")) have one",
      remedy: "leave out --quick, which reads all of the file")
  }

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
        + "\(index.library.isEmpty ? "an unknown program" : TraceInfo.oneLine(index.library))")
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
        + index.series.map { [TraceInfo.oneLine($0.name), groupedNumber($0.readings), TraceInfo.oneLine($0.encoding)] }
      lines += [""] + table(rows) { $0 == 1 }
    }
    return lines.joined(separator: "\n") + "\n"
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
