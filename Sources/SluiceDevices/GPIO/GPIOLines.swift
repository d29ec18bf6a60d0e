public import SluiceReadings

/// Which lines: some of one chip, or those that have a name, whichever chip they are of.
///
/// ```swift
/// let edges = try GPIOLines.named(["METER", "DOOR"]).map { try Publishers.GPIOEdges($0) }
/// ```
public struct GPIOLines: Hashable, Sendable {
  /// Nil where the lines are to be found by their names on any chip.
  public let chip: String?
  /// By offset or by name.
  public let lines: [String]

  /// - Parameters:
  ///   - chip: By path (`/dev/gpiochip0`), name (`gpiochip0`), number (`0`) or label.
  ///   - lines: By offset or by name, 1 to 64.
  public init(chip: String, lines: [String]) {
    self.chip = chip
    self.lines = lines
  }

  /// Those of these names, on whichever chip they are.
  init(names: [String]) {
    chip = nil
    lines = names
  }

  /// Lines by their names, on whichever chips they are.
  /// - Parameter root: Where device files are.
  /// - Returns: A selection for each chip that has some, in the order of the first of them.
  /// - Throws: Where a name is unknown, or where two lines have it.
  public static func named(_ names: [String], root: String = "/dev") throws(SluiceError) -> [GPIOLines] {
    #if SLUICE_GPIO
      var groups: [(path: String, names: [String])] = []
      for (chip, line) in try locate(names, in: GPIOChips.scan(root: root)) {
        let name = line.name ?? ""
        if let index = groups.firstIndex(where: { $0.path == chip.path }) {
          groups[index].names.append(name)
        } else {
          groups.append((chip.path, [name]))
        }
      }
      return groups.map { GPIOLines(names: $0.names) }
    #else
      throw GPIOChips.compiledOut
    #endif
  }

  /// The chip, opened, and its lines.
  func open(root: String) throws(SluiceError) -> (chip: GPIOChip, info: GPIOChipInfo, lines: [GPIOLineInfo]) {
    if let chip {
      let opened = try GPIOChip.find(chip, root: root)
      let info = try opened.info()
      return (opened, info, try Self.resolve(lines, in: info))
    }
    let found = try Self.locate(lines, in: GPIOChips.scan(root: root))
    guard let info = found.first?.chip, found.allSatisfy({ $0.chip.path == info.path }) else {
      throw SluiceError(
        .usage, Self.action, "lines \(lines.joined(separator: ","))", because: "they are of several chips",
        remedy: "watch those of each chip on their own")
    }
    return (try GPIOChip(path: info.path), info, found.map(\.line))
  }

  /// Whether an error says no more than that they are not there: their chip, or, without one, any line of such a name.
  func isAbsence(_ error: SluiceError) -> Bool {
    error.code == .disconnected || error.code == .notFound && (chip == nil || error.action != Self.action)
  }

  private static let action = "watch"

  // MARK: Finding

  /// Lines of one chip by offset or by name.
  static func resolve(_ names: [String], in chip: GPIOChipInfo) throws(SluiceError) -> [GPIOLineInfo] {
    var lines: [GPIOLineInfo] = []
    for name in names {
      let byOffset = chip.lines.first { String($0.offset) == name }
      let candidates = byOffset.map { [$0] } ?? chip.lines.filter { $0.name == name }
      guard let line = candidates.first else {
        let named = chip.lines.compactMap(\.name)
        if let lines = range(name) {
          throw SluiceError(
            .usage, action, "lines \(name) of \(chip.name)", because: "there are no ranges",
            remedy: "name each line: \(lines)")
        }
        throw SluiceError(
          .notFound, action, "line \(name) of \(chip.name)", because: "there is no such line",
          remedy: hint(name, named) ?? "its lines are 0 to \(chip.lines.count - 1)"
            + (named.isEmpty ? "" : ", with the names \(named.joined(separator: ", "))"))
      }
      if candidates.count > 1 { throw ambiguous(name, candidates.map { (chip, $0) }) }
      try append(line, to: &lines, as: "line \(name) of \(chip.name)")
    }
    try checkCount(lines.count, of: chip)
    return lines
  }

  /// Both ends of `0-3` and what is between them, one by one: `0,1,2,3`; nil for what is no range.
  private static func range(_ name: String) -> String? {
    let ends = name.split(separator: "-", omittingEmptySubsequences: false).map { UInt32($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first < last else { return nil }
    let lines = (first...min(last, first + 15)).map(String.init).joined(separator: ",")
    return last - first < 16 ? lines : "\(lines) and so on"
  }

  /// A request takes so many (include/uapi/linux/gpio.h, GPIO_V2_LINES_MAX).
  private static func checkCount(_ count: Int, of chip: GPIOChipInfo) throws(SluiceError) {
    guard !(1...64).contains(count) else { return }
    throw SluiceError(
      .usage, action, "lines of \(chip.name)", because: "there are \(count)", remedy: "name 1 to 64 lines")
  }

  /// Lines of any chip by name.
  static func locate(
    _ names: [String], in scan: GPIOChips.Scan
  ) throws(SluiceError) -> [(chip: GPIOChipInfo, line: GPIOLineInfo)] {
    var found: [(chip: GPIOChipInfo, line: GPIOLineInfo)] = []
    for name in names {
      let candidates = scan.chips.flatMap { chip in
        chip.lines.filter { $0.name == name }.map { (chip: chip, line: $0) }
      }
      guard let only = candidates.first else {
        // It may be on a chip that this user cannot look at.
        if let refusal = scan.refusals.first { throw refusal }
        let known = scan.chips.flatMap { $0.lines.compactMap(\.name) }
        throw SluiceError(
          .notFound, action, "line \(name)", because: "no chip has a line of that name",
          remedy: hint(name, known)
            ?? (known.isEmpty
              ? "this board names no line: give chip and offset" : "there are \(known.joined(separator: ", "))"))
      }
      if candidates.count > 1 { throw ambiguous(name, candidates) }
      if found.contains(where: { $0.chip.path == only.chip.path && $0.line.offset == only.line.offset }) {
        throw namedTwice("line \(name)")
      }
      found.append(only)
    }
    for chip in Set(found.map(\.chip)) { try checkCount(found.count { $0.chip.path == chip.path }, of: chip) }
    return found
  }

  private static func append(
    _ line: GPIOLineInfo, to lines: inout [GPIOLineInfo], as object: String
  ) throws(SluiceError) {
    guard !lines.contains(line) else { throw namedTwice(object) }
    lines.append(line)
  }

  private static func namedTwice(_ object: String) -> SluiceError {
    SluiceError(.usage, action, object, because: "it is named twice", remedy: "name it once")
  }

  private static func ambiguous(_ name: String, _ lines: [(chip: GPIOChipInfo, line: GPIOLineInfo)]) -> SluiceError {
    let places = lines.map { "\($0.chip.name):\($0.line.offset)" }.joined(separator: " and ")
    return SluiceError(
      .usage, action, "line \(name)", because: "\(places) have that name", remedy: "say which by chip and offset")
  }

  private static func hint(_ name: String, _ known: [String]) -> String? {
    nearest(to: name, among: known).map { "did you mean \($0)?" }
  }
}
