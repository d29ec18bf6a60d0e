import SluiceReadings

/// Splits a line into its named values. ``NamedLines`` makes readings of them.
protocol LineFields {
  /// - Parameter take: Called with each value.
  /// - Returns: The fault of a line that cannot be split; `take` may have been called before.
  mutating func split(_ line: UnsafeBufferPointer<UInt8>, _ take: (LineField) -> Void) -> LineFault?
}

/// A value of a line, with its name.
struct LineField {
  /// The stream of the value, if lines belong to several; empty if all belong to one.
  var series = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  var name: UnsafeBufferPointer<UInt8>
  var value: UnsafeBufferPointer<UInt8>
  /// Whether the value is text, although it may look like a number.
  var isText = false
}

extension UnsafeBufferPointer<UInt8> {
  func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: self[range]) }
}

/// `name:value name:value` and `name=value name=value`. White space, commas and semicolons separate them. A usual unit
/// may stand behind a value: `Humidity: 41.00 %  Temperature: 21.01 *C`.
struct PairFields: LineFields {
  /// `:` or `=`.
  let sign: UInt8

  mutating func split(_ line: UnsafeBufferPointer<UInt8>, _ take: (LineField) -> Void) -> LineFault? {
    var index = 0
    var hasOne = false
    while true {
      while index < line.count, Self.separates(line[index]) { index += 1 }
      if index == line.count { return hasOne ? nil : LineFault("it has no \(name)value") }
      let start = index
      while index < line.count, line[index] != sign, !Self.separates(line[index]) { index += 1 }
      let end = index
      // White space may stand before and after the sign.
      while index < line.count, Self.isSpace(line[index]) { index += 1 }
      guard index < line.count, line[index] == sign, end > start else {
        return LineFault("it is not \(name)value all along")
      }
      index += 1
      while index < line.count, Self.isSpace(line[index]) { index += 1 }
      let value = index
      while index < line.count, !Self.separates(line[index]) { index += 1 }
      take(LineField(name: line.part(start..<end), value: LineUnit.without(line.part(value..<index))))
      index = LineUnit.end(line, behind: index)
      hasOne = true
    }
  }

  private var name: String { "name" + String(UnicodeScalar(sign)) }
  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  static func separates(_ byte: UInt8) -> Bool {
    isSpace(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
  }
}

/// The ``JSONLeaves`` of an object.
struct JSONFields: LineFields {
  private var leaves = JSONLeaves()

  mutating func split(_ line: UnsafeBufferPointer<UInt8>, _ take: (LineField) -> Void) -> LineFault? {
    var cursor = JSONCursor(line)
    guard let whole = cursor.value(), cursor.isAtEnd, line[whole.lowerBound] == UInt8(ascii: "{") else {
      return LineFault("it is not one JSON object")
    }
    leaves.read(line.part(whole)) { path, value in
      // A time may be a string.
      let text = value.withoutQuotes
      let isText = value.isJSONString ? !JSONText.isNumber(text, of: path) : "tf".utf8.contains(value.first ?? 0)
      take(LineField(name: path, value: text, isText: isText))
    }
    return nil
  }
}

/// `measurement,tag=text field=value,field=value time`. Measurement and tags are the stream, and the time is called
/// `time`.
struct InfluxFields: LineFields {
  /// Whether the time is wanted.
  var hasTime = false

  mutating func split(_ line: UnsafeBufferPointer<UInt8>, _ take: (LineField) -> Void) -> LineFault? {
    let fault = LineFault("it is not line protocol: measurement,tag=text field=value time")
    guard let end = Self.end(of: [UInt8(ascii: " ")], line, 0), end > 0 else { return fault }
    let series = line.part(0..<end)
    var index = end
    while index < line.count, line[index] == UInt8(ascii: " ") { index += 1 }
    guard index < line.count else { return fault }
    while true {
      // A space before the equals sign is in a tag with quotes. In a tag, quotes are characters and protect nothing.
      guard let equals = Self.end(of: [UInt8(ascii: "="), UInt8(ascii: " ")], line, index), equals > index,
        line[equals] == UInt8(ascii: "=")
      else { return fault }
      guard let next = Self.end(ofValue: line, equals + 1) else {
        return LineFault("a string in it has no quote at its end")
      }
      var value = line.part(equals + 1..<next)
      let isText =
        value.first == UInt8(ascii: "\"") || value.last.map { $0 &- 0x30 >= 10 && !"iu.".utf8.contains($0) } ?? true
      // The sign of a whole number.
      if !isText, let last = value.last, "iu".utf8.contains(last) { value = value.part(0..<value.count - 1) }
      take(LineField(series: series, name: line.part(index..<equals), value: value, isText: isText))
      index = next
      guard index < line.count, line[index] == UInt8(ascii: ",") else { break }
      index += 1
    }
    let time = ExactDecimal.trim(line.part(index..<line.count))
    if hasTime, !time.isEmpty { Self.time.withUTF8Buffer { take(LineField(series: series, name: $0, value: time)) } }
    return nil
  }

