extension Unicode.Scalar {
  /// Whether it is a control character, such as a line feed, or a separator of lines. In a name, it could begin a new
  /// line in a file for another program, or change the terminal.
  package var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: true
    default: false
    }
  }
}

extension Unicode.Scalar {
  /// Whether it changes the direction of the text behind it, so that a name can look like another one.
  package var isOfDirection: Bool {
    switch value {
    case 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  package var hasControlCharacters: Bool { unicodeScalars.contains { $0.isControl } }

  /// The text in one line, with a `?` for each control character.
  package var inOneLine: String {
    hasControlCharacters ? String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? "?" : $0 })) : self
  }
}

extension Sequence<String> {
  /// The lines as a text, each with a line feed at its end. A line feed in a name, of a file or of a stream, does not begin
  /// another line, which could say what is not so.
  package var asLines: String { map { $0.inOneLine + "\n" }.joined() }
}
