import SluiceLive
import SluiceSystem

/// The WebSocket of the page: it asks for each frame, and gets one when there is something new.
///
/// It may ask for one frame and for one state at a time; a later ask replaces an earlier one. So a viewer that stops
/// asking, or reading, costs nothing.
final class PageSession: WebSocketSession {
  static let name = "sluice.page.v1"
  /// The largest number of columns of a frame, and of streams in it.
  static let mostColumns = 8_192
  /// The numbers after which no further stream is added to a frame: 8 MB.
  private static let mostNumbers = 1 << 20

  private struct Frame {
    var id: Int
    var range: ClosedRange<Int64>
    var power: Int
    var streams: [Int]
    var seen: Int?
  }

  private let watch: RecordingWatch
  private let line: any WebSocketLine
  private let isControlled: Bool
  private var frame: Frame?
  private var state: (describes: Bool, due: UInt64)?
  private var frameDue: UInt64 = 0
  private var stateDue: UInt64 = 0

  init(_ watch: RecordingWatch, _ line: any WebSocketLine, isControlled: Bool) {
    (self.watch, self.line, self.isControlled) = (watch, line, isControlled)
  }

  // MARK: WebSocketSession

  var isWaiting: Bool { frame != nil || state != nil }

  /// Takes an ask, words with a space between them: `state`, or `state describe` if the streams are to be described, or
  /// `frame ID FROM TO POWER SEEN STREAMS`. The range is in nanoseconds since 1970, a column is 2 to the power nanoseconds
  /// wide, `SEEN` is the generation that the viewer has for this range, or `-` for an answer at once, and the numbers of
  /// the streams stand with commas between them.
  func receive(_ message: [UInt8], isText: Bool) -> Bool {
    guard isText else { return true }
    let words = message.split(separator: 0x20, maxSplits: 7, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    switch words.first {
    case "frame":
      guard let frame = Self.frame(words) else { return true }
      self.frame = frame
    case "state" where words.count == 1 || words == ["state", "describe"]: state = (words.count == 2, stateDue)
    default: return true
    }
    tick()
    return false
  }

  private static func frame(_ words: [String]) -> Frame? {
    guard words.count == 7, let id = Int(words[1]), var from = Int64(words[2]), var to = Int64(words[3]), from <= to,
      let power = Int(words[4]), (0...60).contains(power)
    else { return nil }
    // A page may ask for more than there can be.
    let limit = LiveReadings.lastTime
    (from, to) = (min(max(from, -limit), limit), min(max(to, -limit), limit))
    guard (to - from) >> Int64(power) <= Int64(mostColumns) else { return nil }
    let streams = words[6].split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    let numbers = streams.compactMap { $0 }
    guard numbers.count == streams.count, numbers.count <= LiveReadings.mostStreams,
      Set(numbers).count == numbers.count
    else { return nil }
    guard words[5] != "-" else { return Frame(id: id, range: from...to, power: power, streams: numbers, seen: nil) }
    guard let seen = Int(words[5]) else { return nil }
    return Frame(id: id, range: from...to, power: power, streams: numbers, seen: seen)
  }

  func tick() {
    let now = monotonicMilliseconds()
    if let frame, now >= frameDue, frame.seen != watch.live.generation { return line.want() }
    if let state, now >= state.due { line.want() }
  }

  func next() -> WebSocketMessage? {
    let now = monotonicMilliseconds()
    if let state, now >= state.due {
      self.state = nil
      stateDue = now + 450
      return .text(watch.state(describes: state.describes, isControlled: isControlled))
    }
    let generation = watch.live.generation
    guard let frame, now >= frameDue, frame.seen != generation else { return nil }
    self.frame = nil
    frameDue = now + 90
    return .binary(bytes(of: frame, generation))
  }

  func end() { (frame, state) = (nil, nil) }

  // MARK: Frames

  /// A frame: the length of its header as 32 bits, the header as JSON, filled up with spaces to a multiple of 8 bytes,
  /// and numbers of 64 bits, all little endian.
  ///
  /// Per stream: the first and the last time of each column as nanoseconds after the epoch of the header, the counts, the
  /// flags; then per channel minimum, maximum, first and last.
  private func bytes(of frame: Frame, _ generation: Int) -> [UInt8] {
    let epoch = frame.range.lowerBound
    var numbers: [Double] = []
    var streams: [String] = []
    // More is no picture: the rest is left out, so that no viewer keeps the others waiting.
    for stream in frame.streams where numbers.count < Self.mostNumbers {
      guard let columns = watch.live.columns(of: stream, frame.range, power: frame.power), columns.count > 0 else {
        continue
      }
      streams.append("[\(stream),\(columns.count),\(columns.channels)]")
      let count = columns.count
      numbers.reserveCapacity(numbers.count + count * (4 + 4 * columns.channels))
      for index in 0..<count { numbers.append(Double(columns.firstTimes[index] &- epoch)) }
      for index in 0..<count { numbers.append(Double(columns.lastTimes[index] &- epoch)) }
      for index in 0..<count { numbers.append(Double(columns.counts[index])) }
      for index in 0..<count { numbers.append(Double(columns.flags[index])) }
      let width = 4 * columns.channels
      for place in 0..<width {
        for index in 0..<count { numbers.append(columns.values[index &* width &+ place]) }
      }
    }
    let range = watch.live.range
    // Numbers alone, so that it is written at once.
    let ends = range.map { "[\"\($0.lowerBound)\",\"\($0.upperBound)\"]" } ?? "null"
    let header =
      "{\"id\":\(frame.id),\"generation\":\(generation),\"epoch\":\"\(epoch)\",\"range\":\(ends),"
      + "\"streams\":[\(streams.joined(separator: ","))]}"
    var bytes: [UInt8] = []
    bytes.reserveCapacity(header.utf8.count + 16 + numbers.count * 8)
    let length = (header.utf8.count + 4 + 7) / 8 * 8 - 4
    withUnsafeBytes(of: UInt32(length).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: header.utf8)
    bytes.append(contentsOf: repeatElement(0x20, count: length - header.utf8.count))
    #if _endian(little)
      numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
    #else
      for number in numbers { withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) } }
    #endif
    return bytes
  }
}
