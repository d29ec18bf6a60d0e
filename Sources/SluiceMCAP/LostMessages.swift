import SluiceReadings
import SluiceSystem

/// The messages that are gone, or cannot be read, behind the last ones of their streams.
///
/// The indexes behind a chunk say how many messages it has. They are often whole when the chunk is not.
struct LostMessages {
  /// By channel, their number.
  private(set) var counts: [UInt16: Int] = [:]

  var isEmpty: Bool { counts.isEmpty }

  mutating func add(_ channel: UInt16, _ count: Int) {
    let (sum, overflow) = counts[channel, default: 0].addingReportingOverflow(count)
    counts[channel] = overflow ? .max : sum
  }

  /// Adds those of a damaged part of a file, as far as whole indexes are in it.
  mutating func add(_ damaged: Range<Int64>, _ file: FileBytes) throws(SystemErrno) {
    let head = RecordKind.head + 6
    var offset = damaged.lowerBound
    while offset + Int64(head) <= damaged.upperBound {
      let bytes = try file.bytes(at: offset, Int(min(1 << 20, damaged.upperBound - offset)))
      guard bytes.count >= head else { return }
      var place = 0
      while place + head <= bytes.count {
        guard bytes[place] == RecordKind.messageIndex.rawValue else {
          place += 1
          continue
        }
        let (length, channel, size) = bytes.withUnsafeBytes { bytes in
          var cursor = RecordCursor(bytes, at: place + 1)
          return (cursor.number(UInt64.self), cursor.number(UInt16.self), cursor.number(UInt32.self))
        }
        let start = offset + Int64(place + RecordKind.head)
        guard length == UInt64(size) + 6, size > 0, size % 16 == 0,
          length <= UInt64(damaged.upperBound - start)
        else {
          place += 1
          continue
        }
        add(channel, Int(size / 16))
        place += RecordKind.head + Int(length)
      }
      offset += Int64(place)
    }
  }

  /// Forgets those before a message of a stream, whose number says how many they were.
  mutating func forget(_ stream: ExactName, _ name: (UInt16) -> ExactName?) {
    counts = counts.filter { name($0.key) != stream }
  }

  mutating func forgetAll() { counts = [:] }

  /// By the name of a stream, their number. What has no known channel is left out.
  func byStream(_ name: (UInt16) -> ExactName?) -> [ExactName: UInt32] {
    var all: [ExactName: UInt32] = [:]
    for (channel, count) in counts {
      guard let name = name(channel) else { continue }
      all[name] = all[name, default: 0].addingClamped(UInt32(clamping: count))
    }
    return all
  }
}

extension UInt32 {
  func addingClamped(_ other: UInt32) -> UInt32 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

extension ChannelRecord {
  /// The name of its stream; nil if another program has written it.
  var streamName: ExactName? { value("stream").map { ExactName($0) } }
}
