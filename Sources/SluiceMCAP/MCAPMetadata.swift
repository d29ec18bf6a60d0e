import SluiceReadings
@_spi(Preview) import SluiceRecording
import SluiceSystem

/// The metadata records in a recording.
enum MCAPMetadata {
  /// The name of the record of a run: its metadata as it stands beside the file, in the member `document`.
  static let name = "sluice"
  static let key = "document"
  /// The name of the record with the number of messages of each stream that have a rounded value.
  static let roundedName = "sluice:rounded"

  /// The documents of the runs, the oldest first.
  static func documents(_ contents: Contents, _ file: FileBytes) throws(SystemErrno) -> [String] {
    var documents: [String] = []
    for index in contents.summary.metadata where index.name == name {
      guard let offset = Int64(exactly: index.offset),
        let bytes = try file.contents(of: .metadata, at: offset, limit: MCAP.longestRecord),
        let record = bytes.withUnsafeBytes({ MetadataRecord($0) }),
        let document = record.values.first(where: { $0.key == key })?.value
      else { continue }
      documents.append(document)
    }
    return documents
  }
}
