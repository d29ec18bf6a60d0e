package import SluiceReadings

/// The streams of an interface, and the values of its frames. A recording and a replay of `candump` share them, so
/// both give the same readings.
///
/// There is a stream for each message of the DBC file that fits into a reading, then one for other frames, one for those of CAN FD, and one for
/// error frames.
package struct CANStreams: Sendable {
  /// The streams; readings have their indices.
  package let descriptions: [StreamDescription]
  /// Whether all values are whole numbers before scale and offset.
  package let isWhole: Bool
  private let decoders: [CANMessageDecoder]
  private var places: [UInt32: Int] = [:]

  /// - Parameter messages: Those of the DBC file that can come.
  package init(interface: String, messages: [CANMessage] = [], device: StreamDescription.Device? = nil) {
    let messages = messages.filter { (1...Values.capacity).contains($0.signals.count) }
    decoders = messages.map { CANMessageDecoder($0) }
    isWhole = messages.allSatisfy(\.isWhole)
    for (index, message) in messages.enumerated() { places[message.key] = index }
    let others = [("", Self.frame), (":fd", Self.frameFD), (":error", Self.error)].map { ending, channels in
      StreamDescription(
        name: interface + ending, channels: channels.map { .init(name: $0) }, device: device)
    }
    // The streams of the other frames have two of them.
    let taken = Set(["fd", "error"] + messages.map(\.name))
    descriptions =
      messages.map { message in
        var name = message.name
        if ["fd", "error"].contains(name) { repeat { name += "_" } while taken.contains(name) }
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

  /// Checks that there are not too many streams.
  package static func check(_ messages: [CANMessage], of file: String, remedy: String) throws(SluiceError) {
    if messages.count > most {
      throw SluiceError(
        .unsupported, "read", file,
        because: "it has \(messages.count) messages, and at most \(most) can become streams",
        remedy: remedy)
    }
  }

  /// Says which messages have no stream because a reading cannot hold their signals, such as the multiplexed message of
  /// all cells of a battery; nil if there is none.
  package static func leftOut(_ messages: [CANMessage], of file: String) -> String? {
    let large = messages.filter { $0.signals.count > Values.capacity }
    guard let first = large.first else { return nil }
    let others = ["", "; so does another message"]
    let more = large.count <= 2 ? others[large.count - 1] : "; so do \(large.count - 1) other messages"
    return
      "\(file): line \(first.line): message \(first.name) has \(first.signals.count) signals, and a reading has \(Values.capacity) values\(more); their frames are recorded as those without a message"
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
