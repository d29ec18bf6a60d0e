/// The name of a stream, a channel or a file, as a key.
///
/// Two names are equal if they have the same bytes. As `String`, `é` and `e` with a combining accent are equal too, and
/// the readings of two streams would be mixed.
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
