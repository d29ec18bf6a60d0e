import SluiceSystem

/// Changes each line of a text before it is decoded. Each line stays one line, so that errors name the lines of the file.
final class RewrittenLines {
  // One thread at a time reads it.

  /// The longest line that is changed. A longer one passes as it is, and its reader reports it.
  private static let longest = 16 << 20

  /// Makes the new text of a line without its end; the first line has number 0.
  private let rewrite: (_ line: Int, _ text: UnsafeBufferPointer<UInt8>, _ into: inout [UInt8]) -> Void
  private var input: [UInt8] = []
  private var output: [UInt8] = []
  private var taken = 0
  private var line = 0
  private var atEnd = false
  private var chunk = [UInt8](repeating: 0, count: 64 << 10)

  init(_ rewrite: @escaping (Int, UnsafeBufferPointer<UInt8>, inout [UInt8]) -> Void) { self.rewrite = rewrite }

  func reset() { (input, output, taken, line, atEnd) = ([], [], 0, 0, false) }

  /// Fills the buffer with changed lines.
  /// - Parameter read: Reads the bytes of the file; it returns 0 at the end.
  func fill(
    _ target: UnsafeMutableRawBufferPointer,
    _ read: (UnsafeMutableRawBufferPointer) throws(SystemErrno) -> Int
  ) throws(SystemErrno) -> Int {
    while taken == output.count, !atEnd {
      (output, taken) = ([], 0)
      // Before Swift 6.1, typed throws do not pass through closures of the standard library.
      let result = chunk.withUnsafeMutableBytes { bytes in
        Result { () throws(SystemErrno) in try read(bytes) }
      }
      let count = try result.get()
      atEnd = count == 0
      input += chunk[..<count]
      rewriteLines()
    }
    let count = min(target.count, output.count - taken)
    target.copyBytes(from: output[taken..<(taken + count)])
    taken += count
    return count
  }

  private func rewriteLines() {
    var start = 0
    input.withUnsafeBufferPointer { bytes in
      while let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        add(bytes[start..<feed])
        output.append(UInt8(ascii: "\n"))
        start = feed + 1
      }
      if atEnd, start < bytes.count {
        add(bytes[start...])
        start = bytes.count
      } else if bytes.count - start > Self.longest {
        output += bytes[start...]
        start = bytes.count
      }
    }
    input.removeFirst(start)
  }

  private func add(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    var text = text
    if line == 0, text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
    if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
    rewrite(line, UnsafeBufferPointer(rebasing: text), &output)
    line += 1
  }
}
