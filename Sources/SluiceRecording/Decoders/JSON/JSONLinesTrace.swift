package import SluiceReadings

/// JSON Lines of ``JSONLinesFormat``, such as `{"time_ns":1,"stream":"imu","values":{"x":1.5}}`, or of other programs.
package enum JSONLinesTrace: TraceKind {
  package static let form = "JSON Lines, each an object with a time and numbers"
  package static let extensions = JSONLinesFormat.extensions

  package static func recognizes(_ beginning: [UInt8]) -> Bool { JSONCursor.beginsObject(beginning) }

  package static func open(_ file: TraceFile, _ options: OpenTrace.Options) throws(SluiceError) -> OpenTrace {
    let (metadata, inputs) = try file.describe(options)
    let lines = TraceLines(file)
    lines.leavesOutTornLine = metadata?.state == .unfinished
    lines.skipsBad = options.skipped != nil
    if metadata == nil, try JSONObjects.areForeign(lines) { return try JSONObjects.open(file, lines, options, inputs) }
    let isScaled = metadata?.values != .raw
    let streams: NamedStreams
    switch StreamKnowledge(metadata, isPipe: file.isPipe) {
    case .described(let described):
      streams = NamedStreams(described, isScaled: isScaled, unknown: "is not in \(metadata?.path ?? "its metadata")")
    case .learned: streams = NamedStreams([], isScaled: isScaled, unknown: nil)
    case .readTwice(let known):
      let learned = NamedStreams(known, isScaled: isScaled, unknown: nil, limit: .file)
      var readings = JSONLinesReadings(learned, options.format, metadata)
      try LineDecoder.survey(lines, &readings)
      learned.publish()
      try lines.rewind()
      streams = NamedStreams(
        learned.list.streams, isScaled: isScaled, unknown: "was not there when the file was read first")
    }
    lines.begin(options)
    if let notice = metadata?.zeroNotice { options.warn(notice) }
    let readings = JSONLinesReadings(streams, options.format, metadata)
    let decoder = LineDecoder(lines, readings, TraceMarks(metadata, streams.list.streams, rowsHaveFlags: true))
    return OpenTrace(decoder: decoder, metadata: metadata, inputs: inputs, hasFlags: true)
  }
}

/// Makes readings from the lines of a JSON Lines file of this library.
final class JSONLinesReadings: LineReadings {
  private let streams: NamedStreams
  private let format: TraceFormat
  /// The name of the time member. Before the first object, it may be that of any `--time`, unless something gives it.
  private var timeMember: String
  private var isTimeKnown: Bool
  /// The time of the first reading, if times count from it.
  private let zero: Int64
  private var timeName: [UInt8]
  /// Nil before the first line, because that line may show the unit.
  private var times: TimeParser?

  init(_ streams: NamedStreams, _ format: TraceFormat, _ metadata: TraceMetadata?) {
    self.streams = streams
    self.format = format
    zero = metadata?.zero ?? 0
    let known = format.timeColumn ?? metadata?.time.column
    isTimeKnown = known != nil
    timeMember = known ?? RowTime.nanoseconds.column
    timeName = Array(quoted(timeMember).utf8.dropFirst().dropLast())
  }

  var list: StreamList { streams.list }

  /// The members of a line.
  private struct Members {
    var time, stream, values, flags: Range<Int>?
  }

  /// Nil for a blank line.
  func reading(_ line: UnsafeBufferPointer<UInt8>, of lines: TraceLines) throws(SluiceError) -> Reading? {
    var cursor = JSONCursor(line)
    if cursor.isAtEnd { return nil }
    var members = Members()
    if !isTimeKnown { findTime(cursor) }
    let isObject = cursor.take("{") && find(&members, &cursor)
    guard isObject, cursor.isAtEnd else { throw lines.malformed(JSONCursor.fault(line)) }
    return try reading(members, cursor, lines)
  }

  private func findTime(_ object: JSONCursor) {
    var cursor = object
    guard cursor.take("{") else { return }
    let names = cursor
    var found: RowTime?
    _ = cursor.members { name, _ in
      if let time = RowTime.allCases.first(where: { names.isEqual(name, Array($0.column.utf8)) }) {
        found = time == .nanoseconds ? time : found ?? time
      }
      return true
    }
    guard let found else { return }
    (timeMember, timeName, isTimeKnown) = (found.column, Array(found.column.utf8), true)
  }

