import SluiceReadings
import SluiceSystem

/// Cuts received bytes into lines, and knows when the first byte of each was received.
///
/// A line feed ends a line, also after a carriage return. A line longer than ``longest`` is skipped up to its end, so
/// that a source without line feeds does not fill the memory.
final class LineBuffer {
  /// A line, valid until the next call.
  struct Line {
    /// Without its end. A line feed or a carriage return follows it, and then ``slack`` bytes that can be read.
    var text: UnsafeBufferPointer<UInt8>
    /// When its first byte was received.
    var receipt: Receipt
  }

  /// When bytes were received.
  struct Receipt {
    /// CLOCK_MONOTONIC in nanoseconds.
    var monotonic: Int64
    /// Whether it may be wrong, because it was taken from the wall clock, and somebody set that clock.
    var isUncertain = false
    /// Whether something before them was lost. Only the first of their lines has it.
    var isAfterLoss = false
  }

  /// The longest line, in bytes.
  static var longest: Int { 64 << 10 }
  /// The bytes after a line that a parser of numbers may read.
  static var slack: Int { 16 }
  private static var capacity: Int { 256 << 10 }

  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: LineBuffer.capacity + LineBuffer.slack)
  // As in ``LineReader``: one thread at a time.
  @exclusivity(unchecked) private var start = 0  // of the next line
  @exclusivity(unchecked) private var searched = 0  // no line feed is before it
  @exclusivity(unchecked) private var end = 0
  @exclusivity(unchecked) private var isLeavingOut = false
  /// The receipts of the bytes, each up to the place where those of the next one begin.
  @exclusivity(unchecked) private var receipts: [(end: Int, receipt: Receipt)] = []
  /// The lines that were too long and have not been reported.
  @exclusivity(unchecked) private var tooLong = 0

  init() { memset(bytes, 0, Self.capacity + Self.slack) }
  deinit { bytes.deallocate() }

  /// Whether a line is there.
  var hasLine: Bool { feed() != nil }

  /// Whether it has no room for a longest line.
  var isNearlyFull: Bool { Self.capacity - (end - start) < Self.longest }

  /// Memory for the next read: at least ``longest`` bytes, if all lines were taken.
  func space() -> UnsafeMutableRawBufferPointer {
    if start > 0 {
      memmove(bytes, bytes + start, end - start)
      for index in receipts.indices { receipts[index].end -= start }
      (searched, end, start) = (searched - start, end - start, 0)
    }
    return UnsafeMutableRawBufferPointer(start: bytes + end, count: Self.capacity - end)
  }

  /// Takes bytes that were read into ``space()``.
  func append(_ count: Int, _ receipt: Receipt) {
    guard count > 0 else { return }
    endLinesAtReturns(from: end, to: end + count)
    end += count
    receipts.append((end, receipt))
    leaveOutTooLong()
  }

  /// Some devices end a line with a carriage return alone. So one that no line feed follows ends a line, too.
  private func endLinesAtReturns(from begin: Int, to end: Int) {
    func isReturn(_ place: Int) -> Bool { bytes[place] == UInt8(ascii: "\r") }
    if begin > start, isReturn(begin - 1), bytes[begin] != UInt8(ascii: "\n") {
      bytes[begin - 1] = UInt8(ascii: "\n")
      // A search has passed this place while it was a return.
      searched = min(searched, begin - 1)
    }
    var place = begin
    while place < end, let found = memchr(bytes + place, 0x0d, end - place) {
      place = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(bytes) + 1
      // What follows the last one is not known yet.
      if place < end, bytes[place] != UInt8(ascii: "\n") { bytes[place - 1] = UInt8(ascii: "\n") }
    }
  }

  /// Ends the line, as the end of a datagram or of a file does.
  func endLine() {
    guard end > start, bytes[end - 1] != UInt8(ascii: "\n"), end < Self.capacity else { return }
    bytes[end] = UInt8(ascii: "\n")
    end += 1
    if let last = receipts.indices.last { receipts[last].end = end }
  }

  /// Forgets all bytes, because the bytes that come next may not continue them.
  /// - Returns: Whether there were bytes: the beginning of a line.
  func clear() -> Bool {
    defer {
      (start, searched, end, isLeavingOut) = (0, 0, 0, false)
      receipts.removeAll(keepingCapacity: true)
    }
    return end > start
  }

  /// The number of lines that were skipped since the last call, because they were too long.
  func takeTooLong() -> Int {
    defer { tooLong = 0 }
    return tooLong
  }

  /// The line after a place, without taking it.
  /// - Parameter place: 0 for the first line; becomes the place of the next one.
  func peek(at place: inout Int) -> [UInt8]? {
    let from = start + place
    guard from < end, let found = memchr(bytes + from, 0x0a, end - from) else { return nil }
    let feed = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(bytes)
    place = feed + 1 - start
    return Array(UnsafeBufferPointer(start: bytes + from, count: feed - from))
  }

  /// Takes the next line.
  func next() -> Line? {
    while let feed = feed() {
      let from = start
      (start, searched) = (feed + 1, feed + 1)
      if receipts.count > 1, receipts[0].end <= from {
        receipts.removeFirst(receipts.firstIndex { $0.end > from } ?? receipts.count - 1)
      }
      if isLeavingOut {
        isLeavingOut = false
        continue
      }
      if feed - from > Self.longest {
        tooLong += 1
        continue
      }
      defer { if !receipts.isEmpty { receipts[0].receipt.isAfterLoss = false } }
      let isReturn = feed > from && bytes[feed - 1] == UInt8(ascii: "\r")
      return Line(
        text: UnsafeBufferPointer(start: bytes + from, count: (isReturn ? feed - 1 : feed) - from),
        receipt: receipts.first?.receipt ?? Receipt(monotonic: 0))
    }
    return nil
  }

  private func feed() -> Int? {
    guard searched < end else { return nil }
    guard let found = memchr(bytes + searched, 0x0a, end - searched) else {
      searched = end
      return nil
    }
    searched = UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(bytes)
    return searched
  }

  private func leaveOutTooLong() {
    guard end - start > Self.longest, feed().map({ $0 - start > Self.longest }) ?? true else { return }
    if !isLeavingOut { tooLong += 1 }
    isLeavingOut = true
    // The rest of the line is still to come.
    start = feed() ?? end
    receipts.removeFirst(receipts.firstIndex { $0.end > start } ?? receipts.count)
  }
}
