import Synchronization

/// What became of the readings of one stream: each that was received is written, dropped, discarded or suppressed, unless
/// writing failed.
final class StreamLedger: Sendable {
  let name: String
  let received = Atomic(0)
  /// By a full buffer.
  let dropped = Atomic(0)
  /// By the user's own operators.
  let suppressed = Atomic(0)

  init(_ name: String) { self.name = name }
}

/// Readings that never reached the pipeline, and how that is known.
struct Loss: Hashable {
  var label: String
  var count: Int

  var json: String { "{\"reason\": \(quoted(label)), \"count\": \(count)}" }
}

/// The end of the account of one stream.
struct StreamAccount: Hashable {
  var name: String
  var received: Int
  var written: Int
  var dropped: Int
  var suppressed: Int
  var discarded: Int
  /// An error of the file ended it: whatever was still on its way is not written.
  var writingFailed = false

  private var rest: Int { received - written - dropped - suppressed - discarded }
  var unwritten: Int { writingFailed ? rest : 0 }
  /// Zero once everything has gone its way.
  var unaccounted: Int { writingFailed ? 0 : rest }
}
