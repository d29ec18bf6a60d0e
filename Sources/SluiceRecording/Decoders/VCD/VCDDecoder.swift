import SluiceReadings

/// Decodes the value changes of a dump.
///
/// A reading has the last value of each channel of its stream. It is complete when all channels have come, when one
/// comes a second time, or when the time ends. Until then, its stream is open.
final class VCDDecoder: TraceDecoder {
  /// A variable, and the place of its values. Variables that share an identifier are a list.
  private struct Variable {
    var kind: VCDHeader.Kind
    var stream: Int32
    var slot: Int32
    var channel: UInt64  // the bit of its channel
    var next: Int32  // -1 at the end of the list
  }

  private struct Stream {
    /// The slot of its first channel.
    var slot: Int32
    var count: Int32
    /// A bit for each channel.
    var channels: UInt64 = 0
    /// The channels whose values have come for the open reading.
    var come: UInt64 = 0
    /// Whether it is in ``open``.
    var isListed = false
    /// Whether it has values from before the first time.
    var isHeld = false
    /// Whether it is a line without a level so far.
    var isFirst = false
  }

  /// A value and its form in the file.
  private struct Change {
    enum Form { case bits, wideBits, real, text }
    var value = ExactDecimal.missing
    var form = Form.bits
  }

  /// The meaning of the next word.
  private enum Mode {
    case any
    /// The identifier of ``change``.
    case identifier
    /// A word of a section that is left out, or of a comment.
    case section, comment
    /// One of three words after the state of a port.
    case port(Int)
  }

  /// The block around the values.
  private enum Block { case none, initial, checkpoint }

  var unusedMarks: TraceMarks { marks }
  let list: StreamList
  let mayWait: Bool
  private let text: VCDText
  private let lines: TraceLines
  private let streamNames: [StreamDescription]
  private let identifiers = VCDIdentifiers()
  // Allocated once. The indices into them are made with them.
  private let variables: UnsafeMutablePointer<Variable>
  private let streams: UnsafeMutablePointer<Stream>
  private let values: UnsafeMutablePointer<ExactDecimal>
  /// Streams that have received a value at this time, each once.
  private let open: UnsafeMutablePointer<Int32>
  // One thread at a time reads it: Swift's check of exclusive access costs more than a value.
  @exclusivity(unchecked) private var openCount = 0
  /// The number of these that have been closed at the end of a time.
  @exclusivity(unchecked) private var closed = 0
  @exclusivity(unchecked) private var isClosing = false
  @exclusivity(unchecked) private var mode = Mode.any
  @exclusivity(unchecked) private var block = Block.none
  @exclusivity(unchecked) private var change = Change()
  /// The next variable for the value, if several share an identifier; -1 if there is none.
  @exclusivity(unchecked) private var shared = -1
  /// The time in the unit of the file.
  @exclusivity(unchecked) private var ticks: UInt64 = 0
  @exclusivity(unchecked) private var time: Int64
  @exclusivity(unchecked) private var nextTime: Int64 = 0
  @exclusivity(unchecked) private var hasTime = false
  @exclusivity(unchecked) private var isFirstTime = true
  @exclusivity(unchecked) private var comment: [[UInt8]] = []
  @exclusivity(unchecked) private var timescale: VCDTimescale
  /// Whether this library wrote the file.
  @exclusivity(unchecked) private var isOwn: Bool
  @exclusivity(unchecked) private var isEnded = false
  // Whether each message may still be given, because each is given once.
  @exclusivity(unchecked) private var saysCutOff = true
  @exclusivity(unchecked) private var saysRounded = true
  @exclusivity(unchecked) private var saysTooLarge = true
  @exclusivity(unchecked) private var saysText = true
  @exclusivity(unchecked) private var marks: TraceMarks
  /// An error after the open readings.
  @exclusivity(unchecked) private var failureOfTime: SluiceError?
  /// An error after the readings returned last.
  @exclusivity(unchecked) private var failure: SluiceError?

