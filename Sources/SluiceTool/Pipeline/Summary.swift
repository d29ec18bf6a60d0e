import ArgumentParser
import SluiceDevices

enum SummaryFormat: String, CaseIterable, ExpressibleByArgument { case text, json }

/// The account of a run, in a line or as JSON.
struct Summary {
  var verb: String
  var accounts: [StreamAccount]
  var losses: [Loss]
  /// How much of what was lost shows.
  var coverage = DeviceLosses.Coverage.all
  var seconds: Double

  private func sum(_ path: KeyPath<StreamAccount, Int>) -> Int { accounts.reduce(0) { $0 + $1[keyPath: path] } }

  var unaccounted: Int { sum(\.unaccounted) }
  /// What nobody chose to leave out.
  var lost: Int {
    // Estimates may be as large as a device likes to make them.
    losses.reduce(sum(\.dropped)) { sum, loss in
      let (sum, isOverflow) = sum.addingReportingOverflow(loss.count)
      return isOverflow ? .max : sum
    }
  }

  func text(_ format: SummaryFormat) -> String { format == .json ? json : line }

  private var line: String {
    let received = sum(\.received)
    var parts = ["\(grouped(sum(\.written))) written"]
    parts += [
      (sum(\.dropped), "dropped (buffer full)"), (sum(\.suppressed), "left out (throttle)"),
      (sum(\.discarded), "discarded (paused)"), (sum(\.unwritten), "not written (error)"), (unaccounted, "UNACCOUNTED"),
    ].filter { $0.0 != 0 }.map { "\(grouped($0.0)) \($0.1)" }
    let isNaming = losses.contains { $0.streams.count < accounts.count }
    parts += losses.filter { $0.count > 0 }.map { $0.text(isNaming: isNaming) }
    if lost == 0, !accounts.contains(where: \.writingFailed) { parts.append(assurance) }
    let rate = seconds > 0 ? Double(received) / seconds : 0
    let streams =
      accounts.count < 2
      ? "" : "; " + accounts.map { "\($0.name) \(grouped($0.received))" }.joined(separator: ", ")
    return
      "\(verb) \(grouped(received)) reading\(received == 1 ? "" : "s") in \(fixed(seconds, 2)) s (\(rate < 100 ? fixed(rate, 1) : grouped(Int(rate.rounded())))/s): "
      + parts.joined(separator: ", ") + streams
  }

  /// That nothing was lost is said only where it would show.
  private var assurance: String {
    switch coverage {
    case .all: "nothing lost"
    case .some: "no sign of a loss"
    case .none: "no loss would show"
    }
  }

  private var json: String {
    let streams = accounts.map {
      """
      {"stream": \(quoted($0.name)), "received": \($0.received), "written": \($0.written), "dropped": \($0.dropped), \
      "suppressed": \($0.suppressed), "discarded": \($0.discarded), "unwritten": \($0.unwritten)}
      """
    }
    return """
      {"seconds": \(fixed(seconds, 6)), "received": \(sum(\.received)), "written": \(sum(\.written)), \
      "unaccounted": \(unaccounted), "unwritten": \(sum(\.unwritten)), \
      "lost": [\(losses.map(\.json).joined(separator: ", "))], "losses_shown": \(quoted(coverage.rawValue)), \
      "streams": [\(streams.joined(separator: ", "))]}
      """
  }
}
