import SluiceReadings

/// The names and texts of the ``JSONLeaves`` of an object.
struct JSONObjectMembers {
  private(set) var names: [String] = []
  /// The largest number of members per object.
  private static let most = TraceColumns.limit
  /// The texts of the values, without quotes.
  private(set) var texts: [String] = []

  /// - Parameter line: A whole JSON value.
  init(_ line: UnsafeBufferPointer<UInt8>) {
    var leaves = JSONLeaves()
    leaves.read(line) { path, value in
      let cursor = JSONCursor(path)
      guard names.count < Self.most, !value.elementsEqual("null".utf8), let name = cursor.text(path.indices) else {
        return
      }
      names.append(name)
      texts.append(String(decoding: value.withoutQuotes, as: UTF8.self))
    }
  }
}
