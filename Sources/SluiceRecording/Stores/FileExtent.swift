package import SluiceSystem

/// A file, and its length so far.
public struct FileExtent: Hashable, Sendable {
  package let identity: FileIdentity
  package let length: Int64
  /// The number of the part that it is; 0 if it is no part.
  package let part: Int

  package init(identity: FileIdentity, length: Int64, part: Int = 0) {
    (self.identity, self.length, self.part) = (identity, length, part)
  }
}
