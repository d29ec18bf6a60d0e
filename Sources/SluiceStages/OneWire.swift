public import SluiceReadings

/// Decodes what a host and its thermometers say on a 1-Wire line: DS18B20, DS1822, DS18S20 and DS1820.
///
/// Use it for a recording of the line. Each read of a thermometer's memory gives a reading at the edge that ends its last bit:
/// `temperature` in degC, exactly, with its sixteenths as four decimals; `family`, 40 (0x28) for a DS18B20; `serial`, the 48
/// bits of its number, which Linux writes as 12 hexadecimal digits behind the family, `28-000000c8cf9b`; and `crc`, 1 if
/// the check was right. If it was wrong, or an edge was lost, it is 0 and the temperature is missing, because a wrong one
/// looks like a right one. 85 degC is what a thermometer says that has not measured since it got its power.
///
/// The host may stop after two bytes or more, and nothing is left to check: then `crc` is missing, and the temperature
/// is there. The reading comes with the reset that follows, or the end of the trace. Of a host that stops within a byte, or after one, the
/// check is 0.
///
/// Family and serial are known from the last ROM that was read, searched or addressed with a right check. They are
/// missing if there was none, or if several devices were seen and the host addresses all of them (skip ROM). A thermometer
/// whose family is not known is taken for what its memory looks like: if that does not show it either, for a DS18B20.
///
/// Commands for other devices are passed over up to the next reset. The overdrive speed is not decoded.
///
/// ```swift
/// import SluiceStages
///
/// let thermometers = try LineProcessor(OneWire(), line: "DQ", inputs: InputStreams(trace.streams))
/// trace.publisher.process(by: thermometers).sink { print($0) } receiveValue: { print($0.values) }
/// ```
public struct OneWire: EdgeDecoder {
  /// `temperature`, `family`, `serial` and `crc`.
  public let channels: [StreamDescription.Channel] = [
    .init(name: "temperature", unit: "degC"), .init(name: "family"), .init(name: "serial"), .init(name: "crc"),
  ]

  // In nanoseconds. The data sheet of the DS18B20 has, in microseconds: reset 480 or more; presence, which begins 15 to 60
  // after it and lasts 60 to 240; slots of 60 to 120, with the next reset or slot 480 after the reset's end. A host that
  // writes 1 or reads is low for 1 to 15. One that writes 0 is low for 60 to 120, and a device that says 0 for 15 and
  // more: in recordings for 27. So what is low for 20 or more is 0.
  private static let reset: Int64 = 400_000
  private static let presenceEnd: Int64 = 300_000
  private static let zero: Int64 = 20_000
  private static let longestSlot: Int64 = 150_000
  /// No slot begins so soon after the one before: it is an echo on the line. Recordings have them, of 1 us.
  private static let shortestSlot: Int64 = 45_000

  /// What the next slots are.
  private enum Phase {
    /// Nothing, up to the next reset.
    case idle
    /// There was a reset, and what begins soon is the presence of devices.
    case presence
    case romCommand
    case rom
    case search
    case function
    case scratchpad
  }

  private var timer = PulseTimer()
  private var phase = Phase.idle
  /// When the last reset ended, or the last slot began.
  private var last: Int64 = 0
  /// The bits of the phase, the first one lowest.
  private var bits: UInt128 = 0
  private var count = 0
  /// The two bits with which devices answer to a search.
  private var answers = (false, false)

  /// The last that was seen.
  private var seen: OneWireROM?
  private var hasSeenSeveral = false
  /// The device that the host speaks to, if it is known.
  private var addressed: OneWireROM?

  /// Makes a decoder that has seen no edge.
  public init() {}

