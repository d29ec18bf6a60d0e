package import SluiceReadings

extension MetadataDocument {
  /// - Parameters:
  ///   - bytes: The document.
  ///   - path: The path of the document.
  package init(_ bytes: [UInt8], path: String) throws(SluiceError) {
    if bytes.isEmpty { throw TraceMetadata.malformed(path, "it is empty") }
    do {
      self = try JSON(parsing: bytes).withoutPrefixes.decode(isCount: true)
    } catch {
      throw TraceMetadata.malformed(path, Self.sentence(error))
    }
    // Only CSV has columns; the documents of other formats name the format.
    guard tableSchema != nil || format != nil else {
      throw TraceMetadata.malformed(path, "it has no member \"\(CodingKeys.tableSchema.rawValue)\"")
    }
  }

  package var json: JSON {
    // Encoding a document cannot fail.
    guard case .object(let members)? = try? JSON(encoding: self) else { return .null }
    return .object(members.map { ($0, $1.prefixed(Self.prefix(inside: $0))) })
  }

  /// The text of a file.
  package var text: String { json.lines() + "\n" }

  private static func sentence(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      let path = context.codingPath
      return "\(place(path)) has no member \"\(prefix(inside: path))\(key.stringValue)\""
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      return "\(place(context.codingPath)) \(context.debugDescription)"
    default: return "it is not JSON (\(error))"
    }
  }

  /// The place of an error: `sluice:streams[2].sluice:name`
  private static func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "it" }
    return path.indices.reduce("") { place, depth in
      if let index = path[depth].intValue { return "\(place)[\(index)]" }
      let name = prefix(inside: Array(path[..<depth])) + path[depth].stringValue
      return place.isEmpty ? name : "\(place).\(name)"
    }
  }

  private static func prefix(inside path: [any CodingKey]) -> String {
    path.first.map { prefix(inside: $0.stringValue) } ?? ""
  }
}

extension JSON {
  /// The document with the names that the types know: without the prefix, and without members that have none.
  fileprivate var withoutPrefixes: JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.map { ($0, $1.without(MetadataDocument.prefix(inside: $0))) })
  }

  private func without(_ prefix: String) -> JSON {
    switch self {
    case .array(let elements): .array(elements.map { $0.without(prefix) })
    case .object(let members):
      .object(
        members.compactMap { name, value in
          name.hasPrefix(prefix) ? (String(name.dropFirst(prefix.count)), value.without(prefix)) : nil
        })
    default: self
    }
  }
}
