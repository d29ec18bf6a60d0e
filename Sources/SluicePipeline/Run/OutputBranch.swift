import SluiceReadings
import SluiceRecording
import SluiceStages
import Synchronization

/// Outputs that get the same readings, the stages that only they have, and their sink.
struct OutputBranch {
  /// The numbers of the outputs.
  let outputs: [Int]
  let prepared: PreparedStages.OfOutputs
  /// What the stages of all outputs made of each stream.
  let shared: [StreamLedger]
  /// What the stages of this branch made of it; nil if all outputs get the same, so that there is nothing to tell apart.
  let own: [StreamLedger]?
  let sink: RecordingSink

  /// The streams of the readings that reach its outputs, as far as they are known.
  var streams: [StreamDescription] { prepared.written.more?() ?? prepared.written.known }

  /// The readings that are in its outputs or on their way to them.
  var outgoing: Int { shared.indices.reduce(0) { $0 + outgoing(of: $1) } }

  /// The same of one stream.
  func outgoing(of stream: Int) -> Int { shared[stream].outgoing + (own?[stream].outgoing ?? 0) }

  /// The readings that wait for its outputs.
  var held: Int { outgoing - sink.taken }

  /// The sum of a count of all stages in front of its outputs.
  func count(_ stream: Int, _ count: (StreamLedger) -> Int) -> Int {
    count(shared[stream]) + (own.map { count($0[stream]) } ?? 0)
  }

  /// The sum of a count of its own stages; nil if it has none.
  func own(_ count: (StreamLedger) -> Int) -> Int? {
    prepared.stages.isEmpty ? nil : own?.reduce(0) { $0 + count($1) }
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

  /// The flagged readings of its outputs: those that its stages have made, or else those that reached it, and the gaps
  /// that it has made itself.
  func flags(_ stream: Int) -> StreamFlags {
    guard let own else { return shared[stream].writtenFlags }
    return own[stream].madeFlagsOnly ?? shared[stream].writtenFlags.adding(own[stream].flagged)
  }
}
