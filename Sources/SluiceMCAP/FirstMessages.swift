import SluiceReadings
import SluiceSystem

/// Finds the first message of each channel of JSON, which says what numbers the channel has.
final class FirstMessages {
  private let file: FileBytes
  private let contents: Contents
  private let name: String
  private let reader = ChunkReader()
  /// The channels that are asked for.
  private let wanted: Set<UInt16>
  private var found: [UInt16: [UInt8]] = [:]
  /// By channel, the first chunk whose index has it.
  private var chunks: [UInt16: Int] = [:]
  /// The chunks without an index, which may have messages of any channel, and how many of them were read.
  private var unindexed: [Int] = []
  private var next = 0
  private var hasReadLoose = false

  init(_ file: FileBytes, _ contents: Contents, _ name: String) {
    (self.file, self.contents, self.name) = (file, contents, name)
    wanted = Set(contents.summary.channels.filter { $0.encoding == "json" }.map(\.id))
    for (place, chunk) in contents.summary.chunks.enumerated() {
      if chunk.indexes.isEmpty { unindexed.append(place) }
      for index in chunk.indexes where chunks[index.channel] == nil { chunks[index.channel] = place }
    }
  }

  /// Reads the chunks that have it by the index of the file, until one can be read, and each chunk without an index once for
  /// all channels.
  /// - Returns: Nil if there is none.
  func data(of channel: UInt16) throws(SluiceError) -> [UInt8]? {
    // A channel without messages would have all chunks without an index read.
    if contents.summary.hasStatistics, contents.summary.counts[channel] ?? 0 == 0, !contents.hasLooseMessages {
      return nil
    }
    while found[channel] == nil {
      if next < unindexed.count, unindexed[next] < chunks[channel] ?? .max {
        read(unindexed[next])
        next += 1
      } else if let place = chunks[channel] {
        read(place)
        // If this chunk is damaged, the next chunk with the channel is read.
        let behind = contents.summary.chunks[(place + 1)...]
        chunks[channel] = behind.firstIndex { $0.indexes.contains { $0.channel == channel } }
      } else {
        break
      }
    }
    if found[channel] == nil, contents.hasLooseMessages { try readLoose() }
    return found[channel]
  }

  private func read(_ place: Int) {
    let index = contents.summary.chunks[place]
    guard let offset = Int64(exactly: index.offset),
      let chunk = try? Chunk(file, at: offset, length: Int64(clamping: index.length) - Int64(RecordKind.head), reader)
    else { return }
    chunk.forEach { kind, bytes, _ in
      if kind == RecordKind.message.rawValue, let head = MessageHead(bytes) { add(head.channel, bytes) }
      return true
    }
  }

  private func add(_ channel: UInt16, _ message: UnsafeRawBufferPointer) {
    guard found[channel] == nil, wanted.contains(channel), message.count >= MessageHead.size else { return }
    found[channel] = Array(message[MessageHead.size...])
  }

  /// Reads the messages outside of chunks, until each channel has one.
  private func readLoose() throws(SluiceError) {
    guard !hasReadLoose else { return }
    hasReadLoose = true
    do throws(SystemErrno) {
      var offset = contents.firstRecord
      while offset < contents.dataEnd, found.count < wanted.count, let record = try file.record(at: offset) {
        let start = offset + Int64(RecordKind.head)
        if record.kind == RecordKind.message.rawValue, record.length >= Int64(MessageHead.size),
          record.length <= Int64(MCAP.longestRecord)
        {
          let head = try file.bytes(at: start, MessageHead.size).withUnsafeBytes { MessageHead($0) }
          if let head, found[head.channel] == nil, wanted.contains(head.channel) {
            try file.bytes(at: start, Int(record.length)).withUnsafeBytes { add(head.channel, $0) }
          }
        }
        offset = start + record.length
      }
    } catch {
      throw SluiceError("read", name, errno: error.code)
    }
  }
}
