package import SluiceReadings

/// Where the metadata of a file is: in a file beside it, or in the file itself.
package protocol MetadataStore: Sendable {
  /// The files that it is in, the metadata file first; none if it is in the recording.
  var paths: [String] { get }
  /// The metadata of the rows that are there; nil if there is none.
  func read() throws(SluiceError) -> TraceMetadata?
  /// Writes the document of a run that begins.
  /// - Parameters:
  ///   - isAppending: What is there is of earlier runs, and stays.
  ///   - hasRows: The file has rows of earlier runs.
  ///   - document: Makes the document, from what is known of the existing rows.
  /// - Returns: What is known of those rows.
  func begin(
    isAppending: Bool, hasRows: Bool, _ document: (EarlierMetadata?) -> String
  ) throws(SluiceError) -> EarlierMetadata?
  /// Replaces it during the run.
  func update(_ document: String) throws(SluiceError)
  /// Replaces it by the document of the run that has ended.
  func end(_ document: String) throws(SluiceError)
  /// The file was removed.
  func remove()
}

extension MetadataStore {
  package func update(_ document: String) throws(SluiceError) { try end(document) }
}

/// What is known of the rows that were in a file before.
package struct EarlierMetadata: Hashable, Sendable {
  /// How many runs wrote them.
  package var runs = 0
  /// The length of the file when this run began; nil if what was there may not be on the disk.
  package var beganAtByte: Int64?
  /// Nothing describes them, or some of them.
  package var hasUndescribedRows = false

  package init(runs: Int = 0, beganAtByte: Int64? = nil, hasUndescribedRows: Bool = false) {
    self.runs = runs
    self.beganAtByte = beganAtByte
    self.hasUndescribedRows = hasUndescribedRows
  }
}
