import SluiceRecording

/// What became of the readings of one stream.
public struct StreamAccount: Hashable, Sendable, Codable {
  public var name: String
  public var received: Int
  /// Of those received: came after readings of a later time had been let go of. In a replay, when it was recorded.
  public var late = 0
  /// By a full buffer.
  public var dropped: Int
  /// By stages that were told to.
  public var suppressed: Int
  /// During a pause.
  public var discarded: Int
  /// By the output that has most of them.
  public var written: Int
  /// By that output: after its error, or because its format cannot hold them.
  public var unwritten = 0
  /// 0 once everything has gone its way, in every output.
  public var unaccounted = 0

  private enum CodingKeys: String, CodingKey {
    case name = "stream"
    case received, late, dropped, suppressed, discarded, written, unwritten, unaccounted
  }
}

extension StreamAccount {
  /// - Parameter outputs: What each has of the stream, and whether it has failed.
  package init(
    name: String, received: Int, dropped: Int, suppressed: Int, discarded: Int, late: Int,
    outputs: [(count: OutputCount, hasFailed: Bool)]
  ) {
    self.init(
      name: name, received: received, late: late, dropped: dropped, suppressed: suppressed, discarded: discarded,
      written: 0)
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
