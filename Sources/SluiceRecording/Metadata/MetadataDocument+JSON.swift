package import SluiceReadings

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension MetadataDocument {
  /// - Parameters:
  ///   - bytes: The document.
  ///   - path: The path of the document.
  package init(_ bytes: [UInt8], path: String) throws(SluiceError) {
    guard JSONStrings.areValid(bytes) else { throw TraceMetadata.malformed(path, "it is not JSON") }
    do {
      self = try JSONDecoder().decode(MetadataDecoder.Read<Self>.self, from: Data(Self.quotingNumbers(bytes))).value
    } catch {
      throw TraceMetadata.malformed(path, bytes.isEmpty ? "it is empty" : Self.sentence(error))
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

  /// The same document with each number as a string. A decoder would convert it to a `Double`, or drop its last zeros.
  private static func quotingNumbers(_ bytes: [UInt8]) -> [UInt8] {
    var quoted: [UInt8] = []
    quoted.reserveCapacity(bytes.count + bytes.count / 8)
    var index = 0
    var isString = false
    while index < bytes.count {
      let byte = bytes[index]
      if isString, byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
        quoted.append(byte)
        index += 1
      } else if byte == UInt8(ascii: "\"") {
        isString.toggle()
      } else if !isString, byte == UInt8(ascii: "-") || byte &- 0x30 < 10 {
        let end = bytes[index...].firstIndex { !"0123456789+-.eE".utf8.contains($0) } ?? bytes.endIndex
        quoted.append(UInt8(ascii: "\""))
        quoted += bytes[index..<end]
        quoted.append(UInt8(ascii: "\""))
        index = end
        continue
      }
      quoted.append(bytes[index])
      index += 1
    }
    return quoted
  }

  private static func sentence(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it is not JSON" }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(place(context.codingPath)) has no member \"\(key.stringValue)\""
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(place(context.codingPath)) is of another kind than it has to be"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty ? "it is not JSON" : "\(place(context.codingPath)) \(context.debugDescription)"
    @unknown default:
      return "it is not the description of a table"
    }
  }

  /// The place of an error: `sluice:streams[2].sluice:name`
  private static func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "it" }
    return path.reduce("") { place, key in
      if let index = key.intValue { return "\(place)[\(index)]" }
      return place.isEmpty ? key.stringValue : "\(place).\(key.stringValue)"
    }
  }
}
