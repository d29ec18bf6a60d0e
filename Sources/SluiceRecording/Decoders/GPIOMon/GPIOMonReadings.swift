import SluiceReadings

/// Makes readings from the output of `gpiomon`.
struct GPIOMonReadings: LineReadings {
  /// The remedy for a line that is not from the default output.
  static let remedy = "give the default output of gpiomon, without --format"

  let list: StreamList
  private var streams: [StreamDescription] = []
  /// Streams by name, and by the text that identifies the line.
  private var numbers: [ExactName: Int] = [:]
  private var keys = RowNames<Int>()
  /// Whether new streams are added.
  private let isLearning: Bool
  private let limit: StreamLimit
  /// All lines share a device, so lines of the same time may share a row.
  private let device = StreamDescription.Device()
  private let name: String
  private let warn: (String) -> Void
  /// Nil before the first edge.
  private var times: TimeParser?

  /// - Parameters:
  ///   - known: The streams from the first pass over the file; nil in the first pass, which finds them.
  ///   - limit: The largest number of streams.
  ///   - warn: Called with messages about the times.
  init(_ name: String, known: [StreamDescription]?, limit: StreamLimit, warn: @escaping (String) -> Void) {
    self.name = name
    self.limit = limit
    self.warn = warn
    isLearning = known == nil
    streams = known ?? []
    list = StreamList(streams, isGrowing: known == nil)
    for (number, stream) in streams.enumerated() { numbers[ExactName(stream.name)] = number }
  }

  /// The streams that were found.
  var learned: [StreamDescription] { streams }

  mutating func reading(
    _ line: UnsafeBufferPointer<UInt8>, of lines: TraceLines
  ) throws(SluiceError) -> Reading? {
    switch GPIOMonLine.kind(line) {
    case nil:
      throw lines.malformed("\(shown(line)) is not a line of gpiomon's default output", remedy: Self.remedy)
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
    // Times are seconds, or dates with --event-clock realtime, --utc or --localtime.
    let unit: TraceFormat.Unit = text.contains(UInt8(ascii: "T")) ? .iso8601 : .seconds
    let parser: TimeParser
    if let times {
      guard times.unit == unit else {
        throw lines.malformed(
          "its time \(shown(text)) is \(unit == .iso8601 ? "a date, but the times before it are seconds" : "in seconds, but the times before it are dates")",
          remedy: "write the output of each --event-clock into a file of its own")
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
      throw lines.malformed("the name of its line, \(shown(edge.name)), is not UTF-8")
    }
    if let number = numbers[ExactName(name)] {
      // One GPIO line has only a few spellings.
      if edge.offset == nil { keys.insert(edge.key, number) }
      return number
    }
    guard isLearning else {
      throw lines.malformed(
        "line \(shown(edge.key)) was not there when the file was read first",
        remedy: "wait until no program writes the file")
    }
    guard streams.count < limit.count else {
      throw limit.error("GPIO lines") { lines.malformed($0, remedy: $1) }
    }
    streams.append(
      StreamDescription(
        name: name, channels: [.init(name: "level", format: StreamDescription.Channel.level)], device: device))
    numbers[ExactName(name)] = streams.count - 1
    keys.insert(edge.key, streams.count - 1)
    if list.isGrowing, limit.isPublished { list.set(streams) }
    return streams.count - 1
  }
}
