import SluiceReadings

/// Reads the words of a DBC file, and counts its lines.
struct DBCCursor {
  private let bytes: [UInt8]
  private var index = 0
  /// The line, from 1.
  private(set) var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    // Some editors write a byte order mark.
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { index = 3 }
  }

  func fault(_ cause: String, remedy: String? = nil, line: Int? = nil) -> DBCFault {
    DBCFault(line: line ?? self.line, cause: cause, remedy: remedy)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isOfName(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  /// Skips white space.
  /// - Returns: The next byte; nil at the end.
  private mutating func next() -> UInt8? {
    while index < bytes.count {
      // Some programs write comments to the end of a line.
      if bytes[index...].starts(with: "//".utf8) {
        skipLine()
        continue
      }
      guard Self.isSpace(bytes[index]) else { break }
      if bytes[index] == 0x0a { line += 1 }
      index += 1
    }
    return index < bytes.count ? bytes[index] : nil
  }

  var isAtEnd: Bool { mutating get { next() == nil } }

  /// What comes next, for an error: a word or a character.
  private var shown: String {
    guard index < bytes.count else { return "the end of the file" }
    let word = bytes[index...].prefix(while: Self.isOfName).prefix(40)
    return "\"\(String(decoding: word.isEmpty ? bytes[index...index] : word, as: UTF8.self))\""
  }

  private mutating func taken(_ count: Int) -> ArraySlice<UInt8> {
    defer { index += count }
    return bytes[index..<index + count]
  }

  /// A name of letters, digits and underscores; nil if there is none.
  mutating func nameIfPresent() -> String? {
    guard let first = next(), Self.isOfName(first) else { return nil }
    return String(decoding: taken(bytes[index...].prefix(while: Self.isOfName).count), as: UTF8.self)
  }

  mutating func name(_ what: String) throws(DBCFault) -> String {
    guard let name = nameIfPresent() else { throw fault("it has \(shown) where \(what) should be") }
    guard name.utf8.count <= 128 else { throw fault("\(what) has more than 128 characters") }
    return name
  }

  /// Takes a character, if it is the next one.
  mutating func take(_ character: Character) -> Bool {
    guard let byte = next(), byte == character.asciiValue else { return false }
    _ = taken(1)
    return true
  }

  mutating func expect(_ character: Character, _ place: String) throws(DBCFault) {
    guard take(character) else { throw fault("it has \(shown) where \"\(character)\" should be \(place)") }
  }

  mutating func whole<Number: FixedWidthInteger>(_ what: String, _: Number.Type = Int.self) throws(DBCFault) -> Number {
    let text = next() == nil ? [] : bytes[index...].prefix(while: Self.isDigit)
    guard !text.isEmpty else { throw fault("it has \(shown) where \(what) should be") }
    guard let number = Number(String(decoding: text, as: UTF8.self)) else { throw fault("\(what) is too large") }
    _ = taken(text.count)
    return number
  }

  mutating func number(_ what: String) throws(DBCFault) -> ExactDecimal {
    let text =
      next() == nil ? [] : bytes[index...].prefix { Self.isDigit($0) || "+-.eE".utf8.contains($0) }
    let value = text.withUnsafeBufferPointer { NearestDecimal(utf8: $0) }?.value
    guard let value else { throw fault("it has \(shown) where \(what) should be a number") }
    _ = taken(text.count)
    return value
  }

  /// A minimum or maximum, which nothing uses: a number of any size, also as C programs write infinity and NaN.
  mutating func limit(_ what: String) throws(DBCFault) {
    let text =
      next() == nil
      ? [] : bytes[index...].prefix { Self.isOfName($0) && $0 != UInt8(ascii: "_") || "+-.#".utf8.contains($0) }
    let word = String(decoding: text, as: UTF8.self)
    // Programs of Visual C++ have written 1.#INF, -1.#IND and 1.#QNAN.
    guard Double(word) != nil || word.drop(while: { "+-".contains($0) }).hasPrefix("1.#") else {
      throw fault("it has \(shown) where \(what) should be a number")
    }
    _ = taken(text.count)
  }

  /// A text in quotes. Files are in UTF-8, or in Windows' Latin-1.
  mutating func text(_ what: String) throws(DBCFault) -> String {
    try expect("\"", "before \(what)")
    let (begin, start) = (line, index)
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == 0x0a { line += 1 }
      // An escaped quote does not end it. An escaped line feed is still the end of a line.
      let isEscape = bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count
      if isEscape, bytes[index + 1] == 0x0a { line += 1 }
      index += isEscape ? 2 : 1
    }
    guard index < bytes.count else { throw fault("\(what) has no quote at its end", line: begin) }
    let text = bytes[start..<index]
    index += 1
    if let utf8 = String(validating: text, as: UTF8.self) { return utf8 }
    return String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
  }

  /// Skips the words up to the semicolon.
  mutating func skipStatement(_ name: String) throws(DBCFault) {
    let begin = line
    while let byte = next() {
      if byte == UInt8(ascii: "\"") {
        _ = try text("a text of \(name)")
      } else if taken(1).first == UInt8(ascii: ";") {
        return
      }
    }
    throw fault("\(name) has no semicolon at its end", line: begin)
  }

  /// Skips the rest of the line.
  mutating func skipLine() {
    while index < bytes.count, bytes[index] != 0x0a { index += 1 }
  }

  /// Whether nothing but white space follows in this line.
  var isAtEndOfLine: Bool {
    let rest = bytes[index...].prefix { $0 != 0x0a }
    return rest.allSatisfy(Self.isSpace)
  }
}
