package import SluiceReadings
package import SluiceRecording

/// What is said of a running recording besides the values of its streams: in the view of a terminal, by `sluice ctl`, and by
/// a server.
package struct RecordingStatus {
  package struct Output: Equatable {
    package let path: String
    package let written: Int
    /// The readings that its disk has not taken yet, because it is full or away; nil if it takes them.
    package let waiting: Int?
    /// The readings in its spill; nil if there are none.
    package let held: Int?
    /// The readings that a crash of the machine does not cost; nil if nothing is synced.
    package let safe: Int?
    /// The readings that its server has not acknowledged; nil if there are none.
    package let queued: Int?
    package let dropped: Int
    package let fault: String?
    /// The free bytes of its disk; nil if they are not known.
    package let free: Int?

    /// Its name for a sentence.
    package var name: String { outputTitle(path) }
  }

  package let standing: RecordingStanding
  /// The present rate in readings per second.
  package let rate: Double
  package let outputs: [Output]
  /// Each cause with its count.
  package let losses: [String]
  /// The time by the clock of the readings, and what is known of the clock.
  package let clock: String
  package let marks: [Mark]

  /// - Parameter free: Returns the free bytes of the disk of an output.
  package init(
    _ standing: RecordingStanding, rate: Double, marks: [Mark] = [], latest: Int64? = nil,
    free: (String) -> Int? = { _ in nil }
  ) {
    (self.standing, self.rate, self.marks) = (standing, rate, marks)
    let account = standing.account
    outputs = (account?.outputs ?? []).enumerated().map { number, output in
      let written = standing.written(number)
      let safe = output.streams.reduce(0) { $0 + $1.synced }
      // A replay syncs nothing unless it is asked to.
      let isSynced = output.output != "-" && (account?.trace == nil || safe > 0)
      return Output(
        path: output.output, written: written.count, waiting: written.waiting,
        held: output.spill.flatMap { $0.held > 0 ? $0.held : nil }, safe: isSynced ? safe : nil,
        queued: output.sending.flatMap { $0.queued > 0 ? $0.queued : nil },
        dropped: output.dropped, fault: output.error ?? output.ended, free: free(output.output))
    }
    var losses: [String] = []
    if let account {
      if account.dropped > 0 { losses.append("\(grouped(account.dropped)) dropped (buffer full)") }
      if account.discarded > 0 { losses.append("\(grouped(account.discarded)) discarded (paused)") }
      if account.unwritten > 0 { losses.append("\(grouped(account.unwritten)) not written") }
      let here = account.losses.filter { $0.count > 0 && !$0.isRecorded }
      losses += here.map { $0.text(isNaming: $0.streams.count < account.streams.count) }
    }
    self.losses = losses
    if account?.trace != nil {
      clock = latest.map { "trace \(utcTime($0))" } ?? ""
    } else {
      clock = "clock \(utcTime(standing.now))" + (standing.isSynchronised == false ? ", not synchronised" : "")
    }
  }

  /// How many marks there are, and the last of them; nil without one.
  package var markText: String? {
    marks.last.map { "\(grouped(marks.count)) mark\(marks.count == 1 ? "" : "s"), the last: \($0.text)" }
  }

  /// Its lines for a person, without colours and of any width.
  package var lines: [String] {
    [standing.text(rate: rate)] + losses
      + outputs.map { output in
        var line = "\(output.name): \(grouped(output.written)) written"
        if let safe = output.safe { line += ", \(grouped(safe)) safe" }
        if let waiting = output.waiting { line += ", \(grouped(waiting)) wait for the disk" }
        if let held = output.held { line += ", \(grouped(held)) in its spill" }
        if let queued = output.queued { line += ", \(grouped(queued)) wait for the server" }
        if output.dropped > 0 { line += ", \(grouped(output.dropped)) dropped" }
        if let free = output.free { line += ", \(byteText(free)) free" }
        return line + (output.fault.map { ", \($0)" } ?? "")
      } + [[clock, markText].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "; ")].filter { !$0.isEmpty }
  }
}

extension RecordingStanding {
  /// The account so far, with a member `running` for what an account does not have: docs/Account.md.
  /// - Parameters:
  ///   - account: The account of the same moment.
  ///   - process: The id of the process that records.
  package func document(_ account: Account, marks: [Mark], process: Int32) -> JSON {
    var running: [(String, JSON)] = [
      ("process", .number("\(process)")), ("paused", .bool(isPaused)), ("now_ns", .number("\(now)")),
    ]
    // Before the end, a reading whose fate is not known is on its way. The counts are not taken at one instant, so the
    // number may be negative.
    running.append(("on_the_way", JSON(max(0, account.unaccounted))))
    var account = account
    for stream in account.streams.indices { account.streams[stream].unaccounted = 0 }
    if let isSynchronised { running.append(("synchronised", .bool(isSynchronised))) }
    if let fill { running.append(("buffer_percent", JSON(fill))) }
    running.append(("marks", JSON(marks.count)))
    if let last = marks.last {
      running.append(("last_mark", .object([("at_ns", .number("\(last.time)")), ("text", .string(last.text))])))
    }
    guard case .object(let members) = account.json else { return account.json }
    return .object(members + [("running", .object(running))])
  }
}
