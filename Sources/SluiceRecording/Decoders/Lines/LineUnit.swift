import SluiceReadings

/// Units behind the numbers of a line, as sketches print them.
enum LineUnit {
  /// Whether a word is a unit: `%`, `hPa`, or `*C`, whose star stands for the sign of degrees.
  private static func isUnit(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    guard (1...8).contains(word.count) else { return false }
    let text = String(decoding: word, as: UTF8.self)
    return TableUnits.isUnit(text.first == "*" ? String(text.dropFirst()) : text)
  }

  /// The number of `21.5C`; any other text as it is.
  static func without(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard let first = text.first, first &- 0x30 < 10 || "+-.".utf8.contains(first), !LineNumber.isNumber(text),
      let last = text.lastIndex(where: { $0 &- 0x30 < 10 }), isUnit(text.part(last + 1..<text.count))
    else { return text }
    let number = text.part(0..<last + 1)
    return LineNumber.isNumber(number) ? number : text
  }

  /// Where the word behind a place ends if it is a unit; the place itself if it is none.
  static func end(_ line: UnsafeBufferPointer<UInt8>, behind place: Int) -> Int {
    var start = place
    while start < line.count, line[start] == 0x20 { start += 1 }
    var end = start
    while end < line.count, !PairFields.separates(line[end]) { end += 1 }
    return end > start && isUnit(line.part(start..<end)) ? end : place
  }

  /// Whether a line has numbers with their units, and nothing else: `21.5 C`, `21.5C 40%`.
  static func areNumbers(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    var isBehindNumber = false
    let words = line.split(whereSeparator: PairFields.separates).map { UnsafeBufferPointer(rebasing: $0) }
    return words.allSatisfy { word in
      if isBehindNumber, isUnit(word) {
        isBehindNumber = false
        return true
      }
      isBehindNumber = LineNumber.isNumber(without(word))
      return isBehindNumber
    }
  }
}
