import SluiceReadings
package import SluiceSystem

/// A file of a trace. An output must not be the same file.
public struct TraceInput: Hashable, Sendable {
  /// The identity of the file; nil for a trace in memory.
  package var identity: FileIdentity?
  package var path: String

  package init(identity: FileIdentity?, path: String) {
    self.identity = identity
    self.path = path
  }
}