  /// - Parameter hasFlags: Whether `marks` list the initial levels.
  init(_ text: VCDText, _ header: VCDHeader, _ known: VCDStreams, _ marks: TraceMarks, hasFlags: Bool) {
    self.text = text
    lines = text.lines
    mayWait = text.lines.mayWait
    list = StreamList(known.streams)
    streamNames = known.streams
    self.marks = marks
    timescale = VCDTimescale(unit: header.unit?.exponent ?? -9, count: header.unit?.count ?? 1, base: header.base ?? 0)
    time = timescale.base
    isOwn = header.base != nil

    var slots = 0
    streams = .allocate(capacity: max(1, known.streams.count))
    for (index, stream) in known.streams.enumerated() {
      var state = Stream(slot: Int32(slots), count: Int32(stream.channels.count))
      for channel in stream.channels.indices { state.channels |= 1 << UInt64(channel) }
      state.isFirst =
        !hasFlags && stream.channels.count == 1 && stream.channels[0].format == StreamDescription.Channel.level
      (streams + index).initialize(to: state)
      slots += stream.channels.count
    }
    values = .allocate(capacity: max(1, slots))
    values.initialize(repeating: .missing, count: max(1, slots))
    open = .allocate(capacity: max(1, known.streams.count))
    open.initialize(repeating: 0, count: max(1, known.streams.count))
    variables = .allocate(capacity: max(1, header.variables.count))
    // In reverse, so that each list is in the order of the file.
    for (index, declared) in header.variables.enumerated().reversed() {
      var variable = Variable(kind: .unreadable, stream: 0, slot: 0, channel: 0, next: -1)
      if let place = known.places[index] {
        variable.kind = declared.kind
        variable.stream = Int32(place.stream)
        variable.slot = streams[place.stream].slot + Int32(place.channel)
        variable.channel = 1 << UInt64(place.channel)
      }
      variable.next = identifiers.set(declared.identifier, to: Int32(index))
      (variables + index).initialize(to: variable)
    }
  }

  deinit {
    variables.deallocate()
    streams.deallocate()
    values.deallocate()
    open.deallocate()
  }

