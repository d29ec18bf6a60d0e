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

  private struct Frame {
    var id: Int
    var range: ClosedRange<Int64>
    var power: Int
    var streams: [Int]
    var seen: Int?
  }

  private let watch: RecordingWatch
  private let frames: PageFrames
  private let isControlled: Bool
  private var frame: Frame?
  /// What the last frame shows; nil before the first one.
  private var sent: Int?
  private var state: (describes: Bool, due: UInt64)?
  private var stateDue: UInt64 = 0

  init(_ watch: RecordingWatch, _ frames: PageFrames, isControlled: Bool) {
    (self.watch, self.frames, self.isControlled) = (watch, frames, isControlled)
  }

  // MARK: WebSocketSession

  var due: UInt64? { frame == nil ? state?.due : 0 }
  var isPaced: Bool { true }

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

  func tick() -> Bool { hasMore }

  var hasMore: Bool {
    if let frame, frame.seen != watch.live.generation { return true }
    return state.map { monotonicMilliseconds() >= $0.due } ?? false
  }

  /// At the end, the page asks once more for what came after its last frame.
  var isDone: Bool { !hasMore && (sent == nil || sent == watch.live.generation) }

  func next() -> WebSocketMessage? {
    if let state, monotonicMilliseconds() >= state.due {
      self.state = nil
      stateDue = monotonicMilliseconds() + 900
      return .text(watch.state(describes: state.describes, isControlled: isControlled))
    }
    let generation = watch.live.generation
    guard let frame, frame.seen != generation else { return nil }
    (self.frame, sent) = (nil, generation)
    return .binary(frames.bytes(id: frame.id, frame.range, power: frame.power, frame.streams, generation))
  }

  func end() { (frame, state) = (nil, nil) }
}
