import SluiceReadings

/// The numbers and texts of a JSON object, with their names as channels: `a`, `a.b` in a nested object, `a.0` in an
/// array.
struct JSONObjectMembers {
  private(set) var names: [String] = []
  /// The largest number of members per object.
  private static let most = TraceColumns.limit
  /// The texts of the values, without quotes.
  private(set) var texts: [String] = []

  /// - Parameter line: A whole JSON value.
  init(_ line: UnsafeBufferPointer<UInt8>) { add(line, named: "") }

  private mutating func add(_ value: UnsafeBufferPointer<UInt8>, named name: String) {
    guard names.count < Self.most else { return }
    var cursor = JSONCursor(value)
    if cursor.take("{") {
      if cursor.take("}") { return }
      repeat {
        guard let member = cursor.string(), cursor.take(":"), let range = cursor.value() else { return }
        guard let text = cursor.text(member) else { continue }
        add(cursor.raw(range), named: name.isEmpty ? text : "\(name).\(text)")
      } while cursor.take(",")
    } else if cursor.take("[") {
      if cursor.take("]") { return }
      var index = 0
      repeat {
        guard let range = cursor.value() else { return }
        add(cursor.raw(range), named: "\(name).\(index)")
        index += 1
      } while cursor.take(",")
    } else if let text = cursor.string() {
      names.append(name)
      texts.append(String(decoding: cursor.raw(text), as: UTF8.self))
    } else if let range = cursor.value(), !cursor.isNull(range) {
      names.append(name)
      texts.append(String(decoding: cursor.raw(range), as: UTF8.self))
    }
  }
}