  private static let time: StaticString = "time"

  /// The end of a name: the place of the first of these characters that is not escaped. Quotes are a part of a name. A
  /// backslash escapes a comma, an equals sign and a space, and stands for itself before any other character.
  private static func end(of characters: [UInt8], _ line: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    var index = start
    while index < line.count {
      if line[index] == UInt8(ascii: "\\"), index + 1 < line.count, ",= ".utf8.contains(line[index + 1]) {
        index += 1
      } else if characters.contains(line[index]) {
        return index
      }
      index += 1
    }
    return nil
  }

  /// The end of the value of a field; nil if it is a string without its closing quote. In a string, a backslash escapes
  /// a quote and a backslash.
  private static func end(ofValue line: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    var index = start
    if index < line.count, line[index] == UInt8(ascii: "\"") {
      index += 1
      while index < line.count, line[index] != UInt8(ascii: "\"") {
        index += line[index] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard index < line.count else { return nil }
      index += 1
    }
    return end(of: [UInt8(ascii: ","), UInt8(ascii: " ")], line, index) ?? line.count
  }
}

/// All numbers of a line, whatever is between them. Their names are their places: `1`, `2`.
struct NumberFields: LineFields {
  mutating func split(_ line: UnsafeBufferPointer<UInt8>, _ take: (LineField) -> Void) -> LineFault? {
    var (index, place) = (0, 0)
    while let range = Self.number(line, &index) {
      place += 1
      var name = "\(place)"
      name.withUTF8 { take(LineField(name: $0, value: line.part(range))) }
    }
    return place > 0 ? nil : LineFault("it has no number")
  }

  /// The next number: a sign, digits, a point, an exponent. A minus between digits, as in a date, is no sign.
  private static func number(_ line: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Range<Int>? {
    func isDigit(_ index: Int) -> Bool { index < line.count && line[index] &- 0x30 < 10 }
    while index < line.count {
      let start = index
      var next = index
      let isSign = "+-".utf8.contains(line[next]) && (start == 0 || !isDigit(start - 1))
      if isSign { next += 1 }
      if next < line.count, line[next] == UInt8(ascii: "."), isDigit(next + 1) { next += 1 }
      guard isDigit(next) else {
        index += 1
        continue
      }
      while isDigit(next) { next += 1 }
      if next < line.count, line[next] == UInt8(ascii: "."), !line[start..<next].contains(UInt8(ascii: ".")) {
        next += 1
        while isDigit(next) { next += 1 }
      }
      if next < line.count, line[next] | 0x20 == UInt8(ascii: "e") {
        var power = next + 1
        if power < line.count, "+-".utf8.contains(line[power]) { power += 1 }
        if isDigit(power) {
          while isDigit(power) { power += 1 }
          next = power
        }
      }
      index = next
      return start..<next
    }
    return nil
  }
}

/// The named groups of a regular expression.
struct MatchFields: LineFields {
  private let regex: Regex<AnyRegexOutput>

  /// - Throws: The fault of the expression.
  init(_ pattern: String) throws(LineFault) {
    do { regex = try Regex(pattern) } catch { throw LineFault("\(pattern) is not a regular expression: \(error)") }
  }

  mutating func split(_ line: UnsafeBufferPointer<UInt8>, _ take: (LineField) -> Void) -> LineFault? {
    let text = String(decoding: line, as: UTF8.self)
    guard let match = try? regex.firstMatch(in: text) else { return LineFault("the expression does not match it") }
    var hasOne = false
    for (place, group) in match.output.enumerated().dropFirst() {
      hasOne = true
      var name = group.name ?? "\(place)"
      var value = String(group.substring ?? "")
      name.withUTF8 { name in value.withUTF8 { take(LineField(name: name, value: $0)) } }
    }
    return hasOne ? nil : LineFault("the expression has no group, such as (?<temp>[0-9.]+)")
  }
}
