/// What is wrong with a record among the data. A file of sluice has only what sluice writes, and attachments
/// with a checksum that other programs have added, so that a damaged kind is found.
enum RecordFault {
  // Sentences without a subject.
  static let unknown = "it is of no known kind"
  static let attachment = "it is no whole attachment"
  static let misplaced = "it does not stand among data"
  static let looseMessage = "it is a message outside of a chunk"
  static let indexWithoutChunk = "it is an index, and no chunk is before it"

  /// Whether this is a whole schema or channel.
  static func isDefinition(_ kind: RecordKind, _ contents: UnsafeRawBufferPointer, isOurs: Bool) -> Bool {
    // Another program may have more behind the fields that are known.
    if kind == .schema {
      guard let schema = SchemaRecord(contents) else { return false }
      return !isOurs || schema.isPlain
    }
    guard let channel = ChannelRecord(contents) else { return false }
    return !isOurs || channel.isPlain
  }
}
