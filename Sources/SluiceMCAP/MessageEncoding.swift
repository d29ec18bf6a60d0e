import SluiceCDR
import SluiceReadings
import SluiceRecording

/// The encoding of the messages of a stream.
enum MessageEncoding: String {
  /// Numbers of 64 bits, as ROS 2 has them.
  case cdr
  /// A text with all digits.
  case json
}

/// The series of messages that a stream becomes: one for each encoding that it needs, and a further one when it gets more
/// channels.
struct StreamSeries {
  var stream: StreamDescription
  var encoding: MessageEncoding
  /// Whether values are written without offset and scale.
  var isRaw: Bool

  /// The key of the member of a channel's metadata that describes its stream.
  static let key = "sluice"

  /// The definition of the messages.
  func schema(_ id: UInt16, _ message: ROS2Message) -> SchemaRecord {
    switch encoding {
    case .cdr:
      return SchemaRecord(id: id, name: message.type, encoding: "ros2msg", data: Array(message.definition.utf8))
    case .json:
      let number = JSON.object([("type", .string("integer"))])
      let stamp = JSON.object([
        ("type", .string("object")), ("properties", .object([("sec", number), ("nanosec", number)])),
      ])
      let channels = zip(stream.channels, message.fields).map { channel, field in
        (
          field,
          JSON.object(
            [("type", .string("number"))] + (channel.unit.map { [("description", .string($0))] } ?? []))
        )
      }
      let schema = JSON.object([
        ("title", .string(message.type)), ("type", .string("object")),
        ("properties", .object([("stamp", stamp), ("flags", number)] + channels)),
      ])
      return SchemaRecord(id: id, name: message.type, encoding: "jsonschema", data: Array(schema.text.utf8))
    }
  }

  func channel(_ id: UInt16, schema: UInt16, _ message: ROS2Message) -> ChannelRecord {
    var metadata = [(key: "stream", value: stream.name)]
    for (channel, field) in zip(stream.channels, message.fields) {
      if let unit = channel.unit { metadata.append((key: "unit.\(field)", value: unit)) }
      guard isRaw, channel.scale != .one || channel.offset.significand != 0 else { continue }
      metadata.append((key: "scale.\(field)", value: channel.scale.description))
      metadata.append((key: "offset.\(field)", value: channel.offset.description))
    }
    metadata.append((key: Self.key, value: description))
    return ChannelRecord(
      id: id, schema: schema, topic: ViewerMessage.topic(stream.name), encoding: encoding.rawValue, metadata: metadata)
  }

  /// The stream as the metadata beside a recording has it.
  private var description: String {
    var document = MetadataDocument()
    document.format = MCAPFormat.name
    document.values = .init(isRaw && !stream.isScaled ? .raw : .scaled)
    document.streams = [MetadataDocument.Stream(stream)]
    return document.json.text
  }

  /// The stream that the metadata of a channel describes; nil if another program has written it.
  static func stream(of channel: ChannelRecord) -> StreamDescription? {
    guard let text = channel.value(key), text.utf8.count <= 1 << 20,
      let metadata = try? TraceMetadata(Array(text.utf8), path: channel.topic)
    else { return nil }
    guard let stream = metadata.streams?.first, stream.channels.count <= Values.capacity else { return nil }
    return stream
  }
}
