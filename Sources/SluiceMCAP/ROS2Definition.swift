/// The fields of a type of messages, from the text of a `ros2msg` schema.
///
/// See https://docs.ros.org/en/rolling/Concepts/Basic/About-Interfaces.html
struct ROS2Definition {
  enum Primitive: String {
    case bool, byte, char, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64, string, wstring

    /// The number of bytes; nil for a text.
    var size: Int? {
      switch self {
      case .bool, .byte, .char, .int8, .uint8: 1
      case .int16, .uint16: 2
      case .int32, .uint32, .float32: 4
      case .int64, .uint64, .float64: 8
      case .string, .wstring: nil
      }
    }
  }

  enum Kind {
    case primitive(Primitive)
    /// The fields of another type.
    case nested([Field])
  }

  enum Count: Equatable {
    case one
    case fixed(Int)
    /// The message says how many there are.
    case any
  }

  struct Field {
    var name: String
    var kind: Kind
    var count: Count
  }

  /// A sentence without a subject.
  struct Fault: Error { var text: String }

  let fields: [Field]

  /// The deepest nesting of types.
  private static let deepest = 16
  /// The largest number of fields, counted with those of nested types.
  private static let most = 4_096
  /// The longest name of a field, as in ROS 2.
  private static let longestName = 255

  init(_ text: String) throws(Fault) {
    var sections: [(name: String, lines: [Substring])] = [("", [])]
    // A line feed and a carriage return are one character.
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("====") {
        sections.append(("", []))
      } else if line.hasPrefix("MSG:"), sections.count > 1, sections[sections.count - 1].lines.isEmpty {
        sections[sections.count - 1].name = line.dropFirst(4).filter { !$0.isWhitespace }
      } else {
        sections[sections.count - 1].lines.append(line)
      }
    }
    var types: [String: [Substring]] = [
      "builtin_interfaces/Time": ["int32 sec", "uint32 nanosec"],
      "builtin_interfaces/Duration": ["int32 sec", "uint32 nanosec"],
      "std_msgs/Header": ["builtin_interfaces/Time stamp", "string frame_id"],
    ]
    guard sections.count <= Self.most else { throw Fault(text: "it has more than \(Self.most) types") }
    for section in sections.dropFirst() { types[Self.short(section.name)] = section.lines }
    var left = Self.most
    fields = try Self.fields(sections[0].lines, types, depth: 0, package: "", &left)
  }

  /// The name of a type without `msg/`.
  private static func short(_ name: String) -> String {
    let parts = name.split(separator: "/")
    return parts.count == 3 && parts[1] == "msg" ? "\(parts[0])/\(parts[2])" : name
  }

  private static func fields(
    _ lines: [Substring], _ types: [String: [Substring]], depth: Int, package: String, _ left: inout Int
  ) throws(Fault) -> [Field] {
    guard depth <= deepest else { throw Fault(text: "its types are nested more than \(deepest) deep") }
    var fields: [Field] = []
    for line in lines {
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
      guard words.count >= 2 else {
        if words.isEmpty { continue }
        throw Fault(text: "the line \"\(line.prefix(80))\" is no field")
      }
      // A constant has no place in a message.
      if words[1].contains("=") || words.count > 2 && words[2].hasPrefix("=") { continue }
      left -= 1
      guard left > 0 else { throw Fault(text: "it has more than \(most) fields") }
      let (type, count) = try counted(words[0])
      let name = String(words[1])
      guard name.utf8.count <= longestName else {
        throw Fault(text: "the name of a field has more than \(longestName) bytes")
      }
      if let primitive = primitive(type) {
        fields.append(Field(name: name, kind: .primitive(primitive), count: count))
        continue
      }
      let full = resolved(type, types, package)
      guard let nested = types[full] else { throw Fault(text: "it does not define the type \(type.prefix(80))") }
      let inner = full.split(separator: "/").first.map(String.init) ?? ""
      fields.append(
        Field(
          name: name, kind: .nested(try Self.fields(nested, types, depth: depth + 1, package: inner, &left)),
          count: count))
    }
    return fields
  }

  private static func resolved(_ type: String, _ types: [String: [Substring]], _ package: String) -> String {
    let name = short(type)
    if name.contains("/") { return name }
    if name == "Header" { return "std_msgs/Header" }
    let own = "\(package)/\(name)"
    if types[own] != nil { return own }
    // The package of the first type stands in the name of the schema, and its types have unique names nearly always.
    return types.keys.filter { $0.hasSuffix("/\(name)") }.min() ?? own
  }

  private static func primitive(_ type: String) -> Primitive? {
    // A text may have a longest length.
    if type.hasPrefix("string<=") { return .string }
    if type.hasPrefix("wstring<=") { return .wstring }
    return Primitive(rawValue: type)
  }

  private static func counted(_ type: Substring) throws(Fault) -> (type: String, count: Count) {
    guard type.hasSuffix("]"), let open = type.lastIndex(of: "[") else { return (String(type), .one) }
    let inside = type[type.index(after: open)...].dropLast()
    let element = String(type[..<open])
    if inside.isEmpty || inside.hasPrefix("<=") { return (element, .any) }
    guard let count = Int(inside), count > 0, count <= MCAP.longestChunk else {
      throw Fault(text: "\(type.prefix(80)) is no array")
    }
    return (element, .fixed(count))
  }
}
