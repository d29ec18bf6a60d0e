package import SluiceReadings

/// The streams of an interface, and the values of its frames. A recording and a replay of `candump` share them, so
/// both give the same readings.
///
/// There is a stream for each message of the DBC file, then one for other frames, one for those of CAN FD, and one for
/// error frames.
package struct CANStreams: Sendable {
  /// The streams; readings have their indices.
  package let descriptions: [StreamDescription]
  /// Whether all values are whole numbers before scale and offset.
  package let isWhole: Bool
  private let decoders: [CANMessageDecoder]
  private var places: [UInt32: Int] = [:]

  /// - Parameter messages: Those of the DBC file that can come, with at most 64 signals each.
  package init(interface: String, messages: [CANMessage] = [], device: StreamDescription.Device? = nil) {
    let messages = messages.filter { !$0.signals.isEmpty }
    decoders = messages.map { CANMessageDecoder($0) }
    isWhole = messages.allSatisfy(\.isWhole)
    for (index, message) in messages.enumerated() { places[message.key] = index }
    let others = [("", Self.frame), (":fd", Self.frameFD), (":error", Self.error)].map { ending, channels in
      StreamDescription(
        name: interface + ending, channels: channels.map { .init(name: $0) }, device: device)
    }
    descriptions =
      messages.map { message in
        // The streams of the other frames have these names.
        let name = ["fd", "error"].contains(message.name) ? "\(message.name)_" : message.name
        return StreamDescription(name: "\(interface):\(name)", channels: message.channels, device: device)
      } + others
  }

  private static let frame = ["id", "extended", "remote", "length"] + (0..<8).map { "byte\($0)" }
  /// The payload is in words of 32 bits, little endian, because a reading has at most 64 values.
  private static let frameFD = ["id", "extended", "brs", "esi", "length"] + (0..<16).map { "word\($0)" }
  /// Bytes of the frame by their meaning (include/uapi/linux/can/error.h).
  private static let error = [
    "class", "arbitration", "controller", "protocol", "location", "transceiver", "tx_errors", "rx_errors",
  ]

  /// A stream has a number of 16 bits, and a recording may have several interfaces.
  private static let most = 8_192

  /// Checks that there are not too many streams, and that a reading can hold the values of each.
  package static func check(_ messages: [CANMessage], of file: String) throws(SluiceError) {
    if messages.count > most {
      throw SluiceError(
        .unsupported, "read", file,
        because: "it has \(messages.count) messages, and at most \(most) can become streams",
        remedy: "choose messages with id=, or delete some from the file")
    }
    for message in messages where message.signals.count > Values.capacity {
      throw SluiceError(
        .unsupported, "read", file,
        because:
          "line \(message.line): message \(message.name) has \(message.signals.count) signals, and a reading has \(Values.capacity) values",
        remedy: "delete some of its signals from the file, or leave the message out with id=")
    }
  }

  /// The index of the frame's stream, and its values.
  package func decode(_ frame: CANFrame) -> (place: Int, values: Values) {
    if frame.kind == .data, !places.isEmpty,
      let place = places[frame.isExtended ? frame.id | CANFrame.extendedFlag : frame.id]
    {
      return (place, decoders[place].values(frame))
    }
    let place = decoders.count
    if frame.kind == .error { return (place + 2, errorValues(frame)) }
    return frame.isFD ? (place + 1, valuesFD(frame)) : (place, values(frame))
  }

  private func values(_ frame: CANFrame) -> Values {
    let isRemote = frame.kind == .remote
    var values: Values = [Int64(frame.id), frame.isExtended ? 1 : 0, isRemote ? 1 : 0, Int64(frame.length)]
    for index in 0..<8 {
      if index < frame.length, !isRemote { values.append(Int64(frame.payload[index])) } else { values.append(.missing) }
    }
    return values
  }

  private func valuesFD(_ frame: CANFrame) -> Values {
    var values: Values = [
      Int64(frame.id), frame.isExtended ? 1 : 0, Int64(frame.flags & 1), Int64(frame.flags >> 1 & 1),
      Int64(frame.length),
    ]
    frame.payload.withBytes { bytes in
      for start in stride(from: 0, to: CANPayload.capacity, by: 4) {
        guard start < frame.length else {
          values.append(.missing)
          continue
        }
        values.append(Int64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))))
      }
    }
    return values
  }

  private func errorValues(_ frame: CANFrame) -> Values {
    var values = Values(Int64(frame.id))
    // Each driver gives byte 5 a meaning of its own.
    for index in [0, 1, 2, 3, 4, 6, 7] { values.append(Int64(frame.payload[index])) }
    return values
  }
}