  /// Takes the next edge.
  public mutating func receive(_ edge: Edge, into outputs: inout EdgeOutputs) {
    guard let pulse = timer.receive(edge) else { return fail(edge.time, &outputs) }
    guard !pulse.isHigh else { return }
    if pulse.length >= Self.reset {
      cut(edge.time, &outputs)
      (phase, last) = (.presence, edge.time)
      return
    }
    // Neither is before `last`, and their distance fits if that of the edges between did; if not, it is a long time.
    let (distance, overflow) = pulse.start.subtractingReportingOverflow(last)
    switch phase {
    case .idle: return
    case .presence:
      if !overflow, distance < Self.presenceEnd { return }
      begin(.romCommand)
    case .romCommand, .rom, .search, .function, .scratchpad:
      if !overflow, distance < Self.shortestSlot { return }
    }
    guard pulse.length <= Self.longestSlot else { return fail(edge.time, &outputs) }
    last = pulse.start
    take(pulse.length < Self.zero, edge.time, &outputs)
  }

  /// What the host has read so far was all.
  public mutating func finish(into outputs: inout EdgeOutputs) { cut(timer.time ?? 0, &outputs) }

  private mutating func begin(_ next: Phase) { (phase, bits, count) = (next, 0, 0) }

  private mutating func take(_ bit: Bool, _ time: Int64, _ outputs: inout EdgeOutputs) {
    if phase == .search { return search(bit) }
    bits |= (bit ? 1 : 0) << UInt128(count)
    count += 1
    switch (phase, count) {
    case (.romCommand, 8): command(UInt8(truncatingIfNeeded: bits))
    case (.rom, 64): address()
    case (.function, 8):
      // Others than thermometers have other memories behind this command.
      let isThermometer = addressed.map { Scratchpad.families.contains($0.family) } ?? true
      bits == 0xbe && isThermometer ? begin(.scratchpad) : (phase = .idle)
    case (.scratchpad, 72):
      append(OneWireCheck.isRight(bits, bytes: 9), time, &outputs)
      phase = .idle
    default: break
    }
  }

  /// What the host says behind a reset: whom it speaks to.
  private mutating func command(_ byte: UInt8) {
    addressed = nil
    switch byte {
    case 0x33, 0x55: begin(.rom)  // read, match
    case 0xf0, 0xec: begin(.search)  // of all, of those with an alarm
    case 0xcc:  // skip
      addressed = hasSeenSeveral ? nil : seen
      begin(.function)
    default: phase = .idle
    }
  }

  /// All bits of a ROM are there.
  private mutating func address() {
    guard let rom = OneWireROM(bits: UInt64(truncatingIfNeeded: bits)) else { return phase = .idle }
    if let seen, seen != rom { hasSeenSeveral = true }
    (seen, addressed) = (rom, rom)
    begin(.function)
  }

  /// A search has three slots a bit: what devices have, its complement, and the one with which the host goes on.
  private mutating func search(_ bit: Bool) {
    switch count % 3 {
    case 0: answers.0 = bit
    case 1: answers.1 = bit
    default:
      // Nobody has answered.
      guard !answers.0 || !answers.1 else { return phase = .idle }
      bits |= (bit ? 1 : 0) << UInt128(count / 3)
    }
    count += 1
    if count == 192 { address() }
  }

  /// The host has stopped.
  private mutating func cut(_ time: Int64, _ outputs: inout EdgeOutputs) {
    if phase == .scratchpad, count > 0 { append(count >= 16 && count % 8 == 0 ? nil : false, time, &outputs) }
    phase = .idle
  }

  /// It is not known what the bits are.
  private mutating func fail(_ time: Int64, _ outputs: inout EdgeOutputs) {
    if phase == .scratchpad { append(false, time, &outputs) }
    phase = .idle
  }

  /// - Parameter isRight: nil if there is nothing to check.
  private func append(_ isRight: Bool?, _ time: Int64, _ outputs: inout EdgeOutputs) {
    let scratchpad = Scratchpad(bits, size: count / 8, family: addressed?.family)
    var values = Values()
    values.append(isRight == false ? .missing : scratchpad.temperature)
    values.append(addressed.map { ExactDecimal(significand: Int64($0.family)) } ?? .missing)
    values.append(addressed.map { ExactDecimal(significand: $0.serial) } ?? .missing)
    values.append(isRight.map { ExactDecimal(significand: $0 ? 1 : 0) } ?? .missing)
    outputs.append(time: time, values)
  }
}
