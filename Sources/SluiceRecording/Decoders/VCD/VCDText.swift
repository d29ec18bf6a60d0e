import SluiceReadings

/// The words of a value change dump, read line by line. Words may be on any line.
final class VCDText {
  let lines: TraceLines
  /// The rest of the line. White space follows it, and ``DecimalDigits/slack`` more bytes can be read.
  @exclusivity(unchecked) var next: UnsafePointer<UInt8>
  @exclusivity(unchecked) private(set) var end: UnsafePointer<UInt8>
  /// The last line, if it has no end.
  private var last: UnsafeMutablePointer<UInt8>

  init(_ file: TraceFile) {
    lines = TraceLines(file)
    last = .allocate(capacity: 1)
    next = UnsafePointer(last)
    end = next
  }

  deinit { last.deallocate() }

  @inline(__always)
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0d) }

  /// - Returns: False at the end of the file.
  func nextLine() throws(SluiceError) -> Bool {
    guard let line = try lines.next(), let start = line.baseAddress else { return false }
    next = start
    end = start + line.count
    // Words and numbers end at white space, so no other bound is needed.
    if !Self.isSpace(end.pointee) { copyLast(line) }
    return true
  }

  private func copyLast(_ line: UnsafeBufferPointer<UInt8>) {
    last.deallocate()
    last = .allocate(capacity: line.count + 1 + DecimalDigits.slack)
    for (index, byte) in line.enumerated() { last[index] = byte }
    (last + line.count).initialize(repeating: UInt8(ascii: "\n"), count: 1 + DecimalDigits.slack)
    next = UnsafePointer(last)
    end = next + line.count
  }

  /// The next word, on this line or a later one, valid until the next call; nil at the end of the file.
  func word() throws(SluiceError) -> UnsafeBufferPointer<UInt8>? {
    while true {
      while next < end, Self.isSpace(next.pointee) { next += 1 }
      if next < end { return wordHere() }
      guard try nextLine() else { return nil }
    }
  }

  /// The word that starts here.
  func wordHere() -> UnsafeBufferPointer<UInt8> {
    let start = next
    while next < end, !Self.isSpace(next.pointee) { next += 1 }
    return UnsafeBufferPointer(start: start, count: next - start)
  }

  /// The bytes as a text for errors.
  static func shown(_ bytes: some Sequence<UInt8>) -> String {
    let text = bytes.prefix(32).map { (0x20..<0x7f).contains($0) ? String(Unicode.Scalar($0)) : "?" }.joined()
    return "\"\(text)\""
  }
}
