import SluiceReadings

/// The declarations of a value change dump, up to its `$enddefinitions`.
struct VCDHeader {
  enum Kind {
    case level, vector, real
    /// Not a number, or a number of more than 63 bits.
    case unreadable
  }

  struct Variable {
    let name: String
    /// The scope; nil if it is in no scope.
    let scope: Int?
    let kind: Kind
    /// The word after its values. Two variables that are always equal may share an identifier.
    let identifier: [UInt8]
  }

  struct Scope: Hashable {
    let name: String
    let parent: Int?
  }

  /// The largest number of variables, and of scopes.
  static let limit = 1 << 18
  /// The longest name with the scopes around it. The limit keeps the memory for names close to the size of the file.
  static let longestName = 1_024

  private(set) var variables: [Variable] = []
  private(set) var scopes: [Scope] = []
  /// The length of a tick in seconds is the count times ten to the power of the exponent: 244 and -9 for `244ns`. Nil
  /// if the file does not say it.
  private(set) var unit: (count: UInt64, exponent: Int)?
  /// The time of `#0` in nanoseconds; nil if this library did not write the file.
  private(set) var base: Int64?

  private var numbers: [Scope: Int] = [:]
  /// The length in bytes of each scope's name with the scopes around it.
  private var lengths: [Int] = []
  private var scope: Int?

  init(_ text: VCDText) throws(SluiceError) {
    while let word = try text.word() {
      guard word.first == UInt8(ascii: "$") else {
        throw text.lines.malformed("\(VCDText.shown(word)) stands where declarations do; there is no $enddefinitions")
      }
      let keyword = String(decoding: word.prefix(32), as: UTF8.self)
      switch keyword {
      case "$end": continue
      case "$enddefinitions":
        _ = try Self.words(keyword, text)
        return
      case "$var": try declare(try Self.words(keyword, text), text.lines)
      case "$scope": try open(try Self.words(keyword, text), text.lines)
      case "$upscope":
        _ = try Self.words(keyword, text)
        guard let inner = scope else { throw text.lines.malformed("its $upscope ends no scope") }
        scope = scopes[inner].parent
      case "$timescale": unit = try Self.unit(try Self.words(keyword, text), text.lines)
      case "$comment": base = Self.base(try Self.words(keyword, text)) ?? base
      default: _ = try Self.words(keyword, text)
      }
    }
    throw text.lines.malformed("it ends before its $enddefinitions")
  }

  /// The words between a keyword and its `$end`; only the first eight are kept.
  private static func words(_ keyword: String, _ text: VCDText) throws(SluiceError) -> [[UInt8]] {
    var words: [[UInt8]] = []
    while let word = try text.word() {
      if word.elementsEqual("$end".utf8) { return words }
      if words.count < 8 { words.append(Array(word.prefix(longestName + 1))) }
    }
    throw text.lines.malformed("it ends before the $end of its \(keyword)")
  }

  // MARK: Declarations

  /// Parses `wire 8 ! data [7:0]`.
  private mutating func declare(_ words: [[UInt8]], _ lines: TraceLines) throws(SluiceError) {
    guard words.count >= 4 else { throw lines.malformed("its $var does not have a type, size, identifier and name") }
    guard variables.count < Self.limit else { throw lines.malformed("there are more than \(Self.limit) variables") }
    guard words[2].count <= 255 else { throw lines.malformed("an identifier has more than 255 bytes") }
    let kind = try Self.kind(String(decoding: words[0], as: UTF8.self), size: words[1], lines)
    var name = words[3]
    if words.count > 4, words[4].first == UInt8(ascii: "[") { name += words[4] }
    if name.count > 1, name[0] == UInt8(ascii: "\\") { name.removeFirst() }
    // The range of bits is not part of the name of a number.
    if kind == .vector, name.last == UInt8(ascii: "]"), let bracket = name.lastIndex(of: UInt8(ascii: "[")), bracket > 0
    {
      name.removeSubrange(bracket...)
    }
    try check(name, in: scope, lines)
    variables.append(
      Variable(name: String(decoding: name, as: UTF8.self), scope: scope, kind: kind, identifier: words[2]))
  }

