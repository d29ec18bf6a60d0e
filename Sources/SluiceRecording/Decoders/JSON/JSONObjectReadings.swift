import SluiceReadings

/// Makes readings from JSON objects of other programs. One member is the time, and each number is a channel of one
/// stream.
final class JSONObjectReadings: LineReadings {
  private enum Role {
    case time, date
    case channel(Int)
    /// A member with a string, or one that is not selected.
    case leftOut
  }

  /// The longest allowed name, because names are kept in memory.
  static let longestName = 1_024
  /// The number of names of left out members that are kept.
  private static let mostLeftOut = 256

  let list: StreamList
  private(set) var stream: StreamDescription
  private let name: String
  private let format: TraceFormat
  private var warn: (String) -> Void
  /// Whether further numbers become channels.
  private let isLearning: Bool
  /// Nil before the first object.
  private var time: JSONObjectTime?
  /// By the names in the text, and by the decoded names.
  private var roles = RowNames<Role>()
  private var meant: [ExactName: Role] = [:]
  /// By channel, the name of its member, which two names of one look may make different from its own.
  private var members: [String] = []
  /// Whether each channel has had a number in an object so far.
  private var isSeen: [Bool] = []
  /// Members with strings, and channels with strings in some objects.
  private var leftOut: [String] = []
  private var hasText: [Bool] = []
  private var isLeftOutSaid = 0
  /// Members that may name the sensor of each object.
  private var sensors: [SensorMember] = []

  private var leaves = JSONLeaves()
  /// The path of the value that is being read.
  private var path = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var reading = Reading.empty
  private var times: (time: UnsafeBufferPointer<UInt8>?, date: UnsafeBufferPointer<UInt8>?) = (nil, nil)

  /// - Parameters:
  ///   - stem: The name of the stream.
  ///   - survey: The first pass over the file, which has found the channels; nil in the first pass.
  ///   - warn: Called with messages about the time column and the times.
  init(
    _ name: String, stem: String, _ format: TraceFormat, survey: JSONObjectReadings?,
    warn: @escaping (String) -> Void
  ) throws(SluiceError) {
    self.name = name
    self.format = format
    self.warn = warn
    isLearning = survey == nil && format.columns.isEmpty
    stream = StreamDescription(name: stem, channels: [])
    stream.hasForeignColumns = true
    list = StreamList([], isGrowing: isLearning)
    if let survey {
      leftOut = survey.leftOut
      for member in survey.members { add(member) }
      for name in leftOut where meant[ExactName(name)] == nil { remember(name, .leftOut) }
    } else {
      for column in format.columns { try pick(column) }
    }
    list.set([stream])
  }

  /// Selects a member that `--columns` names.
  private func pick(_ column: String) throws(SluiceError) {
    if meant[ExactName(column)] != nil {
      throw SluiceError(
        .usage, "pick members of", name, because: "--columns names \(TimeColumn.shown(column)) twice",
        remedy: "name each member once")
    }
    try checkCount()
    add(column)
  }

  private func checkCount() throws(SluiceError) {
    guard stream.channels.count < Values.capacity else {
      throw SluiceError(
        .unsupported, "read", name,
        because: "its objects have more than \(Values.capacity) numbers, but \(Values.capacity) is the limit",
        remedy: "choose some with --columns")
    }
  }

  private func add(_ member: String) {
    remember(member, .channel(stream.channels.count))
    let names = stream.channels.map(\.name)
    let name = names.contains(member) ? ColumnTitle.distinct(names + [member]).last ?? member : member
    members.append(member)
    stream.channels.append(.init(name: name, unit: ColumnTitle.unit(name)))
    isSeen.append(false)
    hasText.append(leftOut.contains(member))
  }

  private func remember(_ name: String, _ role: Role) {
    meant[ExactName(name)] = role
    let written = Array(quoted(name).utf8.dropFirst().dropLast())
    written.withUnsafeBufferPointer { roles.insert($0, role) }
    if case .time = role { return }
    if format.columns.isEmpty, SensorNames.isOne(name), !sensors.contains(where: { $0.name == name }) {
      sensors.append(SensorMember(name: name, written: written))
    }
  }

  /// Reports a fault of `--columns`, after all objects have been read.
  func checkColumns() throws(SluiceError) {
    guard let index = isSeen.firstIndex(of: false) else { return }
    throw SluiceError(
      .malformed, "pick members of", name,
      because: "none of its objects has a number \(TimeColumn.shown(stream.channels[index].name))",
      remedy: "name a member b of an object a as a.b, and the first of an array as a.0")
  }

  // MARK: Objects

  func reading(
    _ line: UnsafeBufferPointer<UInt8>, of lines: TraceLines
  ) throws(SluiceError) -> Reading? {
    var cursor = JSONCursor(line)
    if cursor.isAtEnd { return nil }
    guard let range = cursor.value(), cursor.isAtEnd, line[range.lowerBound] == UInt8(ascii: "{") else {
      throw lines.malformed(JSONCursor.fault(line))
    }
    let object = cursor.raw(range)
    if time == nil { try findTime(object, lines) }
    times = (nil, nil)
    reading = .empty
    for _ in stream.channels { reading.values.append(.missing) }
    let count = stream.channels.count
    // Its closure uses this object, which must not be in use meanwhile.
    var leaves = JSONLeaves()
    swap(&leaves, &self.leaves)
    try leaves.read(object) { path, value throws(SluiceError) in
      self.path = path
      try take(value, lines)
    }
    self.leaves = leaves
    if stream.channels.count > count { list.set([stream]) }
    sayLeftOut()
    reading.time = try time?.time(times.time, date: times.date, lines) ?? 0
    return reading
  }

