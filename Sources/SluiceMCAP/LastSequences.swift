import SluiceReadings
import SluiceSystem

/// Finds the sequence of the last message of each stream in a file.
enum LastSequences {
  /// Each chunk that has the last messages of a channel is read once.
  static func read(
    _ contents: Contents, _ file: FileBytes, _ reader: ChunkReader
  ) throws(SystemErrno) -> [ExactName: UInt32] {
    var last: [UInt16: Int] = [:]
    // Whether a chunk without indexes has messages is known only when it is read.
    var places: Set<Int> = []
    for (place, chunk) in contents.summary.chunks.enumerated() {
      for index in chunk.indexes { last[index.channel] = place }
      if chunk.indexes.isEmpty { places.insert(place) }
    }
    var sequences: [ExactName: UInt32] = [:]
    // In the order of the file, so that of two channels of one stream the later one counts.
    for place in places.union(last.values).sorted() {
      let index = contents.summary.chunks[place]
      let chunk: Chunk
      do throws(Chunk.Fault) {
        chunk = try Chunk(
          file, at: Int64(index.offset), length: Int64(index.length) - Int64(RecordKind.head), reader)
      } catch {
        if case .system(let code) = error { throw SystemErrno(code) }
        // It is damaged, and the numbers go on behind those that can be read.
        continue
      }
      var found: [UInt16: UInt32] = [:]
      chunk.forEach { kind, bytes, _ in
        if kind == RecordKind.message.rawValue, let head = MessageHead(bytes) { found[head.channel] = head.sequence }
        return true
      }
      for (channel, sequence) in found where last[channel] == place || index.indexes.isEmpty {
        guard let name = contents.summary.channel(channel)?.value("stream") else { continue }
        let before = sequences[ExactName(name)]
        sequences[ExactName(name)] = before.map { max($0, sequence) } ?? sequence
      }
    }
    return sequences
  }
}
