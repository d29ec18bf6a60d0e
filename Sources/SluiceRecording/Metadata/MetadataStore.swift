import SluiceReadings

/// Where the metadata of a file is: in a file beside it, or in the file itself.
package protocol MetadataStore: Sendable {
  /// The path of the metadata file; nil if there is none.
  var path: String? { get }
  /// The metadata of the rows that are there; nil if there is none.
  func read() throws(SluiceError) -> TraceMetadata?
  /// Writes the document of a run that begins.
  /// - Parameters:
  ///   - isAppending: What is there is of earlier runs, and stays.
  ///   - hasRows: The file has rows of earlier runs.
  ///   - document: Makes it, with what describes the rows that are there.
  /// - Returns: What describes those rows.
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

/// What describes the rows that were in a file before.
package struct EarlierMetadata: Hashable, Sendable {
  /// Metadata of earlier recordings, without folder, the newest last.
  package var files: [String] = []
  /// Nothing describes them, or some of them.
  package var hasUndescribedRows = false

  package init(files: [String] = [], hasUndescribedRows: Bool = false) {
    self.files = files
    self.hasUndescribedRows = hasUndescribedRows
  }
}
