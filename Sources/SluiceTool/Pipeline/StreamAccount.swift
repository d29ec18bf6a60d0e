/// The end of the account of one stream.
struct StreamAccount: Hashable {
  var name: String
  var received: Int
  var written: Int
  var dropped: Int
  var suppressed: Int
  var discarded: Int
  /// Of those received: came after readings of a later time had been let go of. In a replay, when it was recorded.
  var late = 0
  /// An error of the file ended it: whatever was still on its way is not written.
  var writingFailed = false

  private var rest: Int { received - written - dropped - suppressed - discarded }
  var unwritten: Int { writingFailed ? rest : 0 }
  /// Zero once everything has gone its way.
  var unaccounted: Int { writingFailed ? 0 : rest }
}
