import SluiceDevices
import SluiceReadings

package enum SummaryFormat: String, CaseIterable { case text, json }

/// The account of a run, in a line or as JSON.
package struct Summary {
  package var verb: String
  package var accounts: [StreamAccount]
  package var losses: [Loss]
  /// How much of what was lost shows.
  package var coverage = DeviceLosses.Coverage.all
  /// The streams of which no loss would show, if it would of others.
  package var unseen: [String] = []
  /// What a replay is made from; nil for a recording.
  package var trace: ReplayedTrace?
  /// Something failed, so that there is no verdict on what was lost.
  package var hasFailed = false
  /// The stages that leave readings out.
  package var leavingOut: [String] = []
  /// It was stopped by somebody: of a trace, not everything was replayed.
  package var wasStopped = false
  package var seconds: Double

  private func sum(_ path: KeyPath<StreamAccount, Int>) -> Int { accounts.reduce(0) { $0 + $1[keyPath: path] } }

  package var unaccounted: Int { sum(\.unaccounted) }
  /// Readings that nobody chose to leave out: here, or when the trace was recorded.
  package var lost: Int { losses.reduce(sum(\.dropped)) { $1.countsReadings ? adding($0, $1.count) : $0 } }

  /// Estimates may be as large as a device likes to make them.
  private func adding(_ a: Int, _ b: Int) -> Int {
    let (sum, isOverflow) = a.addingReportingOverflow(b)
    return isOverflow ? .max : sum
  }

  package func text(_ format: SummaryFormat) -> String { format == .json ? json : line }

  private var line: String {
    let received = sum(\.received)
    var parts = ["\(grouped(sum(\.written))) written"]
    if trace == nil, sum(\.late) > 0 { parts.append("\(grouped(sum(\.late))) came late") }
    parts += [
      (sum(\.dropped), "dropped (buffer full)"),
      (sum(\.suppressed), "left out (\(leavingOut.joined(separator: ", ")))"),
      (sum(\.discarded), "discarded (paused)"), (sum(\.unwritten), "not written (error)"), (unaccounted, "UNACCOUNTED"),
    ].filter { $0.0 != 0 }.map { "\(grouped($0.0)) \($0.1)" }
    let isNaming = losses.contains { $0.streams.count < accounts.count }
    let here = losses.filter { $0.count > 0 && !$0.isRecorded }
    parts += here.map { $0.text(isNaming: isNaming) }
    if !hasFailed, sum(\.dropped) == 0, here.isEmpty {
      parts.append(trace == nil ? assurance : "nothing lost in replay")
    }
    if trace != nil, wasStopped { parts.append("stopped before the end of the trace") }
    let rate = seconds > 0 ? Double(received) / seconds : 0
    let streams =
      accounts.count < 2
      ? "" : "; " + accounts.map { "\($0.name) \(grouped($0.received))" }.joined(separator: ", ")
    return
      "\(verb) \(grouped(received)) reading\(received == 1 ? "" : "s") in \(fixed(seconds, 2)) s (\(rate < 100 ? fixed(rate, 1) : grouped(Int(rate.rounded())))/s): "
      + parts.joined(separator: ", ") + (recorded.map { "; \($0)" } ?? "") + streams
  }

  /// That nothing was lost is said only if it would show.
  private var assurance: String {
    switch coverage {
    case .all: "nothing lost"
    case .some: "no sign of a loss"
    case .none where unseen.isEmpty: "losses could not be seen"
    case .none: "no sign of a loss, but losses of \(unseen.joined(separator: ", ")) could not be seen"
    }
  }

  /// What the metadata of the trace says was lost before.
  private var recorded: String? {
    guard let trace, trace.hasMetadata else { return nil }
    if hasFailed, losses.allSatisfy({ !$0.isRecorded }) { return nil }
    let before = losses.filter { $0.isRecorded && $0.count > 0 }
    let missed = before.reduce(0) { $1.countsReadings ? adding($0, $1.count) : $0 }
    let occasions = before.filter { !$0.countsReadings }.map { $0.text(isNaming: $0.streams.count < accounts.count) }
    var words = missed > 0 ? ["the recording missed \(grouped(missed))"] : []
    if words.isEmpty, occasions.isEmpty, trace.hasAccount, trace.errors.isEmpty {
      switch coverage {
      case .all: words = ["the recording lost nothing"]
      case .some: words = ["no sign of a loss in the recording"]
      case .none: words = ["losses of the recording could not be seen"]
      }
    }
    if !occasions.isEmpty { words.append("in the recording \(occasions.joined(separator: ", "))") }
    if trace.state == .unfinished { words.append("the recording was cut off, so that nobody knows what it missed") }
    if trace.hasUndescribedRows { words.append("some rows have no metadata, so that nobody knows what they missed") }
    if let error = trace.errors.first { words.append("the recording had an error: \(error)") }
    return words.isEmpty ? nil : words.joined(separator: "; ")
  }

  private var json: String {
    let streams = accounts.map {
      """
      {"stream": \(quoted($0.name)), "received": \($0.received), "written": \($0.written), "dropped": \($0.dropped), \
      "suppressed": \($0.suppressed), "discarded": \($0.discarded), "unwritten": \($0.unwritten), \
      "late": \($0.late)}
      """
    }
    return """
      {"seconds": \(fixed(seconds, 6)), "received": \(sum(\.received)), "written": \(sum(\.written)), \
      "unaccounted": \(unaccounted), "unwritten": \(sum(\.unwritten)), \
      "lost": [\(losses.map(\.json).joined(separator: ", "))], "losses_shown": \(quoted(coverage.rawValue)), \
      \(traceJSON)"streams": [\(streams.joined(separator: ", "))]}
      """
  }
  private var traceJSON: String {
    guard let trace else { return "" }
    let members = [("file", trace.file), ("state", trace.state?.rawValue)].compactMap { name, text in
      text.map { "\"\(name)\": \(quoted($0)), " }
    }
    return "\"trace\": {\(members.joined())\"has_metadata\": \(trace.hasMetadata), \"stopped\": \(wasStopped)}, "
  }
}
