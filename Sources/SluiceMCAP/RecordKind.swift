/// The kinds of records, by the byte with which each begins: https://mcap.dev/spec
enum RecordKind: UInt8 {
  case header = 1
  case footer
  case schema
  case channel
  case message
  case chunk
  case messageIndex
  case chunkIndex
  case attachment
  case attachmentIndex
  case statistics
  case metadata
  case metadataIndex
  case summaryOffset
  case dataEnd

  /// The bytes before the contents of a record: its kind, and the length of its contents.
  static let head = 9
}

enum MCAP {
  /// The first bytes of a file, and the last ones of a finished file.
  static let magic: [UInt8] = [0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a]
  /// The bytes behind the data of a finished file, without the summary: the footer and the magic bytes.
  static let end = RecordKind.head + 20 + magic.count
  /// The bytes of a DataEnd.
  static let dataEnd = RecordKind.head + 4
  /// The largest chunk that is read, stored or decompressed. A file may say any size.
  static let longestChunk = 128 << 20
  /// The largest record of any other kind that is read.
  static let longestRecord = 64 << 20
  /// The largest summary that is read: of about a million chunks.
  static let longestSummary = 256 << 20
}
