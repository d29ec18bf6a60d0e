/// The values of a JSON value that are neither objects nor arrays, each with its path: `a`, `a.b` in a nested object, `a.0`
/// in an array.
struct JSONLeaves {
  /// The names are as they stand in the text, with their escapes.
  private var path: [UInt8] = []

  /// - Parameters:
  ///   - value: A whole JSON value.
  ///   - take: Called with each path and its value. A string has its quotes.
  mutating func read<Fault: Error>(
    _ value: UnsafeBufferPointer<UInt8>,
    _ take: (_ path: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    path.removeAll(keepingCapacity: true)
    try walk(value, take)
  }

  private mutating func walk<Fault: Error>(
    _ value: UnsafeBufferPointer<UInt8>,
    _ take: (_ path: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) throws(Fault) -> Void
  ) throws(Fault) {
    var cursor = JSONCursor(value)
    let length = path.count
    switch value.first {
    case UInt8(ascii: "{"):
      guard cursor.take("{"), !cursor.take("}") else { return }
      repeat {
        guard let name = cursor.string(), cursor.take(":"), let range = cursor.value() else { return }
        if length > 0 { path.append(UInt8(ascii: ".")) }
        path.append(contentsOf: cursor.raw(name))
        try walk(cursor.raw(range), take)
        path.removeLast(path.count - length)
      } while cursor.take(",")
    case UInt8(ascii: "["):
      guard cursor.take("["), !cursor.take("]") else { return }
      var index = 0
      repeat {
        guard let range = cursor.value() else { return }
        path.append(contentsOf: ".\(index)".utf8)
        try walk(cursor.raw(range), take)
        path.removeLast(path.count - length)
        index += 1
      } while cursor.take(",")
    default:
      // Before Swift 6.1, typed throws do not pass through closures of the standard library.
      try path.withUnsafeBufferPointer { path in Result { () throws(Fault) in try take(path, value) } }.get()
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// What is between the quotes of a JSON string; any other value as it is.
  var withoutQuotes: UnsafeBufferPointer<UInt8> {
    isJSONString ? UnsafeBufferPointer(rebasing: dropFirst().dropLast()) : self
  }

  /// Whether a JSON value is a string.
  var isJSONString: Bool { first == UInt8(ascii: "\"") }
}
