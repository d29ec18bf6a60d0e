/// What a look at all messages of a chunk finds.
struct ChunkMessages {
  /// The channels, in the order of their first messages.
  private(set) var order: [UInt16] = []
  private(set) var counts: [UInt16: Int] = [:]
  private(set) var times: ClosedRange<UInt64>?
  private(set) var sequences: [(channel: UInt16, sequence: UInt32)] = []
  /// The definitions that were known before, with those in the chunk.
  private(set) var definitions: Summary
  /// By channel, the entries of its index.
  private var entries: [UInt16: RecordWriter] = [:]

  /// - Returns: Nil if a record in the chunk is malformed.
  init?(_ chunk: Chunk, _ known: Summary) {
    definitions = known
    var isGood = true
    let isWhole = chunk.forEach { kind, bytes, offset in
      switch RecordKind(rawValue: kind) {
      case .message: isGood = add(bytes, offset)
      case .schema: isGood = definitions.take(.schema, bytes)
      case .channel: isGood = definitions.take(.channel, bytes)
      default: break
      }
      return isGood
    }
    guard isWhole, isGood else { return nil }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Bool {
    guard let head = MessageHead(bytes) else { return false }
    if counts.updateValue(counts[head.channel, default: 0] + 1, forKey: head.channel) == nil {
      order.append(head.channel)
    }
    entries[head.channel, default: RecordWriter()].append(head.logTime)
    entries[head.channel]?.append(UInt64(offset))
    times =
      times.map { min($0.lowerBound, head.logTime)...max($0.upperBound, head.logTime) } ?? head.logTime...head.logTime
    sequences.append((head.channel, head.sequence))
    return true
  }

  /// By channel, the number of its messages.
  var all: [(channel: UInt16, count: Int)] { order.map { ($0, counts[$0] ?? 0) } }

  /// Adds to the index of the chunk the places of the indexes of its messages, which are directly behind it.
  /// - Returns: Their bytes.
  func addIndexes(to index: inout ChunkIndexRecord) -> [UInt8] {
    var writer = RecordWriter()
    for channel in order {
      index.indexes.append((channel, index.offset &+ index.length &+ UInt64(writer.bytes.count)))
      let bytes = entries[channel]?.bytes ?? []
      writer.append(.messageIndex) { writer in
        writer.append(channel)
        writer.append(UInt32(truncatingIfNeeded: bytes.count))
        writer.append(raw: bytes)
      }
    }
    index.indexLength = UInt64(writer.bytes.count)
    return writer.bytes
  }
}
