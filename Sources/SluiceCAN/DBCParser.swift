import SluiceReadings

/// Parses a DBC file. It reads what is needed to decode frames, and skips the rest: nodes, comments, attributes, names of
/// values, groups.
struct DBCParser {
  /// A signal, and what later lines say about it.
  private struct Signal {
    var signal: CANSignal
    var line: Int
    var isSwitch = false
    /// The value of the switch in the line of the signal: the 3 of `m3`.
    var selected: UInt64?
    /// The switch and its values, by a line `SG_MUL_VAL_`.
    var extended: (selector: String, ranges: [ClosedRange<UInt64>], line: Int)?
  }

  private struct Message {
    var message: CANMessage
    var isLeftOut: Bool
    var signals: [Signal] = []
    var indices: [String: Int] = [:]
  }

  private var cursor: DBCCursor
  private var all: [Message] = []
  private var keys: [UInt32: Int] = [:]
  private var names: [String: Int] = [:]
  /// By message and signal, the whole name; the signal is empty for the message itself.
  private var longNames: [LongName: String] = [:]

  private struct LongName: Hashable {
    var message: UInt32
    var signal: String
  }

  init(_ bytes: [UInt8]) { cursor = DBCCursor(bytes) }

  /// Statements that end with a semicolon, and say nothing about bits.
  private static let skipped: Set = [
    "CM_", "BA_DEF_", "VAL_", "CAT_DEF_", "CAT_", "FILTER", "BA_DEF_DEF_", "EV_", "EV_DATA_", "ENVVAR_DATA_",
    "SGTYPE_", "SGTYPE_VAL_", "BA_DEF_SGTYPE_", "BA_SGTYPE_", "SIG_TYPE_REF_", "VAL_TABLE_", "SIG_GROUP_",
    "SIGTYPE_VALTYPE_", "BO_TX_BU_", "BA_DEF_REL_", "BA_REL_", "BA_DEF_DEF_REL_", "BU_SG_REL_", "BU_EV_REL_",
    "BU_BO_REL_", "NS_DESC_",
  ]

  /// The other statements.
  private static let read: Set = [
    "VERSION", "NS_", "BS_", "BU_", "BO_", "SG_", "SIG_VALTYPE_", "SG_MUL_VAL_", "BA_",
  ]

  mutating func messages() throws(DBCFault) -> [CANMessage] {
    while !cursor.isAtEnd {
      let keyword = try cursor.name("a statement, such as BO_,")
      switch keyword {
      case "VERSION": _ = try cursor.text("the version")
      case "NS_": skipSymbols()
      case "BS_": cursor.skipLine()  // bit timing, which no program uses
      case "BU_": skipNodes()
      case "BO_": try parseMessage()
      case "SG_": try parseSignal()
      case "SIG_VALTYPE_": try parseForm()
      case "SG_MUL_VAL_": try parseSwitch()
      case "BA_": try parseAttribute()
      case _ where Self.skipped.contains(keyword): try cursor.skipStatement(keyword)
      default:
        throw cursor.fault(
          "\"\(keyword)\" is no statement of a DBC file",
          remedy: all.isEmpty ? "give a DBC file" : nil)
      }
    }
    guard !all.isEmpty else { throw cursor.fault("it has no message (BO_)", remedy: "give a DBC file") }
    var messages: [CANMessage] = []
    var taken = Set(all.map(\.message.name))
    for message in all where !message.isLeftOut { messages.append(renamed(try resolved(message), &taken)) }
    return messages
  }

  /// Skips the list after `NS_:`, of words in lines of their own.
  private mutating func skipSymbols() {
    _ = cursor.take(":")
    while true {
      let before = cursor
      guard cursor.nameIfPresent() != nil, cursor.isAtEndOfLine else {
        cursor = before
        return
      }
    }
  }

