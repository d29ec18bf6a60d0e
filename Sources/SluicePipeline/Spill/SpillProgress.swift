import DequeModule
import SluiceReadings

/// Which readings of a log are safe in an output. It is a value.
///
/// An output gets readings from memory and from the log, in one order. It says how many of the first of them it has written,
/// and how many are safe.
struct SpillProgress {
  private struct Part {
    /// The number of readings that the output got up to its end.
    var end: Int
    /// The sequence number behind it; nil for readings that were not in the log.
    var next: UInt64?
    /// The streams of its readings, if they were in the log.
    var streams: [UInt16]
  }

  private var parts: Deque<Part> = []
  /// The readings that the output got.
  private(set) var given = 0
  /// The sequence number of the first reading that is not known to be safe.
  private(set) var next: UInt64

  init(next: UInt64) { self.next = next }

  mutating func gave(_ readings: ArraySlice<Reading>, endingAt next: UInt64?) {
    given += readings.count
    let streams = next == nil ? [] : readings.map(\.stream.index)
    if next == nil, let last = parts.last, last.next == nil {
      parts[parts.count - 1].end = given
    } else {
      parts.append(Part(end: given, next: next, streams: streams))
    }
  }

  /// Readings of the log cannot be read. The next one that can be read has this sequence number, or a later one.
  mutating func skip(to next: UInt64) { parts.append(Part(end: given, next: next, streams: [])) }

  /// Notes that the first `count` readings that the output got are safe.
  /// - Returns: Whether some of those that are newly safe were in the log.
  mutating func settle(_ count: Int) -> Bool {
    let before = next
    while let first = parts.first {
      if first.end <= count {
        next = first.next ?? next
        parts.removeFirst()
        continue
      }
      guard let end = first.next else { break }
      let left = first.end - count
      if left < first.streams.count {
        next = end - UInt64(left)
        parts[0].streams.removeFirst(first.streams.count - left)
      }
      break
    }
    return next != before
  }

  /// Whether the output got readings of the log that are not known to be safe.
  var hasUnsafe: Bool { parts.contains { !$0.streams.isEmpty } }

  /// The readings of the log that the output got and that are not known to be safe: the stream of each, and whether it is
  /// among the first `written` of all.
  func unsafe(written: Int) -> [(stream: Int, isWritten: Bool)] {
    parts.flatMap { part in
      part.streams.enumerated().map { index, stream in
        (Int(stream), part.end - part.streams.count + index < written)
      }
    }
  }
}
