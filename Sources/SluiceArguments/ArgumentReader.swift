import SluiceReadings

/// Reads the words behind the name of a command by its rows.
///
/// An option is `--name value`, `--name=value`, `-n value` or `-nvalue`; flags with a letter may be joined, as in `-qv`. The
/// word behind an option that takes a value is the value, also if it begins with a dash, unless it is the name of an option
/// of the command, or begins with two dashes. Words without an option may stand anywhere, and `--` ends the options. Nothing is abbreviated or guessed.
struct ArgumentReader<Group: ArgumentGroup> {
  private typealias Row = (words: ArgumentWords, reading: ArgumentRow<Group>.Reading)

  /// What is looked at once the words are read, in the order of the rows.
  private enum Check {
    case isGiven(Int)
    /// The rows of a group, and its rules.
    case group(Range<Int>, (Group) throws -> Void)
  }

  private var rows: [Row] = []
  private var checks: [Check] = []
  private var isGiven: [Bool]
  /// The rows without an option that may still take a word.
  private var positional: ArraySlice<Int> = []
  /// The first fault but for an unknown option.
  private var fault: Fault?
  private(set) var notices: [String] = []

  init() {
    isGiven = []
    add(Group.rows)
    isGiven = Array(repeating: false, count: rows.count)
    positional = rows.indices.filter { rows[$0].words.isPositional }[...]
  }

  private mutating func add(_ added: [ArgumentRow<Group>]) {
    for row in added {
      switch row.content {
      case .words(let words, let reading):
        if words.isNeeded { checks.append(.isGiven(rows.count)) }
        rows.append((words, reading))
      case .group(_, let rows, let check):
        let first = self.rows.count
        add(rows)
        checks.append(.group(first..<self.rows.count, check))
      }
    }
  }

  mutating func read(_ words: [String]) throws(Fault) -> Group {
    var group = Group()
    var rest = words[...]
    var areOptionsOver = false
    while let word = rest.popFirst() {
      if areOptionsOver || !word.hasPrefix("-") || word == "-" || isRest && index(of: Self.name(word)) == nil {
        take(word, &rest, into: &group)
      } else if word == "--" {
        areOptionsOver = true
      } else if word.hasPrefix("--") {
        try takeLong(word, &rest, into: &group)
      } else {
        try takeShort(word, &rest, into: &group)
      }
    }
    if let fault { throw fault }
    group.take(given: Set(zip(rows, isGiven).filter(\.1).map(\.0.words.name)))
    try check(group)
    return group
  }

  private func check(_ group: Group) throws(Fault) {
    for check in checks {
      switch check {
      case .isGiven(let index):
        let words = rows[index].words
        if !isGiven[index] {
          throw Fault.missing(form: words.isPositional ? words.title : "--\(words.name) <\(words.form)>")
        }
      case .group(let rows, let validate):
        // Each place needs a key path, which is slow to make, and nearly all groups of a command are not used.
        if isGiven[rows].contains(true) { try Self.validated { try validate(group) } }
      }
    }
    try Self.validated { try group.validate() }
  }

  private static func validated(_ validate: () throws -> Void) throws(Fault) {
    do { try validate() } catch let fault as Fault { throw fault } catch { throw Fault("\(error)") }
  }

  /// Whether all that follows is for somebody else.
  private var isRest: Bool { if case .rest? = positional.first.map({ rows[$0].words.kind }) { true } else { false } }

  /// The name in a word with dashes.
  private static func name(_ word: String) -> String {
    word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : String(word.prefix(2))
  }

  // MARK: Words without an option

  private mutating func take(_ word: String, _ rest: inout ArraySlice<String>, into group: inout Group) {
    guard let index = positional.first else { return note(.unexpected(word)) }
    isGiven[index] = true
    if !rows[index].words.isRepeated { positional.removeFirst() }
    keep(word, of: "", index, into: &group)
    guard isRest else { return }
    // Also what looks like an option is for somebody else.
    if let index = positional.popFirst() { for word in rest { keep(word, of: "", index, into: &group) } }
    rest = []
  }

  // MARK: Options

