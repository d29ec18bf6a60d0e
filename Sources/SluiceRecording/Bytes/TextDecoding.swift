/// Converts text in another encoding to UTF-8, and other line ends to line feeds.
struct TextDecoding {
  enum Encoding: String {
    case utf8 = "UTF-8"
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"
    /// The encoding of Windows in western languages. Latin-1 is a part of it.
    case windows1252 = "Windows-1252"
  }

  let encoding: Encoding
  /// Whether lines end with a carriage return alone.
  let hasReturns: Bool
  private var rest: [UInt8] = []
  private var isAtBeginning = true

  init(_ encoding: Encoding, hasReturns: Bool = false) { (self.encoding, self.hasReturns) = (encoding, hasReturns) }

  /// The most bytes of UTF-8 for a byte.
  static let longest = 3

  mutating func reset() { (rest, isAtBeginning) = ([], true) }

  /// Converts the next bytes. A character that is not whole waits for the bytes behind it.
  /// - Parameter isLast: Whether there are none behind it.
  mutating func text(_ bytes: some Collection<UInt8>, isLast: Bool = false) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    let bytes = rest + bytes
    rest = []
    switch encoding {
    case .utf8: text = bytes
    case .windows1252:
      for byte in bytes {
        if byte < 0x80 { text.append(byte) } else { text += Self.character(byte).utf8 }
      }
    case .utf16LittleEndian, .utf16BigEndian:
      let (high, low) = encoding == .utf16BigEndian ? (0, 1) : (1, 0)
      var index = 0
      func unit(_ index: Int) -> UInt16 { UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + low]) }
      while index + 1 < bytes.count {
        let first = unit(index)
        if first < 0x80 {
          text.append(UInt8(truncatingIfNeeded: first))
          index += 2
          continue
        }
        let isFirstOfTwo = UTF16.isLeadSurrogate(first)
        if isFirstOfTwo, index + 3 >= bytes.count, !isLast { break }
        var scalar = UInt32(first)
        var length = 2
        if isFirstOfTwo, index + 3 < bytes.count, UTF16.isTrailSurrogate(unit(index + 2)) {
          scalar = 0x1_0000 + (UInt32(first) - 0xd800) << 10 + (UInt32(unit(index + 2)) - 0xdc00)
          length = 4
        } else if isFirstOfTwo || UTF16.isTrailSurrogate(first) {
          scalar = 0xfffd
        }
        Self.append(scalar, to: &text)
        index += length
      }
      if !isLast { rest = Array(bytes[index...]) } else if index < bytes.count { text += "\u{fffd}".utf8 }
    }
    if isAtBeginning, !text.isEmpty {
      isAtBeginning = false
      if text.starts(with: Self.mark) { text.removeFirst(Self.mark.count) }
    }
    if hasReturns { for index in text.indices where text[index] == 0x0d { text[index] = 0x0a } }
    return text
  }

  /// Appends a character that is not ASCII. A string for each one would take most of the time.
  private static func append(_ scalar: UInt32, to text: inout [UInt8]) {
    func rest(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar >> shift & 0x3f) }
    if scalar < 0x800 {
      text.append(0xc0 | UInt8(truncatingIfNeeded: scalar >> 6))
    } else {
      if scalar < 0x1_0000 {
        text.append(0xe0 | UInt8(truncatingIfNeeded: scalar >> 12))
      } else {
        text.append(0xf0 | UInt8(truncatingIfNeeded: scalar >> 18))
        text.append(rest(12))
      }
      text.append(rest(6))
    }
    text.append(rest(0))
  }

  /// The byte order mark in UTF-8.
  static let mark: [UInt8] = [0xef, 0xbb, 0xbf]

  /// The characters from 0x80 to 0x9f; those that have none stand for the control characters of Latin-1.
  private static let windows: [UInt16] = [
    0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f,
    0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e,
    0x178,
  ]

  private static func character(_ byte: UInt8) -> String {
    let scalar = (0x80..<0xa0).contains(byte) ? Unicode.Scalar(windows[Int(byte) - 0x80]) : Unicode.Scalar(byte)
    return scalar.map { String($0) } ?? "\u{fffd}"
  }
}

extension TextDecoding.Encoding {
  /// The encoding that the first bytes of a text show; nil if they do not.
  init?(markOf beginning: [UInt8]) {
    if beginning.starts(with: [0xff, 0xfe]) {
      self = .utf16LittleEndian
    } else if beginning.starts(with: [0xfe, 0xff]) {
      self = .utf16BigEndian
    } else if beginning.starts(with: TextDecoding.mark) {
      self = .utf8
    } else {
      // In a header of Latin letters every second byte is 0.
      let characters = beginning.prefix(32)
      guard characters.count >= 8 else { return nil }
      func isText(_ parity: Int) -> Bool {
        characters.enumerated().allSatisfy { offset, byte in
          offset % 2 == parity ? (0x09..<0x7f).contains(byte) : byte == 0
        }
      }
      guard isText(0) || isText(1) else { return nil }
      self = isText(0) ? .utf16LittleEndian : .utf16BigEndian
    }
  }
}
