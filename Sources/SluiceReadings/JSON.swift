/// A JSON value for `--json` and for metadata. Members keep their order, so that the same machine gives the same text.
package indirect enum JSON {
  case null
  case bool(Bool)
  /// A number as text, so that no digit is lost.
  case number(String)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])

  /// A string, or null.
  package init(_ text: String?) { self = text.map { .string($0) } ?? .null }

  /// A number, or null.
  package init(_ number: Int?) { self = number.map { .number("\($0)") } ?? .null }

  /// The text on one line.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): digits
    case .string(let text): quoted(text)
    case .array(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .object(let members): "{\(members.map { "\(quoted($0.0)): \($0.1.text)" }.joined(separator: ", "))}"
    }
  }

  /// The text on several lines if it is longer than 100 characters. An array of plain values always stays on one line.
  package func lines(_ indent: String = "") -> String {
    let inner = indent + "  "
    let parts: [String]
    let ends: (open: String, close: String)
    switch self {
    case .array(let elements) where !elements.allSatisfy(\.isPlain):
      (parts, ends) = (elements.map { $0.lines(inner) }, ("[", "]"))
    case .object(let members):
      (parts, ends) = (members.map { "\(quoted($0.0)): \($0.1.lines(inner))" }, ("{", "}"))
    default: return text
    }
    let length = parts.reduce(indent.utf8.count) { $0 + $1.utf8.count + 2 }
    if length <= 100, !parts.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) }) {
      return ends.open + parts.joined(separator: ", ") + ends.close
    }
    return "\(ends.open)\n\(inner)\(parts.joined(separator: ",\n\(inner)"))\n\(indent)\(ends.close)"
  }

  /// The same value with a prefix before each name.
  package func prefixed(_ prefix: String) -> JSON {
    switch self {
    case .array(let elements): .array(elements.map { $0.prefixed(prefix) })
    case .object(let members): .object(members.map { (prefix + $0.0, $0.1.prefixed(prefix)) })
    default: self
    }
  }

  /// The same value with the members of each object in the order of their names. Those of a dictionary have none.
  package var sorted: JSON {
    switch self {
    case .array(let elements): .array(elements.map(\.sorted))
    case .object(let members): .object(members.map { ($0.0, $0.1.sorted) }.sorted { $0.0 < $1.0 })
    default: self
    }
  }

  private var isPlain: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }
}