  private func findTime(_ object: UnsafeBufferPointer<UInt8>, _ lines: TraceLines) throws(SluiceError) {
    let time: JSONObjectTime
    do throws(SluiceError) {
      time = try JSONObjectTime(object, format, of: name, warn: warn)
    } catch {
      throw lines.malformed(error.cause, remedy: error.remedy)
    }
    for (name, role) in [(time.name, Role.time), (time.date ?? time.name, time.date == nil ? .time : .date)] {
      if case .channel? = meant[ExactName(name)] {
        throw SluiceError(
          .usage, "pick members of", self.name, because: "\(TimeColumn.shown(name)) is its time",
          remedy: "leave it out of --columns; every reading has the time")
      }
      remember(name, role)
    }
    self.time = time
  }

  private func take(_ value: UnsafeBufferPointer<UInt8>, _ lines: TraceLines) throws(SluiceError) {
    let (isText, content) = (value.isJSONString, value.withoutQuotes)
    let role = try role(lines)
    for index in sensors.indices {
      guard path.elementsEqual(sensors[index].written), let (first, second) = sensors[index].mixed(with: value) else {
        continue
      }
      warn(SensorNames.mixed(name, "member \(TimeColumn.shown(sensors[index].name))", first, second))
    }
    switch role {
    case .time?: times.time = content
    case .date?: times.date = content
    case .channel(let channel)?:
      if isText ? isNumber(text: content) : Self.isNumber(value) {
        reading.values[channel] = try number(content, lines)
        isSeen[channel] = true
      } else if !Self.isMissing(value), !(isText && (content.isEmpty || MissingMark.isOne(content))), !hasText[channel]
      {
        hasText[channel] = true
        leftOut.append(members[channel])
      }
    case .leftOut?, nil:
      if isText ? isNumber(text: content) : Self.isNumber(value) {
        try learn(content, lines)
      } else if role == nil, !Self.isMissing(value) {
        leaveOut()
      }
    }
  }

  private func role(_ lines: TraceLines) throws(SluiceError) -> Role? {
    if let role = roles.find(path) { return role }
    return meant[ExactName(try meantName(lines))]
  }

  private func meantName(_ lines: TraceLines) throws(SluiceError) -> String {
    guard path.count <= Self.longestName else {
      throw lines.malformed("the name of a member has more than \(Self.longestName) bytes")
    }
    guard let text = JSONCursor(path).text(path.indices) else {
      throw lines.malformed("the name of a member, \(shown(path)), is not a JSON string")
    }
    return text
  }

  /// Whether a string is a number. With `--columns`, the user has named the numbers.
  private func isNumber(text: UnsafeBufferPointer<UInt8>) -> Bool {
    format.columns.isEmpty ? JSONText.isNumber(text, of: path) : JSONText.isNumber(text)
  }

  /// Everything else is a string, true, false, or missing.
  private static func isNumber(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = value.first else { return false }
    return first &- 0x30 < 10 || (first == UInt8(ascii: "-") && !isMissing(value))
  }

  private static func isMissing(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    // Some programs write NaN and Infinity, which are not JSON.
    ["null", "NaN", "Infinity", "-Infinity"].contains { value.elementsEqual($0.utf8) }
  }

  private func number(_ value: UnsafeBufferPointer<UInt8>, _ lines: TraceLines) throws(SluiceError) -> ExactDecimal {
    do throws(TraceLines.NumberFault) {
      return try lines.number(value)
    } catch {
      throw lines.malformed("member \(shown(path)): \(shown(value, isQuoted: false)) \(error.cause)")
    }
  }

  /// Adds a channel for a number that has none yet.
  private func learn(_ value: UnsafeBufferPointer<UInt8>, _ lines: TraceLines) throws(SluiceError) {
    guard format.columns.isEmpty else { return }
    let name = try meantName(lines)
    guard isLearning else {
      throw lines.malformed(
        "member \(TimeColumn.shown(name)) was not there when the file was read first",
        remedy: "wait until no program writes the file")
    }
    let number = try number(value, lines)
    // Its bytes are still known as those of a left out member if it had a string before its first number.
    if case .channel(let channel)? = meant[ExactName(name)] {
      reading.values[channel] = number
      isSeen[channel] = true
      return
    }
    try checkCount()
    add(name)
    isSeen[stream.channels.count - 1] = true
    reading.values.append(number)
  }

  // MARK: Text

  private func leaveOut() {
    guard format.columns.isEmpty, leftOut.count < Self.mostLeftOut,
      let name = JSONCursor(path).text(path.indices)
    else { return }
    leftOut.append(name)
    remember(name, .leftOut)
  }

  /// Reports each left out member once.
  private func sayLeftOut() {
    guard isLeftOutSaid < leftOut.count else { return }
    let names = Array(leftOut[isLeftOutSaid...])
    isLeftOutSaid = leftOut.count
    let what = names.count == 1 ? "member \(TimeColumn.list(names)) is" : "members \(TimeColumn.list(names)) are"
    warn("\(name): \(what) left out if the value is a string, true or false")
  }
}
