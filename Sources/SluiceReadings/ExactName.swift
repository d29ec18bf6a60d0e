/// A name from outside as a key: of a stream, a channel or a file.
///
/// Two names are equal if they have the same bytes. `String` also takes names as equal that only look the same, such as
/// `é` and `e` with a combining accent, and so would mix the readings of two streams.
package struct ExactName: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { text }

  package static func == (a: ExactName, b: ExactName) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(UInt8.max)
  }
}

extension StringProtocol {
  /// Whether a name has the same bytes as this one.
  package func isExactly(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}
