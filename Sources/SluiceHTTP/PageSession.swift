import SluiceLive
import SluicePipeline
import SluiceReadings

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The WebSocket of the page: it asks for each frame, and gets one when there is something new.
///
/// It may ask for one frame and for one state at a time; a later ask replaces an earlier one. So a viewer that stops
/// asking, or reading, costs nothing.
final class PageSession: WebSocketSession {
  static let name = "sluice.page.v1"
  /// The largest number of columns of a frame, and of streams in it.
  static let mostColumns = 8_192

  private struct Ask: Decodable {
    var ask: String
    var id: Int?
    var from: String?
    var to: String?
    var power: Int?
    var streams: [Int]?
    /// The generation that the viewer has seen for this range; nil for an answer at once.
    var seen: Int?
    /// Whether the streams are to be described.
    var describe: Bool?
  }

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

  func receive(_ message: [UInt8], isText: Bool) -> Bool {
    // JSONDecoder may trap at what is not JSON at all.
    guard isText, JSONSyntax.fault(in: message) == nil,
      let ask = try? JSONDecoder().decode(Ask.self, from: Data(message))
    else { return true }
    switch ask.ask {
    case "frame":
      guard let frame = Self.frame(ask) else { return true }
      self.frame = frame
    case "state": state = (ask.describe ?? false, stateDue)
    default: return true
    }
    tick()
    return false
  }

  private static func frame(_ ask: Ask) -> Frame? {
    guard let from = ask.from.flatMap({ Int64($0) }), let to = ask.to.flatMap({ Int64($0) }), from <= to,
      let power = ask.power, (0...60).contains(power), let streams = ask.streams,
      streams.count <= LiveReadings.mostStreams, from > -(1 << 61), to < 1 << 61,
      (to - from) >> Int64(power) <= Int64(mostColumns)
    else { return nil }
    return Frame(id: ask.id ?? 0, range: from...to, power: power, streams: streams, seen: ask.seen)
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
      return .text(ViewerState(watch, isControlled: isControlled).json(describes: state.describes).text)
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
    var streams: [JSON] = []
    for stream in frame.streams {
      guard let columns = watch.live.columns(of: stream, frame.range, power: frame.power), columns.count > 0 else {
        continue
      }
      streams.append(.array([JSON(stream), JSON(columns.count), JSON(columns.channels)]))
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
    let header = JSON.object([
      ("id", JSON(frame.id)), ("generation", JSON(generation)), ("epoch", .string("\(epoch)")),
      ("range", range.map { .array([.string("\($0.lowerBound)"), .string("\($0.upperBound)")]) } ?? .null),
      ("streams", .array(streams)),
    ]).text
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
