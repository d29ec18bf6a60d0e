/// The format of a channel in a buffer of an IIO device: the kernel's
/// `[be|le]:[s|u]bits/storagebits[Xrepeat][>>shift]`.
///
/// As in Documentation/ABI/testing/sysfs-bus-iio (`in_voltageY_type` and similar attributes).
package struct ScanFormat: Hashable, Sendable {
  package var isBigEndian: Bool
  package var isSigned: Bool
  package var bits: Int
  package var storageBits: Int
  package var repeats: Int
  package var shift: Int

  /// The bytes of one element.
  package var elementBytes: Int { storageBits / 8 }
  /// The bytes of the channel, and its alignment (`iio_storage_bytes_for_si` in industrialio-buffer.c).
  package var bytes: Int { elementBytes * repeats }

  /// Nil for a text that the kernel does not write, and for elements of more than 64 bits, which do not fit in a
  /// reading.
  package init?(_ text: String) {
    var rest = Substring(text)
    guard let endianness = Self.word(&rest, [("be", true), ("le", false)]), rest.popFirst() == ":",
      let signed = Self.word(&rest, [("s", true), ("u", false), ("S", true), ("U", false)]),
      let bits = Self.number(&rest), rest.popFirst() == "/", let storageBits = Self.number(&rest)
    else { return nil }
    var (repeats, shift) = (1, 0)
    if rest.first == "X" {
      rest.removeFirst()
      guard let number = Self.number(&rest) else { return nil }
      repeats = number
    }
    if rest.hasPrefix(">>") {
      rest.removeFirst(2)
      guard let number = Self.number(&rest) else { return nil }
      shift = number
    }
    guard rest.isEmpty, [8, 16, 32, 64].contains(storageBits), bits >= 1, bits <= storageBits,
      shift <= storageBits - bits,
      [1, 2, 4, 8, 16, 32, 64].contains(repeats)
    else { return nil }
    (isBigEndian, isSigned, self.bits, self.storageBits) = (endianness, signed, bits, storageBits)
    (self.repeats, self.shift) = (repeats, shift)
  }

  private static func word(_ rest: inout Substring, _ words: [(String, Bool)]) -> Bool? {
    for (word, meaning) in words where rest.hasPrefix(word) {
      rest.removeFirst(word.count)
      return meaning
    }
    return nil
  }

  private static func number(_ rest: inout Substring) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest[digits.endIndex...]
    return digits.count <= 4 ? Int(digits) : nil
  }
}
