/// A line of the output of `gpiomon`, without its end.
struct GPIOMonLine {
  enum Kind {
    case edge(Edge)
    /// Not an edge: an empty line, a banner, or the initial levels, which have no time.
    case other
  }

  struct Edge {
    var time: UnsafeBufferPointer<UInt8>
    var isRising: Bool
    /// The offset of a GPIO line without a name.
    var offset: UnsafeBufferPointer<UInt8>?
    /// The chip; empty in the output of version 1, which does not have it.
    var chip: UnsafeBufferPointer<UInt8>
    /// The name without quotes; empty if the GPIO line has none.
    var name: UnsafeBufferPointer<UInt8>

    /// The name of the line in `sluice record`: its own name, or chip and offset. Without a chip, `line3`.
    var streamName: String? {
      let bytes: [UInt8]
      if !name.isEmpty {
        bytes = Array(name)
      } else if let offset {
        bytes = chip.isEmpty ? Array("line".utf8) + Array(offset) : Array(chip) + [UInt8(ascii: ":")] + Array(offset)
      } else {
        return nil
      }
      let text = String(decoding: bytes, as: UTF8.self)
      return text.utf8.elementsEqual(bytes) ? text : nil
    }

    /// The part of the text that identifies the line.
    var key: UnsafeBufferPointer<UInt8>
  }

  /// The kernel's `GPIO_MAX_NAME_SIZE`.
  static let longestName = 32

  /// - Returns: Nil if the text is not from the default output.
  static func kind(_ line: UnsafeBufferPointer<UInt8>) -> Kind? {
    if line.allSatisfy(isSpace) || isBanner(line) || isLevels(line) { return .other }
    let edge = starts(line, "event:") ? first(line) : second(line)
    return edge.map { .edge($0) }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private static func starts(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes.starts(with: $0) }
  }

  private static func ends(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes.suffix($0.count).elementsEqual($0) }
  }

  private static func slice(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[range])
  }

  /// Whether it is a line of `--banner`: `Monitoring lines 'a', and 'b'...`
  private static func isBanner(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    starts(line, "Monitoring line '") || starts(line, "Monitoring lines '")
  }

  /// Whether it is a line of `--initial-state`: `"a"=active "b"=inactive`
  private static func isLevels(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    !line.contains(UInt8(ascii: "\t")) && (ends(line, "=active") || ends(line, "=inactive"))
  }

  /// Parses version 1: `event:  RISING EDGE offset: 3 timestamp: [    1234.567890123]`
  private static func first(_ line: UnsafeBufferPointer<UInt8>) -> Edge? {
    var index = 6
    func skipSpaces() { while index < line.count, line[index] == 0x20 { index += 1 } }
    func take(_ text: StaticString) -> Bool {
      skipSpaces()
      guard starts(UnsafeBufferPointer(rebasing: line[index...]), text) else { return false }
      index += text.utf8CodeUnitCount
      return true
    }
    func take(while isPart: (UInt8) -> Bool) -> UnsafeBufferPointer<UInt8>? {
      skipSpaces()
      let start = index
      while index < line.count, isPart(line[index]) { index += 1 }
      return index > start ? slice(line, start..<index) : nil
    }
    let isRising = take("RISING EDGE")
    guard isRising || take("FALLING EDGE") else { return nil }
    let start = index
    guard take("offset:"), let offset = take(while: isDigit), offset.count <= 10 else { return nil }
    let key = slice(line, start..<index)
    guard take("timestamp:"), take("["),
      let time = take(while: { isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }), take("]"),
      line[index...].allSatisfy(isSpace)
    else { return nil }
    let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    return Edge(time: time, isRising: isRising, offset: offset, chip: none, name: none, key: key)
  }

  /// Parses version 2: the time, `rising` or `falling`, and the GPIO line, with tabs between them. The GPIO line is
  /// `gpiochip0 3` if it has no name, `"NAME"`, or with `--chip` `gpiochip0 3 "NAME"`. `--unquoted` omits the quotes.
  private static func second(_ line: UnsafeBufferPointer<UInt8>) -> Edge? {
    guard let tab = line.firstIndex(of: 0x09), let next = line[(tab + 1)...].firstIndex(of: 0x09), tab > 0 else {
      return nil
    }
    let word = slice(line, tab + 1..<next)
    let isRising = word.elementsEqual("rising".utf8)
    guard isRising || word.elementsEqual("falling".utf8) else { return nil }
    let id = slice(line, next + 1..<line.count)
    guard let first = line.first, isDigit(first), !id.isEmpty else { return nil }
    var edge = Edge(
      time: slice(line, 0..<tab), isRising: isRising, offset: nil, chip: slice(id, 0..<0), name: id, key: id)
    if starts(id, "gpiochip"), let space = id.firstIndex(of: 0x20), id[8..<space].allSatisfy(isDigit), space > 8 {
      let end = id[(space + 1)...].firstIndex { !isDigit($0) } ?? id.count
      if end > space + 1, end == id.count || id[end] == 0x20 {
        edge.chip = slice(id, 0..<space)
        edge.offset = slice(id, space + 1..<end)
        edge.name = slice(id, min(end + 1, id.count)..<id.count)
      }
    }
    let quote = UInt8(ascii: "\"")
    if edge.name.count > 2, edge.name.first == quote, edge.name.last == quote {
      edge.name = slice(edge.name, 1..<edge.name.count - 1)
    }
    let isShort = edge.chip.count <= longestName && (edge.offset?.count ?? 0) <= 10
    return isShort && edge.name.count <= longestName ? edge : nil
  }
}
