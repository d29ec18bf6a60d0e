/// The end of the account of one stream.
package struct StreamAccount: Hashable {
  package var name: String
  package var received: Int
  package var written: Int
  package var dropped: Int
  package var suppressed: Int
  package var discarded: Int
  /// Of those received: came after readings of a later time had been let go of. In a replay, when it was recorded.
  package var late = 0
  /// An error of the file ended it: whatever was still on its way is not written.
  package var writingFailed = false

  private var rest: Int { received - written - dropped - suppressed - discarded }
  package var unwritten: Int { writingFailed ? rest : 0 }
  /// Zero once everything has gone its way.
  package var unaccounted: Int { writingFailed ? 0 : rest }
}
