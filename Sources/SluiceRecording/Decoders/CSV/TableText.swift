/// The first lines of a table, which are looked at before it is read.
struct TableText {
  /// The bytes of these lines, without a byte order mark.
  let bytes: ArraySlice<UInt8>
  /// The rows by their first lines: a line feed in quotes belongs to the row that it is in, and the other lines of that row
  /// are empty. So lines keep their numbers.
  let lines: [[UInt8]]
  /// The same as texts. A line that is not UTF-8 is another one as a text.
  let texts: [String]

  /// The first bytes that are looked at, and the most lines.
  static let limit = 64 << 10
  private static let most = 400

  /// - Parameters:
  ///   - beginning: The first bytes.
  ///   - isWhole: Whether these are all.
  init(_ beginning: [UInt8], isWhole: Bool) {
    let text = beginning.dropFirst(beginning.starts(with: TextDecoding.mark) ? TextDecoding.mark.count : 0)
    var lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: Self.most, omittingEmptySubsequences: false)
    if !isWhole || lines.last?.isEmpty ?? false || lines.count > Self.most { lines = lines.dropLast() }
    bytes = text[..<(lines.last?.endIndex ?? text.startIndex)]
    self.lines = CSVCells.joined(lines.map { Array($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) })
    texts = self.lines.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a line is neither blank, nor a comment, nor the line in which Excel names the delimiter.
  func isShown(_ line: Int) -> Bool {
    !lines[line].isEmpty && lines[line][0] != UInt8(ascii: "#") && !lines[line].starts(with: "sep=".utf8)
  }
}