  private func find(_ members: inout Members, _ cursor: inout JSONCursor) -> Bool {
    let names = cursor
    return cursor.members { name, value in
      if names.isEqual(name, timeName) {
        members.time = value
      } else if names.isEqual(name, Self.stream) {
        members.stream = value
      } else if names.isEqual(name, Self.values) {
        members.values = value
      } else if names.isEqual(name, Self.flags) {
        members.flags = value
      }
      return true
    }
  }

  private static let stream = Array("stream".utf8)
  private static let values = Array("values".utf8)
  private static let flags = Array("flags".utf8)

  private func reading(
    _ members: Members, _ cursor: JSONCursor, _ lines: TraceLines
  ) throws(SluiceError) -> Reading {
    for (name, member) in [(timeMember, members.time), ("stream", members.stream), ("values", members.values)]
    where member == nil {
      throw lines.malformed("it has no member \"\(name)\"")
    }
    guard let time = members.time, let stream = members.stream, let values = members.values else { return .empty }
    let nanoseconds = try self.time(cursor.raw(time), lines)
    var name = JSONCursor(cursor.raw(stream))
    guard let range = name.string() else { throw lines.malformed("its \"stream\" is not a string") }
    let entry = try streams.stream(name, range, lines)
    var reading = Reading(
      time: nanoseconds, stream: StreamID(UInt16(truncatingIfNeeded: entry)), values: Values())
    try read(JSONCursor(cursor.raw(values)), of: entry, into: &reading, lines)
    if let flags = members.flags { reading.flags = try self.flags(JSONCursor(cursor.raw(flags)), lines) }
    return reading
  }

  /// Parses a number, or the text in a string.
  private func time(_ member: UnsafeBufferPointer<UInt8>, _ lines: TraceLines) throws(SluiceError) -> Int64 {
    let isText = member.first == UInt8(ascii: "\"") && member.count > 1
    let text = isText ? UnsafeBufferPointer(rebasing: member.dropFirst().dropLast()) : member
    let parser: TimeParser
    if let times { parser = times } else { parser = try makeParser(text, lines) }
    times = parser
    do throws(TimeParser.Fault) {
      return try parser.time(text)
    } catch {
      throw lines.malformed(error.cause, remedy: error.remedy)
    }
  }

  /// Makes a parser with the unit from the user, or else the unit of the member's name and the first time.
  private func makeParser(_ first: UnsafeBufferPointer<UInt8>, _ lines: TraceLines) throws(SluiceError) -> TimeParser {
    var unit = format.timeUnit ?? RowTime(column: timeMember.utf8)?.unit
    if unit == nil {
      let column = try TimeColumn(
        [timeMember], format, sample: [[String(decoding: first, as: UTF8.self)]], of: lines.name, .member)
      column.notice.map(lines.warn)
      unit = column.unit
    }
    let parser = TimeParser(unit ?? .nanoseconds, of: lines.name, zero: zero)
    parser.begin(lines.warn)
    return parser
  }

  private func read(
    _ values: JSONCursor, of stream: Int, into reading: inout Reading, _ lines: TraceLines
  ) throws(SluiceError) {
    var cursor = values
    guard cursor.take("{") else { throw lines.malformed("its \"values\" are not an object") }
    for _ in 0..<streams.count(of: stream) { reading.values.append(.missing) }
    var position = 0
    if cursor.take("}") { return }
    repeat {
      guard let name = cursor.string(), cursor.take(":"), let range = cursor.value() else { return }
      let channel = try streams.channel(cursor, name, of: stream, at: position, lines)
      position += 1
      while reading.values.count <= channel { reading.values.append(.missing) }
      if cursor.isNull(range) { continue }
      do throws(TraceLines.NumberFault) {
        reading.values[channel] = try lines.number(cursor.raw(range))
      } catch {
        let text = String(decoding: cursor.raw(range).prefix(64), as: UTF8.self)
        throw lines.malformed("\(text) \(error.cause)")
      }
    } while cursor.take(",")
  }

  private func flags(_ array: JSONCursor, _ lines: TraceLines) throws(SluiceError) -> Reading.Flags {
    var cursor = array
    var flags: Reading.Flags = []
    guard cursor.take("[") else { throw lines.malformed("its \"flags\" are not an array") }
    if cursor.take("]") { return flags }
    repeat {
      guard let name = cursor.string() else { throw lines.malformed("one of its \"flags\" is not a string") }
      // Flags of later versions are ignored.
      if let known = JSONLinesFlags.all.first(where: { cursor.isEqual(name, Array($0.name.utf8)) }) {
        flags.insert(known.flag)
      }
    } while cursor.take(",")
    return flags
  }
}
