import SluiceReadings

/// Makes readings of the lines that `gpiomon` prints.
struct GPIOMonReadings: LineReadings {
  /// What is to be said of a line without an edge.
  static let remedy = "give what gpiomon prints by default, without --format"

  let list: StreamList
  private var streams: [StreamDescription] = []
  /// By the name of the stream, and by what the text has.
  private var numbers: [String: Int] = [:]
  private var keys = RowNames<Int>()
  /// Whether others are added.
  private let isLearning: Bool
  private let limit: StreamLimit
  /// Lines of one time may share a row.
  private let device = StreamDescription.Device()
  private let name: String
  private let warn: (String) -> Void
  /// Nil before the first edge.
  private var times: TimeParser?

  /// - Parameters:
  ///   - known: The streams that were learned when the file was read first; nil learns them now.
  ///   - limit: How many streams there may be.
  ///   - warn: Called with what is assumed of the times.
  init(_ name: String, known: [StreamDescription]?, limit: StreamLimit, warn: @escaping (String) -> Void) {
    self.name = name
    self.limit = limit
    self.warn = warn
    isLearning = known == nil
    streams = known ?? []
    list = StreamList(streams, isGrowing: known == nil)
    for (number, stream) in streams.enumerated() { numbers[stream.name] = number }
  }

  /// Those that were learned.
  var learned: [StreamDescription] { streams }

  mutating func reading(
    _ line: UnsafeBufferPointer<UInt8>, of lines: TraceLines
  ) throws(SluiceError) -> Reading? {
    switch GPIOMonLine.kind(line) {
    case nil:
      throw lines.malformed("\(shown(line)) is no line of gpiomon's default output", remedy: Self.remedy)
    case .other: return nil
    case .edge(let edge):
      let time = try time(edge.time, lines)
      let stream = try stream(edge, lines)
      return Reading(
        time: time, stream: StreamID(UInt16(truncatingIfNeeded: stream)), values: Values(edge.isRising ? 1 : 0))
    }
  }

  private mutating func time(
    _ text: UnsafeBufferPointer<UInt8>, _ lines: TraceLines
  ) throws(SluiceError) -> Int64 {
    // Seconds, or with --event-clock realtime, --utc and --localtime a date.
    let unit: TraceFormat.Unit = text.contains(UInt8(ascii: "T")) ? .iso8601 : .seconds
    let parser: TimeParser
    if let times {
      guard times.unit == unit else {
        throw lines.malformed(
          "its time \(shown(text)) is \(unit == .iso8601 ? "a date, and those before it are seconds" : "in seconds, and those before it are dates")",
          remedy: "write what gpiomon prints with each clock into a file of its own")
      }
      parser = times
    } else {
      parser = TimeParser(unit, of: name)
      parser.begin(warn)
      times = parser
    }
    do throws(TimeParser.Fault) {
      return try parser.time(text)
    } catch {
      throw lines.malformed(error.cause)
    }
  }

  private mutating func stream(_ edge: GPIOMonLine.Edge, _ lines: TraceLines) throws(SluiceError) -> Int {
    if let number = keys.find(edge.key) { return number }
    guard let name = edge.streamName else {
      throw lines.malformed("the name of its line, \(shown(edge.name)), is no UTF-8")
    }
    if let number = numbers[name] {
      // A line may be written in several ways, but not in many.
      if edge.offset == nil { keys.insert(edge.key, number) }
      return number
    }
    guard isLearning else {
      throw lines.malformed(
        "line \(shown(edge.key)) was not there when the file was read first",
        remedy: "wait until nobody writes the file")
    }
    guard streams.count < limit.count else {
      throw limit.error("lines of GPIO") { lines.malformed($0, remedy: $1) }
    }
    streams.append(
      StreamDescription(
        name: name, channels: [.init(name: "level", format: StreamDescription.Channel.level)], device: device))
    numbers[name] = streams.count - 1
    keys.insert(edge.key, streams.count - 1)
    if list.isGrowing, limit.isPublished { list.set(streams) }
    return streams.count - 1
  }
}
