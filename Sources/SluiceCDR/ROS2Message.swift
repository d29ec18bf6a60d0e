package import SluiceReadings

/// The readings of a stream as messages of ROS 2: the definition of their type, and their bytes.
///
/// A message has the time, the flags, and a `float64` per channel, in the order of the channels. A missing value is NaN.
package struct ROS2Message: Sendable {
  /// The name of the type: `sluice/msg/Imu`.
  package let type: String
  /// The definition of the type, with those that it uses, as `ros2msg` has them.
  package let definition: String
  /// The name of the field of each channel.
  package let fields: [String]

  package init(_ stream: StreamDescription) {
    var taken: Set<String> = ["stamp", "flags"]
    fields = stream.channels.map { channel in
      let name = Self.identifier(channel.name, isType: false)
      var free = name
      var number = 2
      while !taken.insert(free).inserted {
        free = "\(name)_\(number)"
        number += 1
      }
      return free
    }
    type = "sluice/msg/\(Self.identifier(stream.name, isType: true))"
    var lines = [
      "# The time of the reading, by the clock of the recording.", "builtin_interfaces/Time stamp",
      "# 1: readings were lost before it; 2: a level at the start; 4: late; 32: its time is uncertain.", "uint8 flags",
    ]
    for (channel, field) in zip(stream.channels, fields) {
      lines.append("float64 \(field)" + (channel.unit.map { " # \(Self.oneLine($0))" } ?? ""))
    }
    lines += [String(repeating: "=", count: 80), "MSG: builtin_interfaces/Time", "int32 sec", "uint32 nanosec", ""]
    definition = lines.joined(separator: "\n")
  }

  /// The bytes of a message.
  /// - Parameters:
  ///   - time: Nanoseconds since 1970. A message has seconds of 32 bits: up to the year 2038.
  ///   - values: One per channel.
  package func bytes(time: Int64, flags: Reading.Flags, values: some Sequence<Double>) -> [UInt8] {
    var writer = CDRWriter()
    var (seconds, nanoseconds) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
    if nanoseconds < 0 { (seconds, nanoseconds) = (seconds - 1, nanoseconds + 1_000_000_000) }
    writer.append(Int32(clamping: seconds))
    writer.append(UInt32(truncatingIfNeeded: nanoseconds))
    writer.append(flags.rawValue)
    for value in values { writer.append(value) }
    return writer.bytes
  }

  /// A name of letters, digits and underscores that begins with a letter.
  private static func identifier(_ name: String, isType: Bool) -> String {
    var text = ""
    var isUpper = isType
    for character in name {
      guard character.isASCII, character.isLetter || character.isNumber else {
        // Types have no underscores, fields no double ones.
        if isType { isUpper = true } else if !text.isEmpty, text.last != "_" { text.append("_") }
        continue
      }
      text += isUpper ? character.uppercased() : isType ? String(character) : character.lowercased()
      isUpper = false
    }
    while text.last == "_" { text.removeLast() }
    guard let first = text.first, first.isLetter else { return (isType ? "S" : "c_") + text }
    return text
  }

  private static func oneLine(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}
