package import SluiceReadings

/// A message of a DBC file.
package struct CANMessage: Equatable, Sendable {
  package var name: String
  /// 11 bits, or 29 if it is extended.
  package var id: UInt32
  package var isExtended: Bool
  /// The number of bytes. More than 8 come only in frames of CAN FD.
  package var length: Int
  package var signals: [CANSignal]
  /// The line of the file.
  package var line: Int

  package init(name: String, id: UInt32, isExtended: Bool, length: Int = 8, signals: [CANSignal] = [], line: Int = 0) {
    self.name = name
    self.id = id
    self.isExtended = isExtended
    self.length = length
    self.signals = signals
    self.line = line
  }

  /// The identifier with the flag of extended ones, as the kernel and DBC files have it.
  package var key: UInt32 { isExtended ? id | CANFrame.extendedFlag : id }

  /// Whether all signals are whole numbers before scale and offset.
  package var isWhole: Bool {
    signals.allSatisfy { [.unsigned, .signed].contains($0.form) && $0.scaling != .inReading }
  }

  package var channels: [StreamDescription.Channel] {
    signals.map { signal in
      switch signal.scaling {
      case .byChannel(let offset):
        StreamDescription.Channel(name: signal.name, unit: signal.unit, scale: signal.factor, offset: offset)
      case .inReading: StreamDescription.Channel(name: signal.name, unit: signal.unit)
      }
    }
  }
}

/// Makes the values of a message from its frames.
struct CANMessageDecoder: Sendable {
  private let signals: [CANSignal]
  private let layouts: [CANBits]
  private let areInReading: [Bool]
  private let haveSwitches: Bool

  init(_ message: CANMessage) {
    signals = message.signals
    layouts = signals.map(\.layout)
    areInReading = signals.map { $0.scaling == .inReading }
    haveSwitches = signals.contains { $0.presence != nil }
  }

  /// A signal is missing if the frame does not have it, or is too short for it.
  func values(_ frame: CANFrame) -> Values {
    var values = Values()
    for index in layouts.indices {
      let layout = layouts[index]
      guard layout.bytes <= frame.length, !haveSwitches || isPresent(index, frame) else {
        values.append(.missing)
        continue
      }
      let value = layout.value(layout.bits(of: frame.payload))
      values.append(areInReading[index] && !value.isMissing ? signals[index].scaled(value) : value)
    }
    return values
  }

  /// Switches may have switches. The parser has made sure that this ends.
  private func isPresent(_ index: Int, _ frame: CANFrame) -> Bool {
    var next = signals[index].presence
    while let presence = next {
      let layout = layouts[presence.selector]
      guard layout.bytes <= frame.length else { return false }
      let bits = layout.bits(of: frame.payload)
      guard presence.ranges.contains(where: { $0.contains(bits) }) else { return false }
      next = signals[presence.selector].presence
    }
    return true
  }
}
