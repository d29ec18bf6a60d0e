import SluiceAnalysis
import SluicePipeline
import SluiceReadings

extension RecordedCounts {
  /// The output of `sluice info --quick` for a recording.
  func text() -> String {
    let count = "\(grouped(readings)) reading\(readings == 1 ? "" : "s")"
    let names = "\(grouped(streams.count)) stream\(streams.count == 1 ? "" : "s")"
    var lines = ["\(path): \(count) of \(names), by the metadata of \(Self.files(described))"]
    lines.append("recording: \(unfinished ?? "finished")")
    lines.append("account: \(grouped(missed)) lost")
    lines += notes.map { "note: \($0)" }
    if counted > 0, let reason {
      lines.append("note: the rows of \(Self.files(counted)) were counted; the first is \(reason)")
    }
    lines.append("note: the rows were not looked at: their times, rates, gaps and values are not known")
    if !streams.isEmpty {
      let rows = [["stream", "readings"]] + streams.map { [$0.name, grouped($0.readings)] }
      lines += [""] + table(rows) { $0 == 1 }
    }
    return lines.asLines
  }

  private static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(grouped(count)) files" }

  var json: JSON {
    let streams = streams.map { stream in
      JSON.object([("name", .string(stream.name)), ("readings", JSON(stream.readings))])
    }
    return .object([
      ("trace", .string(path)), ("readings", JSON(readings)), ("quick", .bool(true)),
      ("state", .string(unfinished == nil ? "finished" : "unfinished")), ("lost", JSON(missed)),
      ("described", JSON(described)), ("counted", JSON(counted)), ("streams", .array(streams)),
      ("notes", .array(notes.map(JSON.string))),
    ])
  }
}
