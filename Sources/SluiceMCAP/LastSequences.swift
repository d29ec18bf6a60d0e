import SluiceReadings
import SluiceSystem

/// Finds the sequence of the last message of each stream in a file, also of those that cannot be read.
struct LastSequences {
  /// By the name of a stream, its last sequence.
  private(set) var all: [ExactName: UInt32] = [:]
  /// Those of them that no readable message has, so that the next run would not find them again.
  private(set) var unseen: [ExactName: UInt32] = [:]

  /// Chunks are read from the last one back, until each stream has a message.
  static func read(
    _ contents: Contents, _ file: FileBytes, _ reader: ChunkReader
  ) throws(SystemErrno) -> LastSequences {
    let summary = contents.summary
    var names: [UInt16: ExactName] = [:]
    for channel in summary.channels { names[channel.id] = channel.streamName }
    // Whether a chunk without indexes has messages is known only when it is read.
    var wanted = Set(summary.chunks.flatMap(\.indexes).compactMap { names[$0.channel] })
    if summary.chunks.contains(where: \.indexes.isEmpty) { wanted.formUnion(names.values) }
    var lost = LostMessages()
    var found: [ExactName: UInt32] = [:]
    var behind: [ExactName: UInt32] = [:]
    for index in summary.chunks.reversed() where !wanted.isEmpty {
      guard index.indexes.isEmpty || index.indexes.contains(where: { names[$0.channel].map(wanted.contains) ?? false })
      else { continue }
      guard let own = try sequences(index, names, file, reader) else {
        try lost.add(index, file)
        continue
      }
      let before = lost.byStream { names[$0] }
      for (name, sequence) in own where wanted.contains(name) {
        found[name] = sequence
        behind[name] = before[name]
        wanted.remove(name)
      }
    }
    for (name, count) in lost.byStream({ names[$0] }) where wanted.contains(name) { behind[name] = count }
    for (name, count) in contents.lost { behind[name] = behind[name, default: 0].addingClamped(count) }
    var last = LastSequences()
    last.all = found
    let noted = try MCAPMetadata.numbers(contents, file)
    for (name, number) in noted { last.all[name] = max(last.all[name] ?? 0, number) }
    for (name, count) in behind { last.all[name] = last.all[name, default: 0].addingClamped(count) }
    if contents.isFinished {
      // The statistics count messages that no index knows any more.
      var counts: [ExactName: UInt64] = [:]
      for (channel, count) in summary.counts {
        if let name = names[channel] {
          counts[name] = counts[name, default: 0].addingReportingOverflow(count).partialValue
        }
      }
      for (name, count) in counts { last.all[name] = max(last.all[name] ?? 0, UInt32(clamping: count)) }
    }
    last.unseen = last.all.filter { max(found[$0.key] ?? 0, noted[$0.key] ?? 0) < $0.value }
    return last
  }

  /// The last sequence of each stream in a chunk; nil if it is damaged.
  private static func sequences(
    _ index: ChunkIndexRecord, _ names: [UInt16: ExactName], _ file: FileBytes, _ reader: ChunkReader
  ) throws(SystemErrno) -> [ExactName: UInt32]? {
    let chunk: Chunk
    do throws(Chunk.Fault) {
      chunk = try Chunk(
        file, at: Int64(clamping: index.offset), length: Int64(clamping: index.length) - Int64(RecordKind.head), reader)
    } catch {
      if case .system(let code) = error { throw SystemErrno(code) }
      return nil
    }
    var found: [UInt16: UInt32] = [:]
    chunk.forEach { kind, bytes, _ in
      if kind == RecordKind.message.rawValue, let head = MessageHead(bytes) {
        found[head.channel] = max(found[head.channel] ?? 0, head.sequence)
      }
      return true
    }
    var all: [ExactName: UInt32] = [:]
    for (channel, sequence) in found {
      if let name = names[channel] { all[name] = max(all[name] ?? 0, sequence) }
    }
    return all
  }
}

extension LostMessages {
  /// Adds the messages of a chunk that cannot be read.
  fileprivate mutating func add(_ chunk: ChunkIndexRecord, _ file: FileBytes) throws(SystemErrno) {
    let start = Int64(clamping: chunk.offset.addingReportingOverflow(chunk.length).partialValue)
    let end = start.addingReportingOverflow(Int64(clamping: chunk.indexLength)).partialValue
    guard start >= 0, end >= start, end <= file.size else { return }
    try add(start..<end, file)
  }
}
