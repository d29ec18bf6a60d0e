extension Unicode.Scalar {
  /// Whether it is a control character, such as a line feed, or a separator of lines. In a name it would begin a line of
  /// its own in what a program prints, or in a file for another program.
  package var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: true
    default: false
    }
  }
}

extension String {
  package var hasControlCharacters: Bool { unicodeScalars.contains { $0.isControl } }
}
