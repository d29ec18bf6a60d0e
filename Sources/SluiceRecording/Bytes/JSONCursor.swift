import SluiceReadings

/// Moves through one line of JSON, and decodes only the requested values.
package struct JSONCursor {
  private let bytes: UnsafeBufferPointer<UInt8>
  package private(set) var index: Int
  private let end: Int

  /// The greatest depth of nested values.
  private static let deepest = 64

  package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(bytes, bytes.indices) }

  package init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    self.bytes = bytes
    (index, end) = (range.lowerBound, range.upperBound)
  }

  package var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return index == end
    }
  }

  private mutating func skipSpace() {
    while index < end, bytes[index] == 0x20 || bytes[index] == 0x09 || bytes[index] == 0x0d { index += 1 }
  }

  /// Moves past a character, if it is the next one.
  package mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard index < end, bytes[index] == UInt8(truncatingIfNeeded: character.value) else { return false }
    index += 1
    return true
  }

  /// Moves past a string.
  /// - Returns: The text between its quotes; nil if there is no string.
  package mutating func string() -> Range<Int>? {
    guard take("\"") else { return nil }
    let start = index
    while index < end, bytes[index] != UInt8(ascii: "\""), bytes[index] >= 0x20 {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index < end, bytes[index] == UInt8(ascii: "\"") else { return nil }
    index += 1
    return start..<index - 1
  }

  /// The text of a string; nil if it has an invalid escape, or is not UTF-8.
  package func text(_ range: Range<Int>) -> String? { JSONString.text(UnsafeBufferPointer(rebasing: bytes[range])) }

  /// Whether the undecoded bytes of a string are these.
  func isEqual(_ range: Range<Int>, _ name: [UInt8]) -> Bool { bytes[range].elementsEqual(name) }

  package func raw(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[range]) }

  /// Moves past a value of any kind.
  /// - Returns: The value; nil if there is none.
  package mutating func value(depth: Int = 0) -> Range<Int>? {
    skipSpace()
    guard index < end, depth < Self.deepest else { return nil }
    let start = index
    switch bytes[index] {
    case UInt8(ascii: "\""):
      guard string() != nil else { return nil }
    case UInt8(ascii: "{"):
      index += 1
      guard members(depth: depth, { _, _ in true }) else { return nil }
    case UInt8(ascii: "["):
      index += 1
      if take("]") { break }
      repeat {
        guard value(depth: depth + 1) != nil else { return nil }
      } while take(",")
      guard take("]") else { return nil }
    default:
      while index < end, !Self.endsScalar(bytes[index]) { index += 1 }
      guard index > start, isScalar(start..<index) else { return nil }
    }
    return start..<index
  }

  /// Compares byte by byte, because a search in a string for each byte took nearly half of the time of a replay.
  @inline(__always)
  private static func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x09, 0x0d: true
    default: false
    }
  }

  private func isScalar(_ range: Range<Int>) -> Bool {
    let first = bytes[range.lowerBound]
    if first == UInt8(ascii: "-") || first &- 0x30 < 10 { return true }
    // Some programs write NaN and Infinity, which are not JSON.
    let isJSON = first != UInt8(ascii: "N") && first != UInt8(ascii: "I")
    return (isJSON ? ["null", "true", "false"] : ["NaN", "Infinity"]).contains { bytes[range].elementsEqual($0.utf8) }
  }

  /// Moves past an object after its opening brace.
  /// - Parameter body: Called with each name and its value; false ends the walk.
  /// - Returns: Whether the object is well formed.
  package mutating func members(depth: Int = 0, _ body: (_ name: Range<Int>, _ value: Range<Int>) -> Bool) -> Bool {
    if take("}") { return true }
    repeat {
      guard let name = string(), take(":"), let value = value(depth: depth + 1), body(name, value) else { return false }
    } while take(",")
    return take("}")
  }

  /// The fault of a line that is not an object, or has more than one object.
  package static func fault(_ line: UnsafeBufferPointer<UInt8>) -> String {
    var cursor = JSONCursor(line)
    var depth = 0
    while cursor.index < cursor.end, depth <= deepest {
      switch line[cursor.index] {
      case UInt8(ascii: "\""):
        guard cursor.string() != nil else { return "it is not a JSON object" }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      cursor.index += 1
    }
    return depth > deepest ? "its values are nested more than \(deepest) deep" : "it is not a JSON object"
  }

  package func isNull(_ range: Range<Int>) -> Bool { bytes[range].elementsEqual("null".utf8) }
}

extension JSONCursor {
  /// Whether a text that begins with these bytes may be an object.
  static func beginsObject(_ beginning: [UInt8]) -> Bool {
    beginning.first { $0 != 0x20 && !(0x09...0x0d).contains($0) } == UInt8(ascii: "{")
  }
}
