import SluiceAnalysis
import SluicePipeline
import SluiceReadings

extension TraceDiff {
  /// The output of `sluice diff --brief`.
  var line: String {
    guard let first = streams.first(where: { $0.count > 0 }) else { return "\(paths.a) and \(paths.b) are the same" }
    return "\(paths.a) and \(paths.b) differ: \(first.name)"
  }

  /// The output of `sluice diff`.
  var text: String {
    let different = streams.filter { $0.count > 0 }
    let shift = streams.map(\.greatestTimeDifference).max() ?? 0
    let times = shift > 0 ? "; times differ by \(shift) ns at most" : ""
    if different.isEmpty {
      let readings = streams.reduce(0) { $0 + $1.readingsInA }
      return ["\(line): \(Self.count(readings, "reading")) of \(Self.count(streams.count, "stream"))\(times)"].asLines
    }
    let lines =
      ["A is \(paths.a), B is \(paths.b)"] + different.flatMap(Self.lines)
      + ["\(Self.count(count, "difference")) in \(different.count) of \(Self.count(streams.count, "stream"))\(times)"]
    return lines.asLines
  }

  private static func lines(_ stream: StreamDifferences) -> [String] {
    guard stream.isInA, stream.isInB else {
      let (trace, readings) = stream.isInA ? ("A", stream.readingsInA) : ("B", stream.readingsInB)
      return ["\(stream.name): only in \(trace), \(count(readings, "reading"))"]
    }
    let name = stream.nameInB.map { "\(stream.name) (\($0) in B)" } ?? stream.name
    var lines = [
      "\(name): \(count(stream.readingsInA, "reading")) in A, \(grouped(stream.readingsInB)) in B; "
        + count(stream.count, "difference")
    ]
    for (trace, channels) in [("A", stream.channelsOnlyInA), ("B", stream.channelsOnlyInB)] where !channels.isEmpty {
      lines.append("  only in \(trace): channel\(channels.count == 1 ? "" : "s") \(channels.joined(separator: ", "))")
    }
    for (trace, only) in [("A", stream.onlyInA), ("B", stream.onlyInB)] where only.count > 0 {
      lines.append(
        "  only in \(trace): \(count(only.count, "reading")), the first is number \(grouped(only.number)) at \(only.time) ns"
      )
    }
    if let first = stream.firstValue {
      let number =
        first.numberInA == first.numberInB
        ? grouped(first.numberInA) : "\(grouped(first.numberInA)) (\(grouped(first.numberInB)) in B)"
      let time =
        first.timeInA == first.timeInB ? "\(first.timeInA) ns" : "\(first.timeInA) ns (\(first.timeInB) ns in B)"
      lines.append(
        "  \(count(stream.values, "value")) \(stream.values == 1 ? "differs" : "differ"), the first is \(first.channel) "
          + "of reading \(number) at \(time): \(first.a ?? "none") in A, \(first.b ?? "none") in B")
    }
    return lines
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
  }
}
