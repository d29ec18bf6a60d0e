/// The first device in the entry `metadata` of a sigrok session.
///
/// The entry is a key file of GLib: https://sigrok.org/wiki/File_format:Sigrok/v2
struct SigrokMetadata {
  /// Samples per second.
  var rate: UInt64 = 0
  /// Bytes of a sample of all lines.
  var unitSize = 0
  /// The name of the entries with the samples of the lines; nil if there are no lines.
  var captureFile: String?
  /// The recorded lines: their numbers from 1, and their names, in the order of the numbers.
  var lines: [(number: Int, name: String)] = []
  /// The recorded analog channels. Their numbers follow the numbers of the lines.
  var analog: [(number: Int, name: String)] = []
  /// Whether the session has more than one device.
  var hasMoreDevices = false

  /// The largest number of lines.
  static let lineLimit = 1_024
  static let channelLimit = 64

  init(_ bytes: [UInt8]) throws(ArchiveFault) {
    let pairs = try devicePairs(bytes)
    var (lineCount, analogCount, unitSize) = (0, 0, nil as Int?)
    var rateText: String?
    var (lines, analog) = ([Int: String](), [Int: String]())
    for (key, value) in pairs {
      switch key {
      case "capturefile": captureFile = value
      case "samplerate": rateText = value
      case "unitsize": unitSize = try Self.number(value, of: key)
      case "total probes": lineCount = try Self.number(value, of: key)
      case "total analog": analogCount = try Self.number(value, of: key)
      default:
        if let number = Self.number(behind: "probe", key) { lines[number] = value }
        if let number = Self.number(behind: "analog", key) { analog[number] = value }
      }
    }
    if captureFile == nil { lineCount = 0 }
    guard lineCount <= Self.lineLimit else {
      throw ArchiveFault(text: "it has \(lineCount) lines, but \(Self.lineLimit) is the limit")
    }
    guard analogCount <= Self.channelLimit, analog.count <= Self.channelLimit else {
      throw ArchiveFault(
        text: "it has \(max(analogCount, analog.count)) analog channels, but \(Self.channelLimit) is the limit")
    }
    // A line without a name was not recorded.
    self.lines = lines.filter { $0.key <= lineCount }.map { ($0.key, $0.value) }.sorted { $0.number < $1.number }
    if analog.isEmpty { for number in 0..<analogCount { analog[lineCount + number + 1] = String(lineCount + number) } }
    self.analog = analog.map { ($0.key, $0.value) }.sorted { $0.number < $1.number }
    if self.lines.isEmpty { captureFile = nil }
    if captureFile != nil {
      let least = (lineCount + 7) / 8
      self.unitSize = unitSize ?? least
      guard (least...Self.lineLimit / 8).contains(self.unitSize) else {
        let lines = "\(lineCount) line\(lineCount == 1 ? "" : "s")"
        throw ArchiveFault(text: "its unitsize is \(self.unitSize), which does not fit its \(lines)")
      }
    }
    guard captureFile != nil || !analog.isEmpty else {
      throw ArchiveFault(text: "its metadata names neither a line nor an analog channel")
    }
    guard let rateText else {
      throw ArchiveFault(text: "its metadata has no samplerate, so its samples have no times")
    }
    guard let rate = Self.rate(rateText), rate > 0 else {
      throw ArchiveFault(text: "\"\(Self.shown(rateText))\" is not a samplerate: a whole number of Hz above 0")
    }
    self.rate = rate
  }

  /// The keys and values of the first device.
  private mutating func devicePairs(_ bytes: [UInt8]) throws(ArchiveFault) -> [(String, String)] {
    var pairs: [(String, String)] = []
    var (isDevice, hasDevice) = (false, false)
    for line in bytes.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      let line = Self.trimmed(line)
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      if first == UInt8(ascii: "["), line.last == UInt8(ascii: "]") {
        isDevice = line.dropFirst().starts(with: "device ".utf8)
        if isDevice, hasDevice { (isDevice, hasMoreDevices) = (false, true) }
        hasDevice = hasDevice || isDevice
      } else if isDevice, let equals = line.firstIndex(of: UInt8(ascii: "=")) {
        let key = String(decoding: Self.trimmed(line[..<equals]), as: UTF8.self)
        pairs.append((key, Self.unescaped(Self.trimmed(line[(equals + 1)...]))))
      }
    }
    guard hasDevice else { throw ArchiveFault(text: "its metadata has no section [device 1]") }
    return pairs
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    let text = text.drop(while: isSpace)
    return text[..<(text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? text.startIndex)]
  }

  /// The value as g_key_file_get_string reads it.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in text {
      if isEscaped {
        switch byte {
        case UInt8(ascii: "s"): bytes.append(0x20)
        case UInt8(ascii: "n"): bytes.append(0x0a)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "r"): bytes.append(0x0d)
        default: bytes.append(byte)
        }
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Numbers

  private static func number(_ text: String, of key: String) throws(ArchiveFault) -> Int {
    guard let number = Int(text), (0...Int(Int32.max)).contains(number) else {
      throw ArchiveFault(text: "\"\(shown(text))\" is not a number for \"\(key)\" in its metadata")
    }
    return number
  }

  /// The number in `probe3`, from 1.
  private static func number(behind word: String, _ key: String) -> Int? {
    guard key.hasPrefix(word) else { return nil }
    let digits = key.dropFirst(word.count)
    guard let number = Int(digits), number > 0, String(number) == digits, number <= Int(Int32.max) else { return nil }
    return number
  }

  /// The rate of `1 MHz`, `1.5MHz`, `500 kHz`, `8000000`; nil if it is not a whole number of Hz.
  static func rate(_ text: String) -> UInt64? {
    var rest = Substring(text)
    func digits() -> Substring {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      return digits
    }
    let whole = digits()
    var fraction = ""[...]
    if rest.first == "." {
      rest = rest.dropFirst()
      fraction = digits()
    }
    while fraction.last == "0" { fraction = fraction.dropLast() }
    rest = rest.drop { $0 == " " }
    let powers: [Character: Int] = ["k": 3, "K": 3, "m": 6, "M": 6, "g": 9, "G": 9, "t": 12, "T": 12]
    var power = 0
    if let letter = rest.first, let thousands = powers[letter] {
      power = thousands
      rest = rest.dropFirst()
    }
    guard rest.isEmpty || rest.lowercased() == "hz", whole.count < 20, fraction.count <= power, !whole.isEmpty else {
      return nil
    }
    return UInt64(whole + fraction + String(repeating: "0", count: power - fraction.count))
  }

  private static func shown(_ text: String) -> String { text.count > 40 ? text.prefix(40) + "..." : text }
}
