import SluiceReadings

/// Numbers that a program has written as strings of JSON.
enum JSONText {
  /// Whether a string is a number.
  static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    !text.isEmpty && NearestDecimal(utf8: text)?.value != nil
  }

  /// Whether the string of a member is a number. Digits that name something, such as a serial number, are none. Neither
  /// are digits with zeros before the number.
  static func isNumber(_ text: UnsafeBufferPointer<UInt8>, of path: UnsafeBufferPointer<UInt8>) -> Bool {
    let digits = text.drop { "+-".utf8.contains($0) }
    let isPadded = digits.first == UInt8(ascii: "0") && digits.dropFirst().first.map { $0 &- 0x30 < 10 } ?? false
    return isNumber(text) && !isPadded && !SensorNames.isOne(String(decoding: path, as: UTF8.self))
  }
}
