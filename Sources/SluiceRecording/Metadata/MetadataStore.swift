public import SluiceReadings

/// The store of a file's metadata: a file beside it, or the file itself.
public protocol MetadataStore: Sendable {
  /// The paths of the metadata, the metadata file first; none if the recording itself has it.
  var paths: [String] { get }
  /// The metadata of the existing rows; nil if there is none.
  func read() throws(SluiceError) -> TraceMetadata?
  /// Writes the document of a run that begins.
  /// - Parameters:
  ///   - isAppending: Whether the existing rows and metadata stay.
  ///   - hasRows: Whether the file has rows of earlier runs.
  ///   - document: Makes the document, from the metadata of the existing rows.
  /// - Returns: A summary of the metadata of those rows.
  func begin(
    isAppending: Bool, hasRows: Bool, _ document: (EarlierMetadata?) -> String
  ) throws(SluiceError) -> EarlierMetadata?
  /// Replaces the document during the run.
  func update(_ document: String) throws(SluiceError)
  /// Replaces the document at the end of the run.
  /// - Parameter short: Makes a document that needs less room, for a disk that is full.
  func end(_ document: String, short: () -> String) throws(SluiceError)
  /// Removes the metadata, because the recording was removed.
  func remove()
}

extension MetadataStore {
  public func update(_ document: String) throws(SluiceError) { try end(document) }
  /// Replaces the document at the end of the run, with no shorter one.
  public func end(_ document: String) throws(SluiceError) { try end(document) { document } }
}

/// A summary of the metadata of the rows that were in a file before.
public struct EarlierMetadata: Hashable, Sendable {
  /// The number of runs that wrote them.
  public var runs = 0
  /// The length of the file when this run began; nil if the earlier rows may not be on the disk.
  public var beganAtByte: Int64?
  /// Whether some of these rows have no metadata.
  public var hasUndescribedRows = false

  /// Makes a summary.
  public init(runs: Int = 0, beganAtByte: Int64? = nil, hasUndescribedRows: Bool = false) {
    self.runs = runs
    self.beganAtByte = beganAtByte
    self.hasUndescribedRows = hasUndescribedRows
  }
}