  /// Skips the names after `BU_:`, which some programs write in lines of their own.
  private mutating func skipNodes() {
    _ = cursor.take(":")
    while true {
      let before = cursor
      guard let name = cursor.nameIfPresent(), !Self.skipped.contains(name), !Self.read.contains(name) else {
        cursor = before
        return
      }
    }
  }

  /// `BO_ 2364540158 EEC1: 8 Engine`
  private mutating func parseMessage() throws(DBCFault) {
    let number = try cursor.whole("the identifier of a message", UInt32.self)
    let line = cursor.line
    let name = try cursor.name("the name of a message")
    try cursor.expect(":", "after the name of a message")
    let length: Int = try cursor.whole("the length of a message")
    if !cursor.isAtEndOfLine { _ = cursor.nameIfPresent() }  // its sender
    let isExtended = number & CANFrame.extendedFlag != 0
    let id = number & ~CANFrame.extendedFlag
    let isPseudo = number == 0xc000_0000
    guard isPseudo || id <= (isExtended ? CANFrame.extendedMask : CANFrame.standardMask) else {
      throw cursor.fault(
        "the identifier \(number) of message \(name) has more than \(isExtended ? "29" : "11") bits",
        remedy: isExtended ? nil : "add 2147483648 to an extended identifier", line: line)
    }
    if let other = keys[number] {
      throw cursor.fault(
        "message \(name) has the identifier of message \(all[other].message.name) in line \(all[other].message.line)",
        line: line)
    }
    if let other = names[name] {
      throw cursor.fault("message \(name) has the name of another in line \(all[other].message.line)", line: line)
    }
    (keys[number], names[name]) = (all.count, all.count)
    all.append(
      Message(
        message: CANMessage(name: name, id: id, isExtended: isExtended, length: length, line: line),
        isLeftOut: isPseudo || length > CANPayload.capacity))
  }

  /// `SG_ Speed m3 : 7|16@0+ (0.1,-40) [0|250] "km/h" Dashboard`
  private mutating func parseSignal() throws(DBCFault) {
    let line = cursor.line
    let name = try cursor.name("the name of a signal")
    guard let last = all.indices.last else { throw cursor.fault("signal \(name) is before the first message (BO_)") }
    let what = "signal \(name)"
    var signal = Signal(signal: CANSignal(name: name, start: 0, size: 1), line: line)
    if !cursor.take(":") {
      let role = try cursor.name("\":\" or the multiplexing of \(what)")
      guard Self.read(role, into: &signal) else {
        throw cursor.fault("\"\(role)\" of \(what) is not M, m and a number, or m, a number and M")
      }
      try cursor.expect(":", "in \(what)")
    }
    signal.signal.start = try cursor.whole("the start bit of \(what)")
    try cursor.expect("|", "after the start bit of \(what)")
    signal.signal.size = try cursor.whole("the size of \(what)")
    try cursor.expect("@", "after the size of \(what)")
    let order: Int = try cursor.whole("the byte order of \(what)")
    guard order == 0 || order == 1 else { throw cursor.fault("the byte order of \(what) is \(order), not 0 or 1") }
    signal.signal.isBigEndian = order == 0
    if cursor.take("-") {
      signal.signal.form = .signed
    } else {
      try cursor.expect("+", "or \"-\" after the byte order of \(what)")
    }
    try cursor.expect("(", "before the factor of \(what)")
    signal.signal.factor = try cursor.number("the factor of \(what)")
    try cursor.expect(",", "after the factor of \(what)")
    signal.signal.offset = try cursor.number("the offset of \(what)")
    try cursor.expect(")", "after the offset of \(what)")
    try cursor.expect("[", "before the minimum of \(what)")
    try cursor.limit("the minimum of \(what)")
    try cursor.expect("|", "after the minimum of \(what)")
    try cursor.limit("the maximum of \(what)")
    try cursor.expect("]", "after the maximum of \(what)")
    let unit = try cursor.text("the unit of \(what)")
    signal.signal.unit = unit.allSatisfy(\.isWhitespace) ? nil : unit
    skipReceivers()
    try add(signal, to: last)
  }

