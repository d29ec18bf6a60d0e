package import SluiceReadings

/// What a recording says to a client: one line of JSON.
package enum ControlAnswer: Sendable {
  /// It is done, and what there is to say of it. `changed` and `kept` are sentences about a plan that was read again.
  case done(String, changed: [String] = [], kept: [String] = [])
  /// It is not done, and why.
  case refused(String)
  /// The state: the document, and the same for a person.
  case status(JSON, text: String)
  /// What is not well: 0, 1 or 2 for how bad it is, and the sentences.
  case health(status: Int, JSON, text: String)
  /// Something has happened, and the same for a person.
  case event(JSON, text: String)
  /// So many lines were not sent, because the client did not read.
  case missed(Int)
  /// Nothing more comes, and why.
  case ended(String)

  /// The line of it, with its end.
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
