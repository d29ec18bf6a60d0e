import Glibc

/// How many differences of each operator each rule explains.
struct Tally {
  struct Key: Hashable {
    let rule: String
    let name: String
  }

  /// The first schedules: counts of others cannot be compared.
  let schedules: String
  private(set) var counts: [Key: Int] = [:]
  /// In the order of the rules and of the table of operators.
  private var keys: [Key] = []

  init(_ options: Options) { schedules = "\(options.schedules) schedules from seed \(options.seed)" }

  mutating func add(_ count: Int, to key: Key) {
    if counts[key] == nil { keys.append(key) }
    counts[key, default: 0] += count
  }

  // MARK: The file

  /// Nil if there is none, or if it is of other schedules.
  init?(of options: Options, at path: String) {
    self.init(options)
    guard let lines = Tally.lines(of: path), lines.first == schedules else { return nil }
    var rule = ""
    for line in lines.dropFirst() {
      guard line.hasPrefix("  "), let colon = line.lastIndex(of: ":") else {
        rule = line
        continue
      }
      let count = Int(line[colon...].dropFirst(2)) ?? 0
      add(count, to: Key(rule: rule, name: String(line[..<colon].dropFirst(2))))
    }
  }

  /// - Returns: Whether it could be written.
  func write(to path: String) -> Bool {
    var text = schedules + "\n"
    var rule = ""
    for key in keys {
      if key.rule != rule { text += key.rule + "\n" }
      rule = key.rule
      text += "  \(key.name): \(counts[key] ?? 0)\n"
    }
    guard let file = fopen(path, "w") else { return false }
    let isWritten = fputs(text, file) >= 0
    return fclose(file) == 0 && isWritten
  }

  private static func lines(of path: String) -> [String]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var text = ""
    while let line = Child.readLine(file) { text += line }
    return text.split(separator: "\n").map(String.init)
  }

  // MARK: The comparison

  /// Says where the counts are other than those that were kept.
  ///
  /// - Returns: Whether none of them has grown.
  func isWithin(_ kept: Tally) -> Bool {
    let all = keys + kept.keys.filter { counts[$0] == nil }
    let changed = all.map { ($0, kept.counts[$0] ?? 0, counts[$0] ?? 0) }.filter { $1 != $2 }
    let (grown, shrunk) = (changed.filter { $1 < $2 }, changed.filter { $1 > $2 })
    for (key, before, now) in grown {
      print("MORE THAN BEFORE: \(key.name): \(now) instead of \(before): \(key.rule)")
    }
    for (key, before, now) in shrunk {
      print("fewer than before: \(key.name): \(now) instead of \(before): \(key.rule)")
    }
    if grown.isEmpty, !shrunk.isEmpty { print("make differential RECORD=1 keeps the smaller counts") }
    return grown.isEmpty
  }
}