  /// Skips the names behind a signal. There may be none, so the first is in the same line.
  private mutating func skipReceivers() {
    guard !cursor.isAtEndOfLine else { return }
    _ = cursor.nameIfPresent()
    while cursor.take(",") {
      let before = cursor
      if let name = cursor.nameIfPresent(), Self.skipped.contains(name) || Self.read.contains(name) { cursor = before }
    }
  }

  /// Reads `M`, `m3` or `m3M`.
  private static func read(_ role: String, into signal: inout Signal) -> Bool {
    signal.isSwitch = role.hasSuffix("M")
    if role == "M" { return true }
    guard role.first == "m", let value = UInt64(role.dropFirst().prefix { $0 != "M" }),
      role == "m\(role.dropFirst().prefix { $0 != "M" })\(signal.isSwitch ? "M" : "")"
    else { return false }
    signal.selected = value
    return true
  }

  private mutating func add(_ signal: Signal, to index: Int) throws(DBCFault) {
    let message = all[index]
    let length = message.message.length
    func fault(_ cause: String) -> DBCFault {
      cursor.fault("signal \(signal.signal.name) of message \(message.message.name) \(cause)", line: signal.line)
    }
    // The chain of switches of each signal is followed, so a malformed file could take hours.
    guard message.signals.count < 1_024 else { throw fault("is one of more than 1024") }
    if let other = message.indices[signal.signal.name] {
      throw fault("has the name of another in line \(message.signals[other].line)")
    }
    guard (1...64).contains(signal.signal.size) else { throw fault("has \(signal.signal.size) bits, not 1 to 64") }
    guard message.isLeftOut || (signal.signal.start < 8 * length && signal.signal.bytes <= length)
    else {
      throw fault("ends behind the \(length) bytes of its message")
    }
    all[index].indices[signal.signal.name] = message.signals.count
    all[index].signals.append(signal)
  }

  /// The signal that a later statement names.
  private mutating func signal(_ statement: String) throws(DBCFault) -> (message: Int, signal: Int) {
    let number = try cursor.whole("the identifier of a message", UInt32.self)
    let name = try cursor.name("the name of a signal")
    guard let message = keys[number] else {
      throw cursor.fault("\(statement) is about message \(number), which the file does not have")
    }
    guard let signal = all[message].indices[name] else {
      throw cursor.fault(
        "\(statement) is about signal \(name), which message \(all[message].message.name) does not have")
    }
    return (message, signal)
  }

  /// `SIG_VALTYPE_ 1024 Pressure : 1;`: 0 for an integer, 1 for a float, 2 for a double.
  private mutating func parseForm() throws(DBCFault) {
    let (message, index) = try signal("SIG_VALTYPE_")
    _ = cursor.take(":")
    let form: Int = try cursor.whole("the type of a signal")
    let signal = all[message].signals[index].signal
    let forms: [Int: (CANSignal.Form, Int)] = [0: (signal.form, signal.size), 1: (.float, 32), 2: (.double, 64)]
    guard let (form, size) = forms[form] else {
      throw cursor.fault("the type of signal \(signal.name) is not 0, 1 or 2")
    }
    guard signal.size == size else {
      throw cursor.fault("signal \(signal.name) is a \(form) and has \(signal.size) bits, not \(size)")
    }
    all[message].signals[index].signal.form = form
    try cursor.expect(";", "after SIG_VALTYPE_")
  }

  /// `SG_MUL_VAL_ 2024 Temperature Mode 1-2, 5-5;`: signal, switch, and the values of the switch.
  private mutating func parseSwitch() throws(DBCFault) {
    let (message, index) = try signal("SG_MUL_VAL_")
    let line = cursor.line
    let selector = try cursor.name("the name of a switch")
    var ranges: [ClosedRange<UInt64>] = []
    repeat {
      let low = try cursor.whole("the first value of a switch", UInt64.self)
      try cursor.expect("-", "between the values of a switch")
      let high = try cursor.whole("the last value of a switch", UInt64.self)
      guard low <= high else {
        throw cursor.fault("the values \(low)-\(high) of switch \(selector) are in the wrong order")
      }
      ranges.append(low...high)
    } while cursor.take(",")
    try cursor.expect(";", "after SG_MUL_VAL_")
    all[message].signals[index].extended = (selector, ranges, line)
  }

