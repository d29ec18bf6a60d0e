package import SluiceSystem

/// A file, and its length so far.
public struct FileExtent: Hashable, Sendable {
  package let identity: FileIdentity
  package let length: Int64

  package init(identity: FileIdentity, length: Int64) { (self.identity, self.length) = (identity, length) }
}
