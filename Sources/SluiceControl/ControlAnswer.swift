package import SluiceReadings

/// What a recording says to a client: one line of JSON.
package enum ControlAnswer: Sendable {
  /// The request is done: a sentence about the result. After a reload, `changed` and `kept` say what is different now,
  /// and what stays as it was.
  case done(String, changed: [String] = [], kept: [String] = [])
  /// The request is refused: a sentence with the reason.
  case refused(String)
  /// The status of the recording: as a document for programs, and as a text for people.
  case status(JSON, text: String)
  /// The health of the recording: the status 0, 1 or 2, the findings for programs, and a text for people.
  case health(status: Int, JSON, text: String)
  /// An event of the recording: for programs, and as a text for people.
  case event(JSON, text: String)
  /// The number of lines that were not sent, because the client did not read in time.
  case missed(Int)
  /// The last line of a connection: a sentence that says why it ends.
  case ended(String)

  /// The answer as a line, with its line feed.
  var line: [UInt8] {
    let members: [(String, JSON)] =
      switch self {
      case .done(let sentence, let changed, let kept):
        [("done", .string(sentence))]
          + [("changed", changed), ("kept", kept)].filter { !$0.1.isEmpty }.map {
            ($0.0, .array($0.1.map { .string($0) }))
          }
      case .refused(let sentence): [("refused", .string(sentence))]
      case .status(let document, let text): [("status", document), ("text", .string(text))]
      case .health(let status, let findings, let text):
        [
          ("health", .object([("status", .number("\(status)")), ("findings", findings)])), ("text", .string(text)),
          ("level", .string("\(status)")),
        ]
      case .event(let event, let text): [("event", event), ("text", .string(text))]
      case .missed(let count): [("missed", JSON(count))]
      case .ended(let sentence): [("ended", .string(sentence))]
      }
    return Array((JSON.object(members).text + "\n").utf8)
  }
}
