/// A file that a trace is read from, so that it can be told from those that are to be written.
package struct TraceInput: Hashable, Sendable {
  /// As fstat(2) has them of the descriptor that is read.
  package var device: UInt64
  package var inode: UInt64
  package var path: String
}
