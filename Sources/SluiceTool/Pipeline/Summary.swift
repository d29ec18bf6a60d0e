import ArgumentParser

enum SummaryFormat: String, CaseIterable, ExpressibleByArgument { case text, json }

/// The account of a run, in a line or as JSON.
struct Summary {
  var verb: String
  var accounts: [StreamAccount]
  var losses: [Loss]
  var seconds: Double

  private func sum(_ path: KeyPath<StreamAccount, Int>) -> Int { accounts.reduce(0) { $0 + $1[keyPath: path] } }

  var unaccounted: Int { sum(\.unaccounted) }
  /// What nobody chose to leave out.
  var lost: Int { sum(\.dropped) + losses.reduce(0) { $0 + $1.count } }

  func text(_ format: SummaryFormat) -> String { format == .json ? json : line }

  private var line: String {
    let received = sum(\.received)
    var parts = ["\(grouped(sum(\.written))) written"]
    parts += [
      (sum(\.dropped), "dropped (buffer full)"), (sum(\.suppressed), "left out (throttle)"),
      (sum(\.discarded), "discarded (paused)"), (sum(\.unwritten), "not written (error)"), (unaccounted, "UNACCOUNTED"),
    ].filter { $0.0 != 0 }.map { "\(grouped($0.0)) \($0.1)" }
    parts += losses.filter { $0.count > 0 }.map(\.text)
    if lost == 0, !accounts.contains(where: \.writingFailed) { parts.append("nothing lost") }
    let rate = seconds > 0 ? Double(received) / seconds : 0
    let streams =
      accounts.count < 2
      ? "" : "; " + accounts.map { "\($0.name) \(grouped($0.received))" }.joined(separator: ", ")
    return "\(verb) \(grouped(received)) readings in \(fixed(seconds, 2)) s (\(grouped(Int(rate)))/s): "
      + parts.joined(separator: ", ") + streams
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
      "unaccounted": \(unaccounted), "unwritten": \(sum(\.unwritten)), "lost": [\(losses.map(\.json).joined(separator: ", "))], \
      "streams": [\(streams.joined(separator: ", "))]}
      """
  }
}