  private static let real: Set<String> = ["real", "realtime", "shortreal", "real_parameter"]
  private static let bits: Set<String> = [
    "wire", "reg", "logic", "bit", "integer", "int", "shortint", "longint", "byte", "time", "parameter", "enum",
    "supply0", "supply1", "tri", "tri0", "tri1", "triand", "trior", "trireg", "wand", "wor", "in", "out", "inout",
  ]

  private static func kind(_ type: String, size: [UInt8], _ lines: TraceLines) throws(SluiceError) -> Kind {
    if real.contains(type) { return .real }
    guard bits.contains(type) else { return .unreadable }
    guard let size = Int(String(decoding: size, as: UTF8.self)), size >= 0 else {
      throw lines.malformed("\(VCDText.shown(size)) is no number of bits")
    }
    return size == 1 ? .level : (2...63).contains(size) ? .vector : .unreadable
  }

  private static let scopes: Set<String> = ["module", "task", "function", "begin", "fork"]

  /// Parses `module top`.
  private mutating func open(_ words: [[UInt8]], _ lines: TraceLines) throws(SluiceError) {
    guard let type = words.first else { throw lines.malformed("its $scope does not have a type and a name") }
    // Verilator's outermost scope has a type and no name.
    let name = words.count > 1 ? words[1] : []
    guard words.count > 1 || Self.scopes.contains(String(decoding: type, as: UTF8.self)) else {
      throw lines.malformed("its $scope does not have a type and a name")
    }
    let length = try check(name, in: scope, lines)
    // A file may open a scope several times.
    let opened = Scope(name: String(decoding: name, as: UTF8.self), parent: scope)
    if let number = numbers[opened] {
      scope = number
      return
    }
    guard scopes.count < Self.limit else { throw lines.malformed("there are more than \(Self.limit) scopes") }
    numbers[opened] = scopes.count
    scope = scopes.count
    scopes.append(opened)
    lengths.append(length)
  }

  @discardableResult
  private func check(_ name: [UInt8], in scope: Int?, _ lines: TraceLines) throws(SluiceError) -> Int {
    let length = name.count + 1 + (scope.map { lengths[$0] } ?? 0)
    guard length <= Self.longestName else {
      throw lines.malformed("\(VCDText.shown(name)) and the scopes around it have more than \(Self.longestName) bytes")
    }
    return length
  }

  /// Parses `1 ns`, `100ps`, and `244ns`, which IEEE 1364 does not have.
  private static func unit(
    _ words: [[UInt8]], _ lines: TraceLines
  ) throws(SluiceError) -> (count: UInt64, exponent: Int) {
    let text = words.joined()
    let digits = text.prefix { (0x30...0x39).contains($0) }
    let units = ["s": 0, "ms": -3, "us": -6, "ns": -9, "ps": -12, "fs": -15]
    guard var count = UInt64(String(decoding: Array(digits), as: UTF8.self)), count > 0,
      var unit = units[String(decoding: Array(text.dropFirst(digits.count)), as: UTF8.self)]
    else {
      throw lines.malformed(
        "its $timescale is \(VCDText.shown(text)), not a number and a unit (s, ms, us, ns, ps or fs)")
    }
    while count.isMultiple(of: 10) { (count, unit) = (count / 10, unit + 1) }
    return (count, unit)
  }

  /// Parses `time_ns 1700000000000000000 is #0`; nil for any other comment.
  static func base(_ words: [[UInt8]]) -> Int64? {
    guard words.count == 4, words[0].elementsEqual("time_ns".utf8), words[2].elementsEqual("is".utf8),
      words[3].elementsEqual("#0".utf8)
    else { return nil }
    return Int64(String(decoding: words[1], as: UTF8.self))
  }
}
