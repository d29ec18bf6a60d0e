import SluiceCDR
import SluiceReadings
import SluiceRecording

/// The marks and the losses of a run, as the messages that viewers get of them.
struct Events {
  static let eventsTopic = "/sluice/events"
  static let lossesTopic = "/sluice/losses"

  private struct Message {
    var topic: String
    var time: Int64
    var json: JSON
  }

  private var messages: [Message] = []

  init(_ metadata: TraceMetadata) {
    for mark in metadata.marks ?? [] {
      messages.append(Message(topic: Self.eventsTopic, time: mark.time, json: ViewerMessage.mark(mark.time, mark.text)))
    }
    let end = metadata.runs.last?.clocks?.ended ?? metadata.runs.last?.clocks?.began ?? 0
    for loss in metadata.losses ?? [] {
      messages.append(
        Message(topic: Self.lossesTopic, time: loss.last ?? loss.first ?? end, json: ViewerMessage.loss(loss)))
    }
  }

  /// The bytes of a chunk with the messages; none if there are none.
  /// - Parameter offset: The length of the file before it.
  func chunk(_ summary: inout Summary, at offset: Int64) -> [UInt8] {
    guard !messages.isEmpty else { return [] }
    let builder = ChunkBuilder()
    for (topic, name, text) in [
      (Self.eventsTopic, "sluice.Event", ViewerMessage.eventSchema),
      (Self.lossesTopic, "sluice.Loss", ViewerMessage.lossSchema),
    ] {
      let own = messages.filter { $0.topic == topic }.sorted { $0.time < $1.time }
      guard !own.isEmpty else { continue }
      let channel: ChannelRecord
      if let known = summary.channels.first(where: { $0.topic == topic }) {
        channel = known
      } else {
        guard let id = Self.free(summary.channels.map(\.id)), let schemaID = Self.free(summary.schemas.map(\.id)) else {
          continue
        }
        let schema = SchemaRecord(id: schemaID, name: name, encoding: "jsonschema", data: Array(text.utf8))
        channel = ChannelRecord(id: id, schema: schemaID, topic: topic, encoding: "json", metadata: [])
        builder.add { schema.write(to: &$0) }
        builder.add { channel.write(to: &$0) }
        summary.add(schema)
        summary.add(channel)
      }
      let before = UInt32(truncatingIfNeeded: summary.counts[channel.id] ?? 0)
      for (number, message) in own.enumerated() {
        Array(message.json.text.utf8).withUnsafeBytes { data in
          builder.add(
            channel: channel.id, sequence: before &+ UInt32(truncatingIfNeeded: number) &+ 1,
            logTime: UInt64(max(0, message.time)), publishTime: UInt64(bitPattern: message.time), data: data)
        }
      }
    }
    let chunk = builder.chunk(at: offset)
    summary.add(chunk.index, counts: chunk.counts)
    return chunk.bytes
  }

  private static func free(_ taken: [UInt16]) -> UInt16? {
    let all = Set(taken)
    return (1...UInt16.max).first { !all.contains($0) }
  }
}