  var hasNext: Bool { isClosing || shared >= 0 || text.next < text.end || isEnded || failure != nil || lines.hasLine }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    if let failure { throw failure }
    guard let first = target.baseAddress else { return 0 }
    var count = 0
    do throws(SluiceError) {
      try decode(first, &count, capacity: target.count)
    } catch {
      failure = error
      if count == 0 { throw error }
    }
    marks.flag(UnsafeMutableBufferPointer(rebasing: target[..<count]))
    return count
  }

  private func decode(
    _ target: UnsafeMutablePointer<Reading>, _ count: inout Int, capacity: Int
  ) throws(SluiceError) {
    while count < capacity {
      if isClosing {
        try close(target, &count, capacity: capacity)
        continue
      }
      if shared >= 0 {
        let variable = shared
        shared = Int(variables[variable].next)
        if try apply(variable, to: target + count) { count += 1 }
        continue
      }
      guard text.next < text.end else {
        if count > 0, mayWait, !lines.hasLine { return }
        if try text.nextLine() { continue }
        if isEnded { return }
        try end()
        continue
      }
      let byte = text.next.pointee
      guard case .any = mode, byte > 0x20 else {
        try readWord()
        continue
      }
      switch byte {
      case UInt8(ascii: "0"), UInt8(ascii: "1"):
        change = Change(value: ExactDecimal(significand: Int64(byte &- 0x30)))
        text.next += 1
        try readIdentifier()
      case UInt8(ascii: "#"): try readTime()
      case UInt8(ascii: "b"), UInt8(ascii: "B"): try readBits()
      case UInt8(ascii: "r"), UInt8(ascii: "R"): try readReal()
      default: try readOther(byte)
      }
    }
  }

  // MARK: Readings

  /// Sets a variable to the current value.
  /// - Returns: Whether this completed a reading.
  @inline(__always)
  private func apply(_ number: Int, to target: UnsafeMutablePointer<Reading>) throws(SluiceError) -> Bool {
    let variable = variables + number
    guard variable.pointee.kind != .unreadable else { return false }
    if change.form != .bits || variable.pointee.kind == .level { try check(variable.pointee) }
    let slot = values + Int(variable.pointee.slot)
    // A checkpoint repeats values, which is no change.
    if block == .checkpoint, slot.pointee == change.value { return false }
    let index = Int(variable.pointee.stream)
    let stream = streams + index
    guard hasTime else {
      slot.pointee = change.value
      stream.pointee.isHeld = true
      list(index)
      return false
    }
    let channel = variable.pointee.channel
    if stream.pointee.come & channel != 0 {
      finish(index, to: target)
      slot.pointee = change.value
      stream.pointee.come = channel
      return true
    }
    slot.pointee = change.value
    stream.pointee.come |= channel
    if stream.pointee.come == stream.pointee.channels {
      finish(index, to: target)
      return true
    }
    list(index)
    return false
  }

  @inline(__always)
  private func list(_ index: Int) {
    guard !streams[index].isListed else { return }
    streams[index].isListed = true
    open[openCount] = Int32(truncatingIfNeeded: index)
    openCount += 1
  }

  /// Makes a reading from the last values of a stream.
  @inline(__always)
  private func finish(_ index: Int, to target: UnsafeMutablePointer<Reading>) {
    let stream = streams + index
    stream.pointee.come = 0
    stream.pointee.isHeld = false
    target.pointee.time = time
    target.pointee.stream = StreamID(UInt16(truncatingIfNeeded: index))
    target.pointee.flags = []
    if stream.pointee.isFirst {
      stream.pointee.isFirst = false
      if !isOwn, isFirstTime || block == .initial { target.pointee.flags = .initialLevel }
    }
    target.pointee.values.removeAll()
    let first = values + Int(stream.pointee.slot)
    for channel in 0..<Int(stream.pointee.count) { target.pointee.values.appendFast(first[channel]) }
  }

  /// Makes readings from the open streams, as many as the buffer can hold.
  private func close(
    _ target: UnsafeMutablePointer<Reading>, _ count: inout Int, capacity: Int
  ) throws(SluiceError) {
    while closed < openCount {
      guard count < capacity else { return }
      let index = Int(open[closed])
      closed += 1
      streams[index].isListed = false
      guard streams[index].come != 0 || streams[index].isHeld else { continue }
      // This library writes each reading completely.
      if isEnded, isOwn {
        sayCutOff()
        continue
      }
      finish(index, to: target + count)
      count += 1
    }
    (openCount, closed, isClosing) = (0, 0, false)
    if let failureOfTime { throw failureOfTime }
    (time, isFirstTime) = (nextTime, false)
  }

  private func sayCutOff() {
    guard saysCutOff else { return }
    saysCutOff = false
    lines.warn("\(lines.name): its last reading is not whole and is left out")
  }

  /// Handles the end of the file.
  private func end() throws(SluiceError) {
    guard case .any = mode else { throw lines.malformed("it ends within a value or a section") }
    isEnded = true
    nextTime = time
    isClosing = true
  }

  // MARK: Words

  /// Handles white space, or a word that is not a value.
  @inline(never)
  private func readWord() throws(SluiceError) {
    guard !VCDText.isSpace(text.next.pointee) else {
      text.next += 1
      return
    }
    switch mode {
    case .any: throw lines.malformed("\(VCDText.shown(text.wordHere())) is no value, time or section")
    case .identifier:
      mode = .any
      try readIdentifier()
    case .section, .comment:
      let word = text.wordHere()
      guard word.elementsEqual("$end".utf8) else {
        if case .comment = mode, comment.count < 5 { comment.append(Array(word.prefix(32))) }
        return
      }
      // The time base is only before the first value.
      if case .comment = mode, !hasTime, openCount == 0, let base = VCDHeader.base(comment) {
        (timescale.base, time, isOwn) = (base, base, true)
      }
      comment = []
      mode = .any
    case .port(let left):
      let word = text.wordHere()
      mode = left > 1 ? .port(left - 1) : .any
      if left == 1, let start = word.baseAddress, identifiers.find(start).number < 0 { throw undeclared(word) }
    }
  }

  /// Reads the identifier of ``change``, which starts here.
  @inline(__always)
  private func readIdentifier() throws(SluiceError) {
    let start = text.next
    let (number, end) = identifiers.find(start)
    guard number >= 0 else { throw undeclared(UnsafeBufferPointer(start: start, count: end - start)) }
    text.next = end
    shared = number
  }

  private func undeclared(_ identifier: UnsafeBufferPointer<UInt8>) -> SluiceError {
    if identifier.isEmpty { return lines.malformed("there is no identifier after a value") }
    return lines.malformed("no variable has the identifier \(VCDText.shown(identifier))")
  }

  /// Reads the identifier of ``change`` after a single space, the usual form.
  @inline(__always)
  private func readIdentifierBehindSpace() throws(SluiceError) {
    guard text.next + 1 < text.end, text.next.pointee == 0x20, text.next[1] > 0x20 else {
      mode = .identifier
      return
    }
    text.next += 1
    try readIdentifier()
  }

  private func readBits() throws(SluiceError) {
    let start = text.next
    var next = start + 1
    guard let bits = VCDNumber.bits(&next) else {
      throw lines.malformed("\(VCDText.shown(text.wordHere())) are no bits")
    }
    text.next = next
    change = Change(value: bits.value, form: bits.isTooWide ? .wideBits : .bits)
    try readIdentifierBehindSpace()
  }

  @inline(__always)
  private func readReal() throws(SluiceError) {
    var next = text.next + 1
    guard let real = VCDNumber.real(&next) else {
      throw lines.malformed("\(VCDText.shown(text.wordHere())) is no number")
    }
    text.next = next
    change = Change(value: real.value, form: .real)
    if real.isTooLarge { sayTooLarge() }
    try readIdentifierBehindSpace()
  }

  private func sayTooLarge() {
    guard saysTooLarge else { return }
    saysTooLarge = false
    lines.warn(
      "\(lines.name): line \(lines.line): a number is too large; such numbers are taken as missing values")
  }

  /// Handles a rare start of a word.
  @inline(never)
  private func readOther(_ byte: UInt8) throws(SluiceError) {
    switch byte {
    case UInt8(ascii: "$"): try readKeyword()
    case UInt8(ascii: "s"), UInt8(ascii: "S"):
      let word = text.wordHere()
      change = Change(form: .text)
      // MyHDL writes numbers in this form, and also the names of states.
      if var digits = word.baseAddress.map({ $0 + 1 }), let real = VCDNumber.real(&digits) {
        change = Change(value: real.value, form: .real)
      }
      mode = .identifier
    case UInt8(ascii: "p"), UInt8(ascii: "P"):
      _ = text.wordHere()
      mode = .port(3)
    default:
      guard let bit = VCDNumber.bit(byte) else {
        throw lines.malformed("\(VCDText.shown(text.wordHere())) is no value, time or section")
      }
      change = Change(value: bit == .missing ? .missing : ExactDecimal(significand: bit == .one ? 1 : 0))
      text.next += 1
      try readIdentifier()
    }
  }

  private func readKeyword() throws(SluiceError) {
    let word = text.wordHere()
    switch String(decoding: word.prefix(32), as: UTF8.self) {
    case "$end": block = .none
    case "$dumpvars", "$dumpports": block = .initial
    case "$dumpall", "$dumpon", "$dumpoff", "$dumpportsall", "$dumpportson", "$dumpportsoff": block = .checkpoint
    case "$comment": mode = .comment
    case "$var", "$scope", "$upscope", "$timescale", "$enddefinitions":
      throw lines.malformed("\(VCDText.shown(word)) stands after $enddefinitions")
    default: mode = .section
    }
  }

  /// Checks for a value that the variable cannot have.
  @inline(__always)
  private func check(_ variable: Variable) throws(SluiceError) {
    if variable.kind == .level, change.form == .bits, change.value.isMissing || change.value.significand >> 1 == 0 {
      return
    }
    if variable.kind == .real, change.form == .real { return }
    if variable.kind == .real, change.form == .text { return sayText(variable) }
    throw unfit(variable)
  }

  /// A text for a number is a missing value.
  @inline(never)
  private func sayText(_ variable: Variable) {
    guard saysText else { return }
    saysText = false
    let stream = streamNames[Int(variable.stream)]
    let channel = Int(variable.slot - streams[Int(variable.stream)].slot)
    lines.warn(
      "\(lines.name): line \(lines.line): a value of \(stream.name).\(stream.channels[channel].name) is a text; such values are "
        + "taken as missing")
  }

  @inline(never)
  private func unfit(_ variable: Variable) -> SluiceError {
    let stream = streamNames[Int(variable.stream)]
    let channel = Int(variable.slot - streams[Int(variable.stream)].slot)
    let name = variable.kind == .level ? stream.name : "\(stream.name).\(stream.channels[channel].name)"
    switch change.form {
    case .bits: return lines.malformed("\(change.value) is no level, and \(name) has one bit")
    case .wideBits: return lines.malformed("a value of \(name) has more than 63 bits")
    case .real: return lines.malformed("a value of \(name), which has bits, is a real")
    case .text: return lines.malformed("a value of \(name), which is a number, is a text")
    }
  }

  // MARK: Time

  /// Reads `#1000`, and ends the previous time.
  @inline(__always)
  private func readTime() throws(SluiceError) {
    let start = text.next + 1
    let (magnitude, end) = DecimalDigits.read(start)
    let count = end - start
    var ticks = magnitude
    var isTime = count > 0 && end.pointee <= 0x20
    if count > 19, isTime {
      let digits = UnsafeBufferPointer(start: start, count: count).drop { $0 == UInt8(ascii: "0") }
      let number = UInt64("0" + String(decoding: digits.prefix(21), as: UTF8.self))
      isTime = number != nil
      ticks = number ?? 0
    }
    guard isTime else { return try fail("\(VCDText.shown(text.wordHere())) is no time in 64 bits") }
    text.next = end
    if !hasTime {
      guard let time = nanoseconds(ticks) else { return try fail(outside(ticks)) }
      hasTime = true
      // A simulation begins at 0, so values before the first time are of that moment.
      guard openCount > 0, ticks > 0, !isOwn else {
        (self.ticks, self.time) = (ticks, time)
        return
      }
      (self.ticks, self.time) = (0, timescale.base)
    }
    guard ticks != self.ticks else { return }
    guard ticks > self.ticks else { return try fail("its time goes back from #\(self.ticks) to #\(ticks)") }
    guard let time = nanoseconds(ticks) else { return try fail(outside(ticks)) }
    self.ticks = ticks
    nextTime = time
    block = .none
    isClosing = true
  }

  private func outside(_ ticks: UInt64) -> String { "#\(ticks) is no time in 64 bits of nanoseconds" }

  @inline(__always)
  private func nanoseconds(_ ticks: UInt64) -> Int64? {
    if timescale.isRounded(ticks) { sayRounded() }
    return timescale.nanoseconds(ticks)
  }

  private func sayRounded() {
    if saysRounded { lines.warn("\(lines.name): its times are finer than nanoseconds, and are rounded") }
    saysRounded = false
  }

  /// Keeps an error in a time until the readings of the previous time, which are complete, were returned.
  @inline(never)
  private func fail(_ cause: String) throws(SluiceError) {
    guard hasTime else { throw lines.malformed(cause) }
    failureOfTime = lines.malformed(cause)
    isClosing = true
  }
}
