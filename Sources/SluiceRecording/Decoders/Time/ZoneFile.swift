import SluiceReadings
import SluiceSystem

/// A time zone, from a file of the system's zone database (RFC 8536). The zone of the process is not touched.
struct ZoneFile: Equatable, Sendable {
  /// The folder of the database.
  private static let folder = "/usr/share/zoneinfo"

  let name: String
  /// The times in seconds at which the offset changes, and the offset from then on.
  private let changes: [Int64]
  private let offsets: [Int64]
  /// The offset before the first change.
  private let first: Int64
  /// The rule after the last change; nil if there is none.
  private let rule: ZoneRule?

  /// What a local time means.
  enum Meaning: Equatable {
    case once(Int64)
    /// Clocks were set back: the hour occurs twice.
    case twice(Int64, Int64)
    /// Clocks were set forward: there is no such time. It is read as if they had not been set yet.
    case never(Int64)
  }

  /// Reads a zone.
  /// - Parameter name: `Europe/Berlin`, `local` for the zone of this machine, or an offset such as `-04:00`.
  init(_ name: String) throws(SluiceError) {
    if let offset = Self.offset(name) {
      self.init(name, offset: offset)
      return
    }
    let isName = !name.isEmpty && !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
    guard isName else {
      throw SluiceError(
        .usage, "read the time zone", quoted(name), because: "it is not the name of one",
        remedy: "give one such as Europe/Berlin, or local")
    }
    let path = name == "local" ? "/etc/localtime" : "\(Self.folder)/\(name)"
    var bytes: [UInt8] = []
    do throws(SystemErrno) {
      bytes = try ByteSource.regularFile(path).bytes(limit: 1 << 20)
    } catch {
      throw SluiceError(
        .notFound, "read the time zone", name,
        because: error.code == ENOENT ? "there is no \(path)" : "\(path) is not a file that can be read",
        remedy: "give one such as Europe/Berlin; the package tzdata has them", errno: error.code)
    }
    guard let zone = ZoneFile(name, bytes) else {
      throw SluiceError(.malformed, "read the time zone", name, because: "\(path) is not a zone file")
    }
    self = zone
  }

  private init(_ name: String, offset: Int64) {
    (self.name, changes, offsets, first, rule) = (name, [], [], offset, nil)
  }

  /// The seconds ahead of UTC in `-04:00`, `+0530`, `UTC+2` or `GMT-04:00`; nil for the name of a zone.
  private static func offset(_ name: String) -> Int64? {
    let text = ["UTC", "GMT"].contains { name.hasPrefix($0) } ? name.dropFirst(3) : name[...]
    guard let sign = text.first, "+-\u{2212}".contains(sign) else { return nil }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    let digits = parts.joined()
    guard (1...2).contains(parts.count), digits.allSatisfy({ $0.isASCII && $0.isNumber }),
      parts.count == 2 ? parts[0].count <= 2 && parts[1].count == 2 : [1, 2, 4].contains(digits.count),
      let hours = Int64(digits.count > 2 ? digits.dropLast(2) : digits[...]),
      let minutes = Int64(digits.count > 2 ? digits.suffix(2) : "0"), hours <= 26, minutes < 60
    else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return sign == "+" ? seconds : -seconds
  }

  /// The offset that the title of a column of times has: `GMT-04:00` of `Date Time, GMT-04:00`.
  static func offset(inTitle title: String) -> ZoneFile? {
    // A slash belongs to a word: `Etc/GMT-4` is the name of a zone that is ahead of UTC.
    let words = title.split { !($0.isLetter || $0.isNumber || "+-:/\u{2212}".contains($0)) }.map(String.init)
    for (index, word) in words.enumerated() where ["UTC", "GMT"].contains(where: { word.hasPrefix($0) }) {
      var word = word
      // `UTC +01:00` is written with a space, too.
      let next = index + 1 < words.count ? words[index + 1] : ""
      if word.utf8.count == 3, let sign = next.first, "+-\u{2212}".contains(sign) { word += next }
      // No clock is further from UTC; `UTC-2024` has a year.
      if let offset = offset(word), abs(offset) <= 14 * 3_600 { return ZoneFile(word, offset: offset) }
    }
    return nil
  }