  private mutating func takeLong(
    _ word: String, _ rest: inout ArraySlice<String>, into group: inout Group
  ) throws(Fault) {
    let sign = word.utf8.firstIndex(of: UInt8(ascii: "="))
    let name = sign.map { String(word[..<$0]) } ?? word
    guard let index = index(of: name) else { throw Fault.unknownOption(name) }
    let value = sign.map { String(word[word.utf8.index(after: $0)...]) }
    try take(name, index, value, &rest, into: &group)
  }

  /// `-n`, `-n10`, `-qv`
  private mutating func takeShort(
    _ word: String, _ rest: inout ArraySlice<String>, into group: inout Group
  ) throws(Fault) {
    // `-output x` would write into a file "utput".
    if word.count > 2, index(of: "-" + word) != nil { throw Fault.unknownOption(word) }
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      let name = "-\(letter)"
      guard let index = index(of: name) else {
        throw Fault.unknownOption(letters.count + 2 == word.count ? word : name)
      }
      var value: String?
      if rows[index].words.kind == .value, !letters.isEmpty {
        value = String(letters.first == "=" ? letters.dropFirst() : letters)
        letters = ""
      }
      try take(name, index, value, &rest, into: &group)
    }
  }

  /// - Parameter value: What was written in the same word.
  private mutating func take(
    _ name: String, _ index: Int, _ value: String?, _ rest: inout ArraySlice<String>, into group: inout Group
  ) throws(Fault) {
    let words = rows[index].words
    guard words.kind == .value else {
      if let value { return note(.valueOfFlag(option: name, value: value)) }
      isGiven[index] = true
      return keep(name, of: name, index, into: &group)
    }
    if isGiven[index], !words.isRepeated {
      note(.twice(option: name, remedy: words.insteadOfTwice))
    }
    isGiven[index] = true
    if let value { return keep(value, of: name, index, into: &group) }
    let next = rest.first
    if let alone = words.alone {
      guard let next, !isName(next), rows[index].reading.accepts(next) else {
        return keep(alone, of: name, index, into: &group)
      }
    }
    guard let next, !isName(next) else {
      return note(.noValue(option: name, form: words.form, next: next))
    }
    // A misspelt option would be taken for the name of a file. Such a value can stand behind an equals sign.
    if next.hasPrefix("--") { throw Fault.unknownOption(String(next.prefix { $0 != "=" })) }
    rest.removeFirst()
    keep(next, of: name, index, into: &group)
  }

  private mutating func keep(_ text: String, of name: String, _ index: Int, into group: inout Group) {
    let (words, reading) = rows[index]
    var isTaken = false
    do throws(Fault) { isTaken = try reading.take(&group, text) } catch {
      // What is wrong with a value, behind the name.
      return note(error.sentence.hasPrefix(" ") || error.sentence.hasPrefix(":") ? Fault(name + error.sentence) : error)
    }
    guard isTaken else {
      let names = name.isEmpty ? reading.names() : []
      return note(
        names.isEmpty
          ? .unfit(option: name, form: words.form, value: text, why: reading.why(text))
          : .unknownName(form: words.form, value: text, names: names))
    }
    var said = reading.notice?(text) ?? []
    if let instead = words.instead { said.append("\(name) is an old form; write \(instead(text))") }
    for notice in said where !notices.contains(notice) { notices.append(notice) }
  }

  private mutating func note(_ fault: Fault) { if self.fault == nil { self.fault = fault } }

  // MARK: Names

  /// - Parameter name: With its dashes.
  private func index(of name: String) -> Int? {
    let isLong = name.hasPrefix("--")
    let bare = isLong ? name.dropFirst(2) : name.dropFirst()
    for (index, row) in rows.enumerated() where !row.words.isPositional && row.words.kind != .key {
      if !isLong {
        if let short = row.words.short, bare.count == 1, bare.first == short { return index }
      } else if row.words.name == bare || row.words.kind == .toggle && bare == "no-\(row.words.name)" {
        return index
      }
    }
    return nil
  }

  /// Whether a word is an option of the command, so that it cannot be the value of another one.
  private func isName(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word.count > 1 else { return false }
    if word == "--" { return true }
    // `-qv` are two flags, and `-n3` is an option with its value.
    return index(of: Self.name(word)) != nil
  }
}
