import SluiceReadings
import SluiceRecording
import SluiceSystem

/// The metadata records in a recording.
enum MCAPMetadata {
  /// The name of the record of a run: its metadata as it stands beside the file, in the member `document`.
  static let name = "sluice"
  static let key = "document"
  /// The name of the record with the number of messages of each stream that have a rounded value.
  static let roundedName = "sluice:rounded"

  /// The name of the record with the last number of streams whose last messages are gone: by stream, so that the next run
  /// goes on behind them.
  static let numbersName = "sluice:numbers"

  /// The member with the checksum of the others, because MCAP has none for metadata.
  static let checksumKey = "crc32"

  /// A record with its checksum.
  static func record(_ name: String, _ values: [(key: String, value: String)]) -> MetadataRecord {
    MetadataRecord(name: name, values: values + [(key: checksumKey, value: checksum(name, values))])
  }

  private static func checksum(_ name: String, _ values: [(key: String, value: String)]) -> String {
    var writer = RecordWriter()
    MetadataRecord(name: name, values: values).write(to: &writer)
    return String(CRC32(writer.bytes).value, radix: 16)
  }

  /// Whether a record has the right checksum, or is of another program, which has none.
  /// - Parameter isOurs: Whether sluice has written the file. Then a record with a checksum is one of sluice, whatever its name
  ///   has become.
  static func isWhole(_ record: MetadataRecord, isOurs: Bool = false) -> Bool {
    let isNamed = [name, roundedName, numbersName].contains(record.name)
    let hasChecksum = record.values.last?.key == checksumKey
    guard isNamed || isOurs && hasChecksum else { return true }
    guard hasChecksum else { return false }
    return checksum(record.name, record.values.dropLast()) == record.values.last?.value
  }

  /// The record with the last numbers of streams.
  static func numbers(_ last: [ExactName: UInt32]) -> MetadataRecord {
    record(
      numbersName,
      last.map { (key: $0.key.text, value: "\($0.value)") }.sorted {
        $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
      })
  }

  /// By the name of a stream, the greatest number that such a record has.
  static func numbers(_ contents: Contents, _ file: FileBytes) throws(SystemErrno) -> [ExactName: UInt32] {
    var numbers: [ExactName: UInt32] = [:]
    for index in contents.summary.metadata where index.name == numbersName {
      guard let offset = Int64(exactly: index.offset),
        let bytes = try file.contents(of: .metadata, at: offset, limit: MCAP.longestRecord),
        let record = bytes.withUnsafeBytes({ MetadataRecord($0) }), isWhole(record)
      else { continue }
      for (key, value) in record.values.dropLast() {
        guard let number = UInt32(value) else { continue }
        numbers[ExactName(key)] = max(numbers[ExactName(key)] ?? 0, number)
      }
    }
    return numbers
  }

  /// The documents of the runs, the oldest first.
  static func documents(_ contents: Contents, _ file: FileBytes) throws(SystemErrno) -> [String] {
    var documents: [String] = []
    for index in contents.summary.metadata where index.name == name {
      guard let offset = Int64(exactly: index.offset),
        let bytes = try file.contents(of: .metadata, at: offset, limit: MCAP.longestRecord),
        let record = bytes.withUnsafeBytes({ MetadataRecord($0) }), isWhole(record),
        let document = record.values.first(where: { $0.key == key })?.value
      else { continue }
      documents.append(document)
    }
    return documents
  }
}