  /// Abbreviations of zones. Several zones share some of them, and some programs write that of winter time in summer, too.
  private static let abbreviations: Set<String> = [
    "CET", "CEST", "MEZ", "MESZ", "WET", "WEST", "EET", "EEST", "BST", "MSK", "EST", "EDT", "CST", "CDT", "MST", "MDT",
    "PST", "PDT", "AKST", "AKDT", "HST", "JST", "KST", "AEST", "AEDT", "ACST", "ACDT", "AWST", "NZST", "NZDT",
  ]

  /// The abbreviation of a zone in a title such as `Date-Time (CET)`, and not an offset.
  static func abbreviation(inTitle title: String) -> String? {
    guard offset(inTitle: title) == nil else { return nil }
    return title.split { !$0.isLetter }.map(String.init).first { abbreviations.contains($0) }
  }

  /// - Parameter bytes: The content of a file.
  init?(_ name: String, _ bytes: [UInt8]) {
    var reader = ZoneBytes(bytes)
    guard let head = reader.head(), head.version >= UInt8(ascii: "2") else { return nil }
    // The first block has times of 32 bits. The second one has all times.
    reader.skip(head.size(4))
    guard let whole = reader.head() else { return nil }
    var (changes, types): ([Int64], [Int]) = ([], [])
    for _ in 0..<whole.times {
      guard let time = reader.number(8) else { return nil }
      if let last = changes.last, time <= last { return nil }
      changes.append(time)
    }
    for _ in 0..<whole.times {
      guard let type = reader.number(1) else { return nil }
      types.append(Int(type & 0xff))
    }
    var offsets: [Int64] = []
    for _ in 0..<whole.types {
      guard let offset = reader.number(4), abs(offset) < 26 * 3_600 else { return nil }
      offsets.append(offset)
      reader.skip(2)
    }
    guard let first = offsets.first, types.allSatisfy({ offsets.indices.contains($0) }) else { return nil }
    reader.skip(whole.rest)
    self.name = name
    (self.changes, self.offsets, self.first) = (changes, types.map { offsets[$0] }, first)
    rule = reader.footer().flatMap { ZoneRule($0) }
  }

  /// The offset from UTC in seconds at a time in seconds.
  func offset(at time: Int64) -> Int64 {
    guard let last = changes.last, time < last else { return rule?.offset(at: time) ?? offsets.last ?? first }
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : offsets[low - 1]
  }

  /// The times in seconds that a local time may mean.
  func meaning(of local: Int64) -> Meaning {
    // Clocks are not set by more than a day, and not twice within two.
    let (before, after) = (offset(at: local &- 86_400), offset(at: local &+ 86_400))
    let candidates = [before, after].map { local &- $0 }
    let right = candidates.filter { $0 &+ offset(at: $0) == local }
    guard let one = right.first else { return .never(candidates[0]) }
    guard right.count == 2, right[0] != right[1] else { return .once(one) }
    return .twice(min(right[0], right[1]), max(right[0], right[1]))
  }
}

/// The numbers of a zone file.
private struct ZoneBytes {
  private let bytes: [UInt8]
  private var index = 0

  struct Head {
    var version: UInt8
    var counts: [Int]

    var times: Int { counts[3] }
    var types: Int { counts[4] }
    /// The names, leap seconds and flags after the types.
    var rest: Int { counts[5] + counts[2] * 12 + counts[1] + counts[0] }
    func size(_ width: Int) -> Int {
      counts[3] * (width + 1) + counts[4] * 6 + counts[5] + counts[2] * (width + 4) + counts[1] + counts[0]
    }
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func skip(_ count: Int) { index = min(bytes.count, index + count) }

  mutating func number(_ width: Int) -> Int64? {
    guard bytes.count - index >= width else { return nil }
    var value: Int64 = bytes[index] & 0x80 != 0 && width > 1 ? -1 : 0
    for byte in bytes[index..<(index + width)] { value = value << 8 | Int64(byte) }
    index += width
    return value
  }

  mutating func head() -> Head? {
    guard bytes.count - index >= 44, bytes[index...].starts(with: "TZif".utf8) else { return nil }
    let version = bytes[index + 4]
    index += 20
    var counts: [Int] = []
    for _ in 0..<6 {
      guard let count = number(4), (0...100_000).contains(count) else { return nil }
      counts.append(Int(count))
    }
    return Head(version: version, counts: counts)
  }

  /// The rule between two line feeds at the end.
  mutating func footer() -> String? {
    guard index < bytes.count, bytes[index] == 0x0a else { return nil }
    return String(decoding: bytes[(index + 1)...].prefix { $0 != 0x0a }, as: UTF8.self)
  }
}
