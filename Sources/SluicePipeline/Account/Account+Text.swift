import SluiceDevices
import SluiceReadings
import SluiceRecording

extension Account {
  /// The largest number of streams that a sentence names. With more streams, a table names them.
  static let mostNames = 4

  /// The account in one line. It names a few streams; for many streams `streamTable(columns:)` names them.
  public var text: String {
    var parts = ["\(grouped(written)) written"]
    if trace == nil, late > 0 { parts.append("\(grouped(late)) came late") }
    parts += [
      (dropped, "dropped (buffer full)" + droppedTimes),
      (used, "made into \(grouped(made)) (\(madeBy.joined(separator: ", ")))"),
      (suppressed, "left out (\(leftOutBy.joined(separator: ", ")))"),
      (discarded, "discarded (paused)"),
      (resumed, "came from the spill of an earlier run"),
      (earlierLost(\.spill?.lostOfEarlierRun), "of an earlier run could not be read in the spill"),
      (earlierLost(\.sending?.lostOfEarlierRun), "of an earlier run could not be read in the spool"),
      (held, "kept in the spill for the next run"),
      (unwritten, "not written (\(causeOfUnwritten))"),
      (unaccounted, "UNACCOUNTED"),
    ].filter { $0.0 != 0 }.map { "\(grouped($0.0)) \($0.1)" }
    let isNaming = losses.contains { $0.streams.count < streams.count }
    let here = losses.filter { $0.count > 0 && !$0.isRecorded }
    parts += (streams.count > Self.mostNames ? summed(here) : here).map { loss in
      loss.text(isNaming: isNaming && loss.streams.count < streams.count)
    }
    if !hasFailed, dropped == 0, outputs.allSatisfy({ $0.unwritten + $0.dropped == 0 }), unwritten == 0, here.isEmpty,
      lostOfEarlierRun == 0
    {
      parts.append(trace == nil ? assurance : "nothing lost in \(command == .convert ? "conversion" : "replay")")
    }
    if trace != nil, wasStopped { parts.append("stopped before the end of the trace") }
    let rate = seconds > 0 ? Double(received) / seconds : 0
    let names =
      streams.count < 2 || streams.count > Self.mostNames
      ? "" : "; " + streams.map { "\($0.input ?? $0.stream) \(grouped($0.received))" }.joined(separator: ", ")
    return
      "\(verb) \(grouped(received)) reading\(received == 1 ? "" : "s") in \(fixed(seconds, 2)) s (\(rate < 100 ? fixed(rate, 1) : grouped(Int(rate.rounded())))/s): "
      + parts.joined(separator: ", ")
      + [recorded, reorder?.text, pace?.text].compactMap { $0.map { "; \($0)" } }.joined()
      + names + shares
  }

  private func earlierLost(_ path: KeyPath<OutputAccount, Int?>) -> Int {
    outputs.reduce(0) { $0 + ($1[keyPath: path] ?? 0) }
  }

  /// The losses to name. If many streams have lost readings, there is one loss per reason, and the table has the count
  /// of each stream.
  private func summed(_ losses: [Loss]) -> [Loss] {
    var sums: [Loss] = []
    for loss in losses {
      guard loss.phrase == nil, let index = sums.firstIndex(where: { $0.reason == loss.reason && $0.phrase == nil })
      else {
        sums.append(loss)
        continue
      }
      sums[index].count = adding(sums[index].count, loss.count)
      sums[index].streams += loss.streams.filter { !sums[index].streams.contains($0) }
      sums[index].first = [sums[index].first, loss.first].compactMap { $0 }.min()
      sums[index].last = [sums[index].last, loss.last].compactMap { $0 }.max()
    }
    return sums
  }

  private var causeOfUnwritten: String {
    if hasFailed { return "error" }
    // All outputs may have ended this way.
    return outputs.lazy.compactMap(\.ended).first ?? outputs.lazy.compactMap { $0.sending?.causeOfUnwritten }.first
      ?? "the format cannot hold them"
  }

  /// The times at which a full buffer dropped readings.
  private var droppedTimes: String {
    guard let first = streams.compactMap(\.firstDropped).min(), let last = streams.compactMap(\.lastDropped).max()
    else {
      return ""
    }
    return first == last ? " at \(utcTime(first))" : " from \(utcTime(first)) to \(utcTime(last))"
  }

  private var verb: String {
    switch command {
    case .record: "recorded"
    case .replay: "replayed"
    case .convert: "converted"
    }
  }

  /// The readings that each output has removed and those that it lacks, if there are several outputs.
  private var shares: String {
    let removed = outputs.compactMap { output in
      output.removed.map {
        "; of \(output.output) \(grouped($0.parts)) old part\($0.parts == 1 ? "" : "s") with "
          + "\(grouped($0.readings)) reading\($0.readings == 1 ? "" : "s") removed"
      }
    }.joined()
    guard outputs.count > 1 else { return removed }
    return removed
      + outputs.map { output in
        var causes: [String] = []
        if output.unwritten > 0 {
          causes.append(
            output.since.map { "\(output.ended == nil ? "it failed" : "its reader went") at \(utcTime($0))" }
              ?? "its format cannot hold them")
        }
        if let first = output.firstDropped, let last = output.lastDropped {
          let full = output.droppedByBuffer ?? 0
          let places = (output.dropped > full ? ["its disk was away"] : []) + (full > 0 ? ["its buffer was full"] : [])
          causes.append("\(places.joined(separator: " and ")) from \(utcTime(first)) to \(utcTime(last))")
        }
        let own = [
          (output.suppressed ?? 0, "left out"), (output.used ?? 0, "made into \(grouped(output.made ?? 0))"),
        ].filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", ")
        if causes.isEmpty, own.isEmpty { return "" }
        return "; \(output.output) has \(grouped(output.written))" + (own.isEmpty ? "" : " (\(own))")
          + (causes.isEmpty
            ? ""
            : " and misses \(grouped(output.unwritten + output.dropped)) (\(causes.joined(separator: "; ")))")
      }.joined()
  }

  /// The words that nothing was lost, with the sources of which a loss would not show.
  private var assurance: String {
    lossesShown != .none || unseen.isEmpty
      ? lossesShown.assurance : "no sign of a loss, but losses of \(listed(unseen)) could not be seen"
  }

  /// The losses of the recording, by the metadata of the trace.
  private var recorded: String? {
    guard let trace, trace.hasMetadata else { return nil }
    if hasFailed, losses.allSatisfy({ !$0.isRecorded }) { return nil }
    let before = losses.filter { $0.isRecorded && $0.count > 0 }
    let missed = before.reduce(0) { $1.countsReadings ? adding($0, $1.count) : $0 }
    let occasions = before.filter { !$0.countsReadings }.map { $0.text(isNaming: $0.streams.count < streams.count) }
    var words = missed > 0 ? ["the recording missed \(grouped(missed))"] : []
    if words.isEmpty, occasions.isEmpty, trace.hasAccount, trace.errors.isEmpty {
      switch lossesShown {
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
}
