import SluiceAnalysis
import SluicePipeline
import SluiceReadings
import SluiceRecording

/// What a view of a running recording says besides the values of its streams.
struct LiveStatus {
  struct Output: Equatable {
    let path: String
    let written: Int
    /// The readings that its disk has not taken yet, because it is full or away; nil if it takes them.
    let waiting: Int?
    /// The readings that a crash of the machine does not cost; nil if nothing is synced.
    let safe: Int?
    let dropped: Int
    let fault: String?
    /// The free bytes of its disk; nil if they are not known.
    let free: Int?
  }

  let standing: RecordingStanding
  /// The present rate in readings per second.
  let rate: Double
  let outputs: [Output]
  /// Each cause with its count.
  let losses: [String]
  /// The time by the clock of the readings, and what is known of the clock.
  let clock: String
  let marks: [Mark]

  /// - Parameter free: Returns the free bytes of the disk of an output.
  init(
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
        path: output.output, written: written.count, waiting: written.waiting, safe: isSynced ? safe : nil, dropped: output.dropped,
        fault: output.error ?? output.ended, free: free(output.output))
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
}
