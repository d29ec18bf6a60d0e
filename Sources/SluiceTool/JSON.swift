/// What is printed with `--json`: members keep their order, so that the same machine gives the same text.
indirect enum JSON {
  case null
  case bool(Bool)
  /// As text, so that no digit is lost.
  case number(String)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])

  /// A string, or null.
  init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// A number, or null.
  init(_ number: Int?) { self = number.map { .number("\($0)") } ?? .null }

  /// On one line.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): digits
    case .string(let text): quoted(text)
    case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .object(let members): "{\(members.map { "\(quoted($0.0)): \($0.1.text)" }.joined(separator: ", "))}"
    }
  }
}
