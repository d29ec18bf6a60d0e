package import SluiceReadings

/// A file that a trace is read from, so that it can be told from those that are to be written.
package struct TraceInput: Hashable, Sendable {
  /// Nil for what is in memory.
  package var identity: FileIdentity?
  package var path: String

  package init(identity: FileIdentity?, path: String) {
    self.identity = identity
    self.path = path
  }
}
