import SluiceReadings
import SluiceRecording

/// A message of JSON.
enum JSONMessage {
  /// The deepest nesting of objects whose numbers are read.
  private static let deepest = 8

  /// Calls the closure with each number, and the names that lead to it: `position.x`. A value of true or false is 1 or 0, and
  /// the value of a number is nil if no decimal holds it.
  /// - Parameter leftOut: Called with what is left out, in words: an array, or a member whose name is not UTF-8.
  /// - Returns: Whether the message is an object.
  @discardableResult
  static func forEachNumber(
    _ data: UnsafeRawBufferPointer, leftOut: (String) -> Void = { _ in },
    _ body: (_ name: String, _ value: ExactDecimal?, _ isRounded: Bool) -> Void
  ) -> Bool {
    // Line feeds are spaces here.
    let text = data.contains(0x0a) ? data.map { $0 == 0x0a ? 0x20 : $0 } : Array(data)
    return text.withUnsafeBufferPointer { bytes in
      var cursor = JSONCursor(bytes)
      return cursor.take("{") && members(&cursor, bytes, "", 0, leftOut, body) && cursor.isAtEnd
    }
  }

  private static func members(
    _ cursor: inout JSONCursor, _ bytes: UnsafeBufferPointer<UInt8>, _ prefix: String, _ depth: Int,
    _ leftOut: (String) -> Void, _ body: (_ name: String, _ value: ExactDecimal?, _ isRounded: Bool) -> Void
  ) -> Bool {
    let names = cursor
    return cursor.members { name, value in
      guard let text = names.text(name) else {
        let name = String(decoding: names.raw(name), as: UTF8.self)
        leftOut("\(prefix)\(name) (its name is not UTF-8, or has a wrong escape)")
        return true
      }
      switch bytes[value.lowerBound] {
      case UInt8(ascii: "{"):
        guard depth < deepest else {
          leftOut("\(prefix)\(text) (nested more than \(deepest) deep)")
          return true
        }
        var inner = JSONCursor(bytes, value)
        return inner.take("{") && members(&inner, bytes, "\(prefix)\(text).", depth + 1, leftOut, body)
      case UInt8(ascii: "["): leftOut("\(prefix)\(text) (an array)")
      case UInt8(ascii: "t"): body(prefix + text, .one, false)
      case UInt8(ascii: "f"): body(prefix + text, .zero, false)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let number = NearestDecimal(utf8: UnsafeBufferPointer(rebasing: bytes[value]))
        body(prefix + text, number?.value, number?.isRounded ?? false)
      default: break
      }
      return true
    }
  }

  /// What is wrong with a message that is no object.
  static func fault(_ data: UnsafeRawBufferPointer) -> String {
    let fault = JSONCursor.fault(data.bindMemory(to: UInt8.self))
    return fault.contains("nested") ? fault : "it is no object of JSON"
  }

  /// The flags and the values of a message that sluice has written.
  /// - Parameter fields: The channels, by the names of their fields.
  /// - Returns: Nil if it is malformed.
  static func ours(
    _ data: UnsafeRawBufferPointer, _ fields: [String: Int], _ count: Int
  ) -> (flags: Reading.Flags, values: Values, isRounded: Bool)? {
    let bytes = data.bindMemory(to: UInt8.self)
    var cursor = JSONCursor(bytes)
    let names = cursor
    var values = Values()
    for _ in 0..<count { values.append(.missing) }
    var flags: Reading.Flags = []
    var isRounded = false
    let isWhole =
      cursor.take("{")
      && cursor.members { name, value in
        let text = String(decoding: names.raw(name), as: UTF8.self)
        if text == "flags", bytes[value.lowerBound] != UInt8(ascii: "n") {
          flags = Reading.Flags(
            rawValue: UInt8(String(decoding: names.raw(value), as: UTF8.self)) ?? 0)
        } else if let channel = fields[text], !names.isNull(value) {
          guard let number = NearestDecimal(utf8: names.raw(value)), let value = number.value else { return false }
          isRounded = isRounded || number.isRounded
          values[channel] = value
        }
        return true
      }
    return isWhole && cursor.isAtEnd ? (flags, values, isRounded) : nil
  }
}
