import SluiceCDR
import SluicePipeline
import SluiceReadings

/// The parts of Foxglove's protocol: channels as JSON, and messages.
enum FoxgloveMessage {
  static func channel(
    _ id: Int, _ topic: String, _ encoding: String, _ name: String, _ schemaEncoding: String, _ schema: String
  ) -> JSON {
    .object([
      ("id", JSON(id)), ("topic", .string(topic)), ("encoding", .string(encoding)), ("schemaName", .string(name)),
      ("schemaEncoding", .string(schemaEncoding)), ("schema", .string(schema)),
    ])
  }

  static func json(_ event: RecordingEvent) -> String {
    var text = event.kind.text ?? ""
    if case .marked(let mark) = event.kind { text = mark }
    let kind = "\(event.kind)".prefix { $0 != "(" }
    return ViewerMessage.event(event.time, kind: String(kind), text: text).text
  }

  /// A message of a subscription: the operation 1, the subscription, the time, and the payload, all little endian.
  static func message(_ id: UInt32, _ time: Int64, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [1]
    bytes.reserveCapacity(13 + payload.count)
    withUnsafeBytes(of: id.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt64(max(0, time)).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: payload)
    return bytes
  }
}
