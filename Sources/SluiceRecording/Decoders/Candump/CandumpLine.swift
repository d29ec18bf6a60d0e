import SluiceCAN

/// A line of the output of `candump -L`, without its end: `(1436509052.249713) can0 044#2A366C2BBA`.
///
/// The forms are those of can-utils (`snprintf_canframe` in lib.c): an identifier of 3 digits, or 8 if it is extended;
/// `#` and bytes; `#R` and the wanted length; `##`, a digit of flags, and the bytes of CAN FD. `candump -x` adds the
/// direction.
struct CandumpLine {
  /// The time in seconds.
  var time: UnsafeBufferPointer<UInt8>
  var interface: UnsafeBufferPointer<UInt8>
  var frame: CANFrame

  /// What is wrong with a line.
  struct Fault: Error {
    var cause: String
    var remedy: String?
  }

  init(_ line: UnsafeBufferPointer<UInt8>) throws(Fault) {
    let words = Self.words(line)
    guard (3...4).contains(words.count), words[0].count > 2, words[0].first == UInt8(ascii: "("),
      words[0].last == UInt8(ascii: ")"), words[1].count < 16, words[2].contains(UInt8(ascii: "#"))
    else {
      throw Self.isDefault(line)
        ? Fault(cause: "\(shown(line)) is a line of candump without -L", remedy: "record it with candump -L")
        : Fault(cause: "\(shown(line)) is not a line of candump -L")
    }
    // The kernel's dev_valid_name (net/core/dev.c). The names of streams have a colon.
    guard !words[1].contains(where: { ":/".utf8.contains($0) }) else {
      throw Fault(cause: "\(shown(words[1])) is not the name of an interface")
    }
    time = UnsafeBufferPointer(rebasing: words[0][1..<words[0].count - 1])
    interface = words[1]
    frame = try Self.frame(words[2])
  }

  /// Parses a line of `candump -d` such as `DROPCOUNT: dropped 15 CAN frames on 'can0' socket (total drops 15)`.
  /// - Returns: The number of frames that candump has lost, and their interface; nil for any other line.
  static func drops(_ line: UnsafeBufferPointer<UInt8>) -> (count: Int, interface: UnsafeBufferPointer<UInt8>)? {
    let words = words(line)
    guard words.count > 2, words[0].elementsEqual("DROPCOUNT:".utf8), words[1].elementsEqual("dropped".utf8),
      let count = Int(String(decoding: words[2], as: UTF8.self)), let begin = line.firstIndex(of: UInt8(ascii: "'")),
      let end = line.lastIndex(of: UInt8(ascii: "'")), end > begin + 1
    else { return nil }
    return (count, UnsafeBufferPointer(rebasing: line[(begin + 1)..<end]))
  }

  private static func words(_ line: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
    // No more than five are made of any line.
    line.split(maxSplits: 4) { $0 == 0x20 || $0 == 0x09 }.map { UnsafeBufferPointer(rebasing: $0) }
  }

  /// Whether it is a line of `candump` without `-L`, with any times: `(000.000) can0  123   [3]  11 22 33`.
  static func isDefault(_ line: some Collection<UInt8>) -> Bool {
    // No more are made of any line.
    let words: [ArraySlice<UInt8>] = Array(line).split(maxSplits: 8) { $0 == 0x20 || $0 == 0x09 }
    return words.indices.contains { index in
      guard index >= 2 else { return false }
      let (id, length) = (words[index - 1], words[index])
      return (3...4).contains(length.count) && length.first == UInt8(ascii: "[") && length.last == UInt8(ascii: "]")
        && length.dropFirst().dropLast().allSatisfy { $0 &- 0x30 < 10 } && (id.count == 3 || id.count == 8)
        && id.allSatisfy { digit($0) != nil }
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x61 + 10
    default: nil
    }
  }

  private static func frame(_ text: UnsafeBufferPointer<UInt8>) throws(Fault) -> CANFrame {
    func fault(_ cause: String) -> Fault { Fault(cause: "\(shown(text)) \(cause)") }
    let name = text.prefix { $0 != UInt8(ascii: "#") }
    var rest = text[(name.endIndex + 1)...]
    let isExtended = name.count == 8
    guard isExtended || name.count == 3 else { throw fault("has no identifier of 3 or 8 digits") }
    var id: UInt32 = 0
    for byte in name {
      guard let digit = digit(byte) else { throw fault("has an identifier that is not hexadecimal") }
      id = id << 4 | UInt32(digit)
    }
    let isError = id & CANFrame.errorFlag != 0
    guard id <= (isExtended ? CANFrame.extendedMask | CANFrame.errorFlag : CANFrame.standardMask) else {
      throw fault("has an identifier of more than \(isExtended ? 29 : 11) bits")
    }
    var frame = CANFrame(kernelID: isExtended && !isError ? id | CANFrame.extendedFlag : id, length: 0)
    if rest.first == UInt8(ascii: "R") {
      rest = rest.dropFirst()
      frame.kind = .remote
      if let length = rest.first.flatMap(digit) {
        guard length <= 8 else { throw fault("has a length of more than 8 bytes") }
        (frame.length, rest) = (Int(length), rest.dropFirst())
      }
      return try behind(rest, frame, fault)
    }
    if rest.first == UInt8(ascii: "#") {
      guard let flags = rest.dropFirst().first.flatMap(digit) else { throw fault("has no flags after ##") }
      (frame.isFD, frame.flags, rest) = (true, flags, rest.dropFirst(2))
    }
    while rest.count >= 2, let high = digit(rest[rest.startIndex]), let low = digit(rest[rest.startIndex + 1]) {
      guard frame.length < (frame.isFD ? 64 : 8) else { throw fault("has more than \(frame.isFD ? 64 : 8) bytes") }
      frame.payload[frame.length] = high << 4 | low
      (frame.length, rest) = (frame.length + 1, rest.dropFirst(2))
    }
    return try behind(rest, frame, fault)
  }

  /// Skips the raw length of a classic frame, such as `_C`.
  private static func behind(
    _ rest: Slice<UnsafeBufferPointer<UInt8>>, _ frame: CANFrame, _ fault: (String) -> Fault
  ) throws(Fault) -> CANFrame {
    let isRaw = rest.count == 2 && rest.first == UInt8(ascii: "_") && rest.last.flatMap(digit) != nil && !frame.isFD
    guard rest.isEmpty || isRaw else {
      throw fault(rest.contains(UInt8(ascii: ":")) ? "is a frame of CAN XL" : "has bytes that are not two digits each")
    }
    return frame
  }
}
