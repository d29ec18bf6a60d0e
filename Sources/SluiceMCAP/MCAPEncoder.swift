import SluiceCDR
package import SluiceReadings
package import SluiceRecording
import SluiceSystem

/// Encodes readings as messages. ``MCAPFileStore`` makes chunks of them, when it writes.
///
/// The record of a message is as in the file but for two numbers, which are known only there: the channel is the number of
/// the stream, and the sequence is a ``Mark``.
package final class MCAPEncoder: RecordingEncoder {
  /// What stands for the sequence of a message before it is written.
  struct Mark {
    var isJSON: Bool
    /// Whether a reading was lost before it, so that a number is left out.
    var isAfterGap: Bool
    /// Whether one of its values was rounded.
    var isRounded: Bool
    /// The number of channels that the stream had.
    var channels: Int

    init(isJSON: Bool, isAfterGap: Bool, isRounded: Bool = false, channels: Int) {
      (self.isJSON, self.isAfterGap, self.isRounded, self.channels) = (isJSON, isAfterGap, isRounded, channels)
    }

    init(_ number: UInt32) {
      isJSON = number & 0x100 != 0
      isAfterGap = number & 0x200 != 0
      isRounded = number & 0x400 != 0
      channels = Int(number & 0xff)
    }

    var number: UInt32 {
      UInt32(channels & 0xff) | (isJSON ? 0x100 : 0) | (isAfterGap ? 0x200 : 0) | (isRounded ? 0x400 : 0)
    }
  }

  private struct Stream {
    var scales: [DoubleScale]
    /// The texts of a message of JSON, one behind the other: ``MCAPEncoder/texts``, and that before each value: `,"x":`
    var texts: [UInt8]
    /// Where each of them ends.
    var ends: [Int]
    var values: [ScaledValue]
    /// The largest message of JSON.
    var longest: Int
    /// The size of a message of CDR, without the head of its record.
    var size: Int
    /// A value that no floating-point number has was there, so that all that follow are JSON too.
    var isJSON: Bool
  }

  private let base: Int
  private let described: EncoderStreams
  private let series: SeriesTable
  /// The encoding that the user wants; nil for that which loses nothing.
  private let wanted: MessageEncoding?
  private var streams: [Stream] = []

  init(_ streams: EncoderStreams, _ series: SeriesTable, _ wanted: MessageEncoding?) {
    (base, described, self.series, self.wanted) = (streams.base, streams, series, wanted)
    make(streams.streams)
  }

  /// The magic bytes and the header.
  package static var header: [UInt8] {
    var writer = RecordWriter()
    writer.append(raw: MCAP.magic)
    writer.append(.header) { writer in
      writer.append("")
      writer.append("sluice")
    }
    return writer.bytes
  }

  package var header: [UInt8] { Self.header }

  package func fault(inFileThatBegins beginning: [UInt8]) -> String? {
    Contents.recognizes(beginning) ? nil : "it is no MCAP file"
  }

  package func describe(_ streams: [StreamDescription]) {
    series.describe(streams)
    make(streams)
  }

  private func make(_ all: [StreamDescription]) {
    streams = all.enumerated().map { index, stream in
      let fields = ROS2Message(stream).fields
      var (texts, ends): ([UInt8], [Int]) = ([], [])
      for text in Self.texts + fields.map({ ",\"\($0)\":" }) {
        texts += Array(text.utf8)
        ends.append(texts.count)
      }
      return Stream(
        scales: stream.channels.map { DoubleScale($0, of: stream, described) }, texts: texts, ends: ends,
        values: stream.channels.map { ScaledValue($0, of: stream, described) },
        longest: 128 + texts.count + fields.count * TextCursor.longestNumber,
        size: stream.channels.isEmpty ? 13 : 20 + 8 * stream.channels.count,
        isJSON: wanted == .json || index < streams.count && streams[index].isJSON)
    }
  }

  package func encode(_ readings: UnsafeBufferPointer<Reading>, into rows: EncodedRows, until length: Int) -> Int {
    guard let first = readings.baseAddress else { return 0 }
    let text = rows.text
    // A pointer, because a look at the array would count references for each message.
    return streams.withUnsafeMutableBufferPointer { streams in
      var count = 0
      while count < readings.count, text.count < length {
        let reading = first + count
        count += 1
        let number = Int(reading.pointee.stream.index) - base
        guard number >= 0, number < streams.count, let stream = streams.baseAddress.map({ $0 + number }) else {
          continue
        }
        if stream.pointee.isJSON || !encodeCDR(reading, number, stream, text) {
          encodeJSON(reading, number, stream, text)
        }
        rows.end(reading.pointee.stream)
      }
      return count
    }
  }

  // MARK: Messages

  /// Writes the head of a message.
  @inline(__always)
  private func write(
    head start: UnsafeMutableRawPointer, _ reading: UnsafePointer<Reading>, _ number: Int, _ mark: Mark, size: Int
  ) {
    let time = reading.pointee.time
    start.storeBytes(of: RecordKind.message.rawValue, as: UInt8.self)
    start.storeBytes(of: UInt64(22 + size).littleEndian, toByteOffset: 1, as: UInt64.self)
    start.storeBytes(of: UInt16(truncatingIfNeeded: number).littleEndian, toByteOffset: 9, as: UInt16.self)
    start.storeBytes(of: mark.number.littleEndian, toByteOffset: 11, as: UInt32.self)
    start.storeBytes(of: UInt64(max(0, time)).littleEndian, toByteOffset: 15, as: UInt64.self)
    start.storeBytes(of: UInt64(bitPattern: time).littleEndian, toByteOffset: 23, as: UInt64.self)
  }

  /// Seconds, rounded down, and the nanoseconds after them.
  @inline(__always)
  private static func stamp(_ time: Int64) -> (seconds: Int64, nanoseconds: Int64) {
    let (seconds, nanoseconds) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
    return nanoseconds < 0 ? (seconds - 1, nanoseconds + 1_000_000_000) : (seconds, nanoseconds)
  }

  /// - Returns: False if a value would be rounded and must not be. Nothing is appended then.
  @inline(__always)
  private func encodeCDR(
    _ reading: UnsafePointer<Reading>, _ number: Int, _ stream: UnsafeMutablePointer<Stream>, _ text: TextBuffer
  ) -> Bool {
    let size = stream.pointee.size
    let start = UnsafeMutableRawPointer(text.room(MessageHead.count + size))
    let data = start + MessageHead.count
    let (seconds, nanoseconds) = Self.stamp(reading.pointee.time)
    data.storeBytes(of: UInt32(0x0100).littleEndian, as: UInt32.self)
    data.storeBytes(of: Int32(clamping: seconds).littleEndian, toByteOffset: 4, as: Int32.self)
    data.storeBytes(of: UInt32(truncatingIfNeeded: nanoseconds).littleEndian, toByteOffset: 8, as: UInt32.self)
    data.storeBytes(of: reading.pointee.flags.rawValue, toByteOffset: 12, as: UInt8.self)
    var isRounded = false
    let (isExact, channels) = stream.pointee.scales.withUnsafeBufferPointer { scales in
      guard !scales.isEmpty else { return (true, 0) }
      // Seven bytes before the first number of eight bytes.
      data.storeBytes(of: 0, toByteOffset: 13, as: UInt32.self)
      data.storeBytes(of: 0, toByteOffset: 16, as: UInt32.self)
      let count = reading.pointee.values.count
      for channel in scales.indices {
        var value = Double.nan
        if channel < count {
          let own = reading.pointee.values[channel]
          if let exact = scales[channel].exactly(own) {
            value = exact
          } else {
            guard wanted == .cdr else { return (false, 0) }
            value = scales[channel].nearest(own).value
            isRounded = true
          }
        }
        data.storeBytes(of: value.bitPattern.littleEndian, toByteOffset: 20 + 8 * channel, as: UInt64.self)
      }
      return (true, scales.count)
    }
    guard isExact else {
      stream.pointee.isJSON = true
      return false
    }
    let mark = Mark(
      isJSON: false, isAfterGap: reading.pointee.flags.contains(.gapBefore), isRounded: isRounded, channels: channels)
    write(head: start, reading, number, mark, size: size)
    text.advance(by: MessageHead.count + size)
    return true
  }

  /// The texts of each message of JSON, and that of a missing value.
  private static let texts = ["{\"stamp\":{\"sec\":", ",\"nanosec\":", "},\"flags\":", "null"]

  private func encodeJSON(
    _ reading: UnsafePointer<Reading>, _ number: Int, _ stream: UnsafeMutablePointer<Stream>, _ text: TextBuffer
  ) {
    let start = text.room(MessageHead.count + stream.pointee.longest)
    var cursor = TextCursor(next: start + MessageHead.count)
    stream.pointee.texts.withUnsafeBufferPointer { texts in
      stream.pointee.ends.withUnsafeBufferPointer { ends in
        stream.pointee.values.withUnsafeBufferPointer { values in
          Self.encode(reading, texts, ends, values, to: &cursor)
        }
      }
    }
    let size = cursor.next - start - MessageHead.count
    let mark = Mark(
      isJSON: true, isAfterGap: reading.pointee.flags.contains(.gapBefore), channels: stream.pointee.values.count)
    write(head: UnsafeMutableRawPointer(start), reading, number, mark, size: size)
    text.advance(by: MessageHead.count + size)
  }

  @inline(__always)
  private static func encode(
    _ reading: UnsafePointer<Reading>, _ texts: UnsafeBufferPointer<UInt8>, _ ends: UnsafeBufferPointer<Int>,
    _ values: UnsafeBufferPointer<ScaledValue>, to cursor: inout TextCursor
  ) {
    func append(_ number: Int, to cursor: inout TextCursor) {
      guard let base = texts.baseAddress else { return }
      let begin = number == 0 ? 0 : ends[number - 1]
      memcpy(cursor.next, base + begin, ends[number] - begin)
      cursor.next += ends[number] - begin
    }
    let (seconds, nanoseconds) = stamp(reading.pointee.time)
    append(0, to: &cursor)
    cursor.append(seconds)
    append(1, to: &cursor)
    cursor.append(nanoseconds)
    append(2, to: &cursor)
    cursor.append(Int64(reading.pointee.flags.rawValue))
    let count = reading.pointee.values.count
    for channel in values.indices {
      append(4 + channel, to: &cursor)
      let value = channel < count ? reading.pointee.values[channel] : .missing
      if !values[channel].append(value, to: &cursor) { append(3, to: &cursor) }
    }
    cursor.append(UInt8(ascii: "}"))
  }
}
