public import SluiceReadings

/// A selection of lines: some of one chip, or lines with given names on any chip.
///
/// ```swift
/// let edges = try GPIOLines.named(["METER", "DOOR"]).map { try Publishers.GPIOEdges($0) }
/// ```
public struct GPIOLines: Hashable, Sendable {
  /// The chip; nil to find the lines by their names on any chip.
  public let chip: String?
  /// The offsets or names of the lines.
  public let lines: [String]

  /// - Parameters:
  ///   - chip: The path (`/dev/gpiochip0`), name (`gpiochip0`), number (`0`) or label of the chip.
  ///   - lines: The offsets or names of the lines, 1 to 64.
  public init(chip: String, lines: [String]) {
    self.chip = chip
    self.lines = lines
  }

  /// Lines with these names on any chip.
  init(names: [String]) {
    chip = nil
    lines = names
  }

  /// Finds lines by their names on any chip.
  /// - Parameter root: The folder of device files.
  /// - Returns: One selection per chip, in the order of their first lines.
  /// - Throws: If a name is unknown, or if two lines have it.
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

  /// Opens the chip and finds its lines.
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

  /// Whether an error only means that the chip is absent, or, without a chip, that no line has the name.
  func isAbsence(_ error: SluiceError) -> Bool {
    error.code == .disconnected || error.code == .notFound && (chip == nil || error.action != Self.action)
  }

  private static let action = "watch"

  // MARK: Finding

  /// Finds lines of one chip by offset or name.
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
          // A number is no misspelt name.
          remedy: (UInt32(name) == nil ? hint(name, named) : nil) ?? "its lines are 0 to \(chip.lines.count - 1)"
            + (named.isEmpty ? "" : ", with the names \(few(named))"))
      }
      if candidates.count > 1 { throw ambiguous(name, candidates.map { (chip, $0) }) }
      try append(line, to: &lines, as: "line \(name) of \(chip.name)")
    }
    try checkCount(lines.count, of: chip)
    return lines
  }

  /// Expands `0-3` to `0,1,2,3`; nil if it is not a range.
  private static func range(_ name: String) -> String? {
    let ends = name.split(separator: "-", omittingEmptySubsequences: false).map { UInt32($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first < last else { return nil }
    let lines = (first...min(last, first + 15)).map(String.init).joined(separator: ",")
    return last - first < 16 ? lines : "\(lines) and so on"
  }

  /// The names in a sentence. An expander may have a hundred.
  private static func few(_ names: [String]) -> String {
    let shown = names.prefix(12).joined(separator: ", ")
    return names.count > 12 ? "\(shown) and \(names.count - 12) more, which 'sluice list gpio' shows" : shown
  }

  /// Checks the number of lines against the limit of a request (include/uapi/linux/gpio.h, GPIO_V2_LINES_MAX).
  private static func checkCount(_ count: Int, of chip: GPIOChipInfo) throws(SluiceError) {
    guard !(1...64).contains(count) else { return }
    throw SluiceError(
      .usage, action, "lines of \(chip.name)", because: "there are \(count)", remedy: "name 1 to 64 lines")
  }

  /// Finds lines of any chip by name.
  static func locate(
    _ names: [String], in scan: GPIOChips.Scan
  ) throws(SluiceError) -> [(chip: GPIOChipInfo, line: GPIOLineInfo)] {
    var found: [(chip: GPIOChipInfo, line: GPIOLineInfo)] = []
    for name in names {
      let candidates = scan.chips.flatMap { chip in
        chip.lines.filter { $0.name == name }.map { (chip: chip, line: $0) }
      }
      guard let only = candidates.first else {
        // The line may be on a chip that this user cannot open.
        if let refusal = scan.refusals.first { throw refusal }
        let known = scan.chips.flatMap { $0.lines.compactMap(\.name) }
        throw SluiceError(
          .notFound, action, "line \(name)", because: "no chip has a line of that name",
          remedy: hint(name, known)
            ?? (known.isEmpty
              ? "this board names no line: give chip and offset" : "there are \(few(known))"))
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
