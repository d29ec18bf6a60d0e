import Sluice
import SluiceReadings
import SluiceRecording
import SluiceStages
import Synchronization

/// Outputs that get the same readings, the stages that only they have, and their sink.
struct OutputBranch {
  /// What was counted of each stream before a branch came into a pipeline that runs. Its account begins behind it.
  struct Start {
    var counts: [LedgerCounts]
    var flags: [StreamFlags]

    /// - Parameters:
    ///   - ledgers: Those of the stages of all outputs, now.
    ///   - passed: By stream, the readings that all other branches have got so far.
    init(_ ledgers: [StreamLedger], passed: [Int]) {
      counts = ledgers.enumerated().map { stream, ledger in
        var counts = ledger.counts
        // What waits in front of the branches reaches this one too: it counts as received by it.
        counts.received -= counts.outgoing - (stream < passed.count ? passed[stream] : 0)
        return counts
      }
      flags = ledgers.map(\.writtenFlags)
    }
  }

  /// The numbers of the outputs.
  let outputs: [Int]
  let prepared: PreparedStages.OfOutputs
  /// What the stages of all outputs made of each stream.
  let shared: [StreamLedger]
  /// What the stages of this branch made of it; nil if all outputs get the same, so that there is nothing to tell apart.
  let own: [StreamLedger]?
  let sink: RecordingSink
  /// The spill of its output; nil if it has none.
  let spill: Spill?
  /// Nil for a branch that was there at the start.
  let start: Locked<Start?>

  init(
    outputs: [Int], prepared: PreparedStages.OfOutputs, shared: [StreamLedger], own: [StreamLedger]?,
    sink: RecordingSink, spill: Spill? = nil
  ) {
    (self.outputs, self.prepared, self.shared, self.own, self.sink) = (outputs, prepared, shared, own, sink)
    self.spill = spill
    start = Locked(nil)
  }

  /// Whether it came into a pipeline that ran.
  var isLater: Bool { start.withLock { $0 != nil } }

  /// The streams of the readings that reach its outputs, as far as they are known.
  var streams: [StreamDescription] { prepared.written.more?() ?? prepared.written.known }

  /// The readings that are in its outputs or on their way to them.
  var outgoing: Int { shared.indices.reduce(0) { $0 + outgoing(of: $1) } }

  /// The same of one stream.
  func outgoing(of stream: Int) -> Int { counts(of: stream).outgoing + (own?[stream].outgoing ?? 0) }

  /// The readings that wait for its outputs.
  var held: Int { outgoing + (spill?.counts.resumed.reduce(0, +) ?? 0) - sink.taken }

  /// The counts of the stages of all outputs, since this branch is there.
  func counts(of stream: Int) -> LedgerCounts {
    let counts = shared[stream].counts
    return start.withLock { $0.map { counts - $0.counts[stream] } ?? counts }
  }

  /// The sum of a count of all stages in front of its outputs.
  func count(_ stream: Int, _ count: (LedgerCounts) -> Int) -> Int {
    count(counts(of: stream)) + (own.map { count($0[stream].counts) } ?? 0)
  }

  /// The readings of a stream that were late before this branch was there.
  func lateBefore(_ stream: Int) -> Int { start.withLock { $0?.flags[stream].late.count ?? 0 } }

  /// The sum of a count of its own stages; nil if it has had none.
  func own(_ count: (StreamLedger) -> Int) -> Int? {
    let sum = own?.reduce(0) { $0 + count($1) }
    return prepared.stages.isEmpty && sum == 0 ? nil : sum
  }

  /// The counts of one of its outputs, with what its own buffer dropped.
  func dropping(_ share: OutputShare) -> OutputShare {
    guard let own else { return share }
    var share = share
    for (stream, ledger) in own.prefix(share.counts.count).enumerated() {
      share.counts[stream].dropped += ledger.dropped.load(ordering: .relaxed)
      guard let times = ledger.droppedTimes else { continue }
      let before = share.droppedTimes ?? times
      share.droppedTimes = min(before.lowerBound, times.lowerBound)...max(before.upperBound, times.upperBound)
    }
    return share
  }

  /// The flagged readings of its outputs: those that its stages have made, or else those that reached it, the gaps
  /// that it has made itself, and what its spill has flagged.
  func flags(_ stream: Int) -> StreamFlags {
    let passed = passedFlags(stream)
    return spill.map { passed.adding($0.flagged(stream)) } ?? passed
  }

  private func passedFlags(_ stream: Int) -> StreamFlags {
    let before = start.withLock { $0?.flags[stream] }
    var reached: StreamFlags {
      let flags = shared[stream].writtenFlags
      return before.map { flags.since($0) } ?? flags
    }
    guard let own else { return reached }
    return own[stream].madeFlagsOnly ?? reached.adding(own[stream].flagged)
  }
}
