public import SluiceReadings

/// Decodes the traffic between a host and its thermometers on a 1-Wire line: DS18B20, DS1822, DS18S20 and DS1820.
///
/// Use it for a recording of the line. If the host reads the memory of a thermometer, this gives a reading at the edge
/// that ends the last bit: `temperature` in degC, exact, with its sixteenths as four decimals; `family`, 40 (0x28) for
/// a DS18B20; `serial`, the number of the sensor with 48 bits, which Linux writes as 12 hexadecimal digits after the
/// family, `28-000000c8cf9b`; and `crc`, 1 if the CRC was right. If the CRC was wrong, or an edge was lost, `crc` is 0
/// and the temperature is missing, because a wrong temperature looks like a right one. A thermometer returns 85 degC if
/// it has not measured since power-on.
///
/// The host may stop after two or more bytes, before the CRC. Then `crc` is missing, and the temperature is present.
/// The reading comes with the next reset, or at the end of the trace. If the host stops within a byte, or after one
/// byte, `crc` is 0.
///
/// Family and serial come from the last ROM code with a right CRC that was read, searched or addressed. They are
/// missing if there was none, or if several devices were seen and the host addresses all of them (skip ROM). If the
/// family of a thermometer is not known, the contents of its memory decide. If they do not decide, it counts as a
/// DS18B20.
///
/// Commands for other devices are ignored until the next reset. The overdrive speed is not decoded.
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

  // In nanoseconds. The data sheet of the DS18B20 has, in microseconds: reset 480 or more; presence, which begins 15 to
  // 60 after the reset and lasts 60 to 240; slots of 60 to 120, with the next reset or slot 480 after the end of the
  // reset. If the host writes 1 or reads, the line is low for 1 to 15. If the host writes 0, it is low for 60 to 120.
  // If a device sends 0, it is low for 15 or more, in recordings for 27. So a low pulse of 20 or more is 0.
  private static let reset: Int64 = 400_000
  private static let presenceEnd: Int64 = 300_000
  private static let zero: Int64 = 20_000
  private static let longestSlot: Int64 = 150_000
  /// A pulse that begins sooner after the previous slot is an echo on the line. Recordings have echoes of 1 us.
  private static let shortestSlot: Int64 = 45_000

  /// The meaning of the next slots.
  private enum Phase {
    /// Ignored until the next reset.
    case idle
    /// After a reset, the presence pulses of devices.
    case presence
    case romCommand
    case rom
    case search
    case function
    case scratchpad
  }

  private var timer = PulseTimer()
  private var phase = Phase.idle
  /// The end of the last reset, or the beginning of the last slot.
  private var last: Int64 = 0
  /// The bits of the phase. The first bit is the lowest.
  private var bits: UInt128 = 0
  private var count = 0
  /// The two bits of the response of devices to a search.
  private var answers = (false, false)

  /// The last ROM code that was seen.
  private var seen: OneWireROM?
  private var hasSeenSeveral = false
  /// The device that the host addresses, if it is known.
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
    // The start is not before `last`. If the distance does not fit, it is a long time.
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

  /// Adds a reading for the bytes that the host has read so far.
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
      // Other devices return a different memory after this command.
      let isThermometer = addressed.map { Scratchpad.families.contains($0.family) } ?? true
      bits == 0xbe && isThermometer ? begin(.scratchpad) : (phase = .idle)
    case (.scratchpad, 72):
      append(OneWireCheck.isRight(bits, bytes: 9), time, &outputs)
      phase = .idle
    default: break
    }
  }

  /// The ROM command after a reset, which selects the devices.
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

  /// All bits of a ROM code have been received.
  private mutating func address() {
    guard let rom = OneWireROM(bits: UInt64(truncatingIfNeeded: bits)) else { return phase = .idle }
    if let seen, seen != rom { hasSeenSeveral = true }
    (seen, addressed) = (rom, rom)
    begin(.function)
  }

  /// A search has three slots per bit: the bit of the devices, its complement, and the bit that the host selects.
  private mutating func search(_ bit: Bool) {
    switch count % 3 {
    case 0: answers.0 = bit
    case 1: answers.1 = bit
    default:
      // No device has responded.
      guard !answers.0 || !answers.1 else { return phase = .idle }
      bits |= (bit ? 1 : 0) << UInt128(count / 3)
    }
    count += 1
    if count == 192 { address() }
  }

  /// The host has stopped reading.
  private mutating func cut(_ time: Int64, _ outputs: inout EdgeOutputs) {
    if phase == .scratchpad, count > 0 { append(count >= 16 && count % 8 == 0 ? nil : false, time, &outputs) }
    phase = .idle
  }

  /// The bits cannot be decoded.
  private mutating func fail(_ time: Int64, _ outputs: inout EdgeOutputs) {
    if phase == .scratchpad { append(false, time, &outputs) }
    phase = .idle
  }

  /// - Parameter isRight: Whether the CRC is right; nil if there is no CRC.
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