  /// Parses `BA_ "SystemMessageLongSymbol" BO_ 291 "Battery_Management_System_Status_Front";`, the form of names of
  /// more than 32 characters. Other attributes say nothing about bits.
  private mutating func parseAttribute() throws(DBCFault) {
    let before = cursor
    let attribute = try cursor.text("the name of an attribute")
    let isOfMessage = attribute == "SystemMessageLongSymbol"
    guard isOfMessage || attribute == "SystemSignalLongSymbol", cursor.nameIfPresent() == (isOfMessage ? "BO_" : "SG_")
    else {
      cursor = before
      return try cursor.skipStatement("BA_")
    }
    let number = try cursor.whole("the identifier of a message", UInt32.self)
    let signal = isOfMessage ? "" : try cursor.name("the name of a signal")
    let name = try cursor.text("a long name")
    try cursor.expect(";", "after BA_")
    // A stream cannot have any other name.
    let isName = name.utf8.allSatisfy { $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || $0 == UInt8(ascii: "_") }
    if !name.isEmpty, isName, name.utf8.count <= 128 { longNames[LongName(message: number, signal: signal)] = name }
  }

  /// Gives a message and its signals their long names. Whatever has the name of another keeps its short one.
  /// - Parameter taken: The names of messages so far, the short ones of all first.
  private func renamed(_ message: CANMessage, _ taken: inout Set<String>) -> CANMessage {
    guard !longNames.isEmpty else { return message }
    var message = message
    let number = message.isExtended ? message.id | CANFrame.extendedFlag : message.id
    if let long = longNames[LongName(message: number, signal: "")], taken.insert(long).inserted { message.name = long }
    var names = Set(message.signals.map(\.name))
    for index in message.signals.indices {
      let name = message.signals[index].name
      guard let long = longNames[LongName(message: number, signal: name)], names.insert(long).inserted else { continue }
      message.signals[index].name = long
    }
    return message
  }

  /// Finds the switch of each multiplexed signal.
  private func resolved(_ message: Message) throws(DBCFault) -> CANMessage {
    var result = message.message
    result.signals = message.signals.map(\.signal)
    let switches = message.signals.indices.filter { message.signals[$0].isSwitch }
    for (index, signal) in message.signals.enumerated() {
      let what = "signal \(signal.signal.name) of message \(result.name)"
      if let (selector, ranges, line) = signal.extended {
        guard let selector = message.indices[selector] else {
          throw cursor.fault("\(what) has the switch \(selector), which the message does not have", line: line)
        }
        result.signals[index].presence = CANSignal.Presence(selector: selector, ranges: ranges)
      } else if let value = signal.selected {
        guard switches.count == 1 || switches.count == 2 && signal.isSwitch,
          let selector = switches.first(where: { $0 != index })
        else {
          throw cursor.fault(
            switches.isEmpty
              ? "\(what) is multiplexed, and its message has no switch (M)"
              : "\(what) has several switches to choose from, and no line SG_MUL_VAL_", line: signal.line)
        }
        result.signals[index].presence = CANSignal.Presence(selector: selector, ranges: [value...value])
      }
    }
    for (index, signal) in message.signals.enumerated() {
      // A chain of different switches is shorter than the list of signals.
      var (next, steps) = (result.signals[index].presence?.selector, 0)
      while let selector = next {
        steps += 1
        guard steps <= result.signals.count else {
          throw cursor.fault(
            "signal \(signal.signal.name) of message \(result.name) is switched by itself", line: signal.line)
        }
        next = result.signals[selector].presence?.selector
      }
    }
    return result
  }
}
