import Foundation

@testable import SluicePipeline

/// As much of JSON Schema as the schema of station files has. A keyword that it does not know is an error.
struct SchemaValidator {
  struct Unknown: Error { var keyword: String }

  private let root: [String: Any]

  init(_ text: String) throws {
    root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }

  /// - Returns: Whether the document is valid.
  func takes(_ node: StationNode) throws -> Bool { try takes(Self.value(node), root) }

  /// What an editor makes of a plain scalar.
  private static func value(_ node: StationNode) -> Any {
    switch node.content {
    case .nothing, .refused: NSNull()
    case .list(let elements): elements.map(value)
    case .map(let members): Dictionary(members.map { ($0.key, value($0.value)) }) { first, _ in first }
    case .text("true"): true
    case .text("false"): false
    case .text(let text): Double(text).map { text.contains { $0.isLetter } ? text as Any : $0 } ?? text
    }
  }

  private func takes(_ value: Any, _ schema: Any) throws -> Bool {
    guard let schema = schema as? [String: Any] else { return schema as? Bool ?? true }
    for (keyword, argument) in schema {
      guard try takes(value, keyword, argument, schema) else { return false }
    }
    return true
  }

  private func takes(_ value: Any, _ keyword: String, _ argument: Any, _ schema: [String: Any]) throws -> Bool {
    let members = value as? [String: Any]
    switch keyword {
    case "$schema", "title", "description", "definitions": return true
    case "$ref":
      let name = (argument as? String ?? "").split(separator: "/").last.map(String.init) ?? ""
      guard let definition = (root["definitions"] as? [String: Any])?[name] else { throw Unknown(keyword: name) }
      return try takes(value, definition)
    case "type": return (argument as? [String] ?? [argument as? String ?? ""]).contains { has(value, type: $0) }
    case "enum": return (argument as? [Any] ?? []).contains { isSame(value, $0) }
    case "const": return isSame(value, argument)
    case "pattern":
      guard let text = value as? String else { return true }
      return text.range(of: argument as? String ?? "", options: .regularExpression) != nil
    case "minimum": return (value as? Double).map { $0 >= argument as? Double ?? .infinity } ?? true
    case "required":
      return members.map { members in (argument as? [String] ?? []).allSatisfy { members[$0] != nil } } ?? true
    case "items": return try (value as? [Any] ?? []).allSatisfy { try takes($0, argument) }
    case "anyOf": return try (argument as? [Any] ?? []).contains { try takes(value, $0) }
    case "properties":
      let properties = argument as? [String: Any] ?? [:]
      return try (members ?? [:]).allSatisfy { name, value in try properties[name].map { try takes(value, $0) } ?? true
      }
    case "additionalProperties":
      let known = schema["properties"] as? [String: Any] ?? [:]
      return try (members ?? [:]).allSatisfy { name, value in try known[name] != nil || takes(value, argument) }
    default: throw Unknown(keyword: keyword)
    }
  }

  private func isFlag(_ value: Any) -> Bool { type(of: value) == Bool.self || "\(type(of: value))".contains("Boolean") }

  private func isSame(_ a: Any, _ b: Any) -> Bool {
    switch (a, b) {
    case (let a as String, let b as String): a == b
    case (let a as Bool, let b as Bool): isFlag(a) && a == b
    default: false
    }
  }

  private func has(_ value: Any, type: String) -> Bool {
    switch type {
    case "null": value is NSNull
    case "string": value is String
    case "array": value is [Any]
    case "object": value is [String: Any]
    case "boolean": value is Bool && !(value is Double)
    case "number": value is Double
    case "integer": (value as? Double).map { $0.rounded() == $0 } ?? false
    default: false
    }
  }
}
