package import SluiceReadings

/// What viewers are told of a recording besides its readings: topics, marks and losses, the same live and in a file.
package enum ViewerMessage {
  /// The topic of a stream. The paths of messages, which viewers take apart, have no spaces.
  package static func topic(_ name: String) -> String {
    "/" + String(name.map { $0.isWhitespace || $0 == "." ? "_" : $0 })
  }

  package static let eventSchema = """
    {"type": "object", "properties": {"time_ns": {"type": "string"}, "kind": {"type": "string"}, \
    "text": {"type": "string"}}}
    """
  package static let lossSchema = """
    {"type": "object", "properties": {"reason": {"type": "string"}, "count": {"type": "integer"}, \
    "streams": {"type": "array", "items": {"type": "string"}}, "first_ns": {"type": "integer"}, \
    "last_ns": {"type": "integer"}}}
    """

  /// An event: its kind in one word, and its text.
  package static func event(_ time: Int64, kind: String, text: String) -> JSON {
    .object([("time_ns", .string("\(time)")), ("kind", .string(kind)), ("text", .string(text))])
  }

  /// A mark, which is an event.
  package static func mark(_ time: Int64, _ text: String) -> JSON { event(time, kind: "marked", text: text) }

  package static func loss(_ loss: Loss) -> JSON {
    // Encoding a loss cannot fail.
    (try? JSON(encoding: loss)) ?? .null
  }
}
