public import SluiceReadings
import SluiceSystem

/// What stands for a secret in the address of an output: `${NAME}`, the variable of the environment with it.
///
/// Plans, metadata and messages have the address as it was written. Only the output that connects fills in the secret:
///
/// ```swift
/// let address = try Secrets.filled("mqtt://recorder:${MQTT_PASSWORD}@broker")
/// ```
///
/// `$${` stands for `${` itself. An ``OutputKind`` whose addresses may have secrets says so: ``OutputKind/hasSecrets``.
public enum Secrets {
  /// The address with its secrets.
  /// - Throws: A `SluiceError` if the environment does not have one of them, or if the address is malformed.
  public static func filled(_ address: String) throws(SluiceError) -> String {
    func refused(_ code: SluiceError.Code, _ cause: String, _ remedy: String) -> SluiceError {
      SluiceError(code, "use", "the address \(address)", because: cause, remedy: remedy)
    }
    guard let pieces = pieces(of: address) else {
      throw refused(.usage, "a ${ in it is not followed by a name and }", "write ${NAME}, or $${ for ${ itself")
    }
    var filled = ""
    for piece in pieces {
      switch piece {
      case .text(let text): filled += text
      case .secret(let name):
        guard let value = SecretVariables.value(name) else {
          throw refused(.notFound, "the environment has no \(name)", "set it, as with EnvironmentFile= of a service")
        }
        filled += value
      }
    }
    return filled
  }

  /// Notes which variables of the environment have secrets. The programs that start after this do not get them.
  package static func note(in address: String) {
    for case .secret(let name) in pieces(of: address) ?? [] { SecretVariables.note(name) }
  }

  package enum Piece: Equatable {
    case text(String)
    /// The name of the variable.
    case secret(String)
  }

  /// The parts of a text; nil if a `${` is not followed by a name and `}`.
  package static func pieces(of text: String) -> [Piece]? {
    var pieces: [Piece] = []
    var plain = ""
    var rest = text[...]
    while let sign = rest.firstIndex(of: "$") {
      plain += rest[..<sign]
      rest = rest[sign...]
      if rest.hasPrefix("$${") {
        plain += "${"
        rest = rest.dropFirst(3)
      } else if rest.hasPrefix("${") {
        let name = rest.dropFirst(2).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard let first = name.first, !first.isNumber, rest[name.endIndex...].hasPrefix("}") else { return nil }
        if !plain.isEmpty { pieces.append(.text(plain)) }
        plain = ""
        pieces.append(.secret(String(name)))
        rest = rest[name.endIndex...].dropFirst()
      } else {
        plain += "$"
        rest = rest.dropFirst()
      }
    }
    plain += rest
    return plain.isEmpty ? pieces : pieces + [.text(plain)]
  }

  /// The text in which each `${` stands for itself.
  package static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      if character == "{", escaped.last == "$" { escaped += "$" }
      escaped.append(character)
    }
  }
}
