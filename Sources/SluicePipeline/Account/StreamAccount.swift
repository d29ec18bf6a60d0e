import SluiceRecording

/// The end of the account of one stream.
package struct StreamAccount: Hashable {
  package var name: String
  package var received: Int
  /// By the output that has most of them, as all others have the same beginning.
  package var written: Int
  package var dropped: Int
  package var suppressed: Int
  package var discarded: Int
  /// Of those received: came after readings of a later time had been let go of. In a replay, when it was recorded.
  package var late = 0
  /// By that output: after its error, or because its format cannot hold them.
  package var unwritten = 0
  /// Zero once everything has gone its way, in every output.
  package var unaccounted = 0
}

extension StreamAccount {
  /// - Parameter outputs: What each has of the stream, and whether it has failed.
  package init(
    name: String, received: Int, dropped: Int, suppressed: Int, discarded: Int, late: Int,
    outputs: [(count: OutputCount, hasFailed: Bool)]
  ) {
    self.init(
      name: name, received: received, written: 0, dropped: dropped, suppressed: suppressed, discarded: discarded,
      late: late)
    let best = outputs.max { $0.count.written < $1.count.written }
    written = best?.count.written ?? 0
    unwritten = best?.count.unwritten ?? 0
    let toWrite = received - dropped - suppressed - discarded
    // What was on its way when the last output failed came to none of them.
    if outputs.allSatisfy(\.hasFailed) {
      unwritten = toWrite - written
    } else {
      unaccounted = outputs.lazy.map { toWrite - $0.count.written - $0.count.unwritten }.first { $0 != 0 } ?? 0
    }
  }
}
