/// What a shell is to offer at the Tab key.
struct CompletionAnswer {
  /// What the script of the shell looks for itself, in its first line.
  enum Search: String {
    /// Nothing: the candidates are below.
    case words
    case files, folders
  }

  var search = Search.words
  /// What stands before the value in the word with the cursor: `--plan=`.
  var prefix = ""
  var endings: [String] = []
  /// Each is the whole word. The shell leaves out those that do not begin with what was typed.
  var candidates: [Candidate] = []

  /// A line each: what to look for; then the candidates, or the prefix and the endings.
  func text(for shell: Shell) -> String {
    let lines = search == .words ? candidates.compactMap { $0.text(for: shell) } : [prefix] + endings
    return ([search.rawValue] + lines).map { $0 + "\n" }.joined()
  }
}

extension CompletionAnswer {
  /// - Parameters:
  ///   - command: The command whose arguments they are.
  ///   - words: Those behind its name, up to the one with the cursor.
  ///   - current: The word with the cursor, up to the cursor.
  init(_ command: any ArgumentCommand.Type, _ words: [String], _ current: String) {
    let rows = ArgumentSection.all(of: command).flatMap(\.rows)
    var positional = rows.filter(\.isPositional)[...]
    var given: Set<String> = []
    var open: ArgumentWords?
    var areOptionsOver = false
    for word in words {
      if let option = open, option.alone == nil || !word.hasPrefix("-") {
        open = nil
        // What may stand without a value has perhaps none.
        if option.alone == nil || option.offers(word, words) { continue }
      }
      open = nil
      if areOptionsOver || !word.hasPrefix("-") || word == "-" {
        if let first = positional.first, !first.isRepeated { positional.removeFirst() }
        if case .rest? = positional.first?.kind { return }
      } else if word == "--" {
        areOptionsOver = true
      } else if let (option, value) = Self.option(word, rows) {
        if !option.isRepeated { given.insert(option.name) }
        open = option.kind == .value && value == nil ? option : nil
      }
    }
    if let option = open {
      offer(option, "", current, words)
      if option.alone == nil || candidates.contains(where: { $0.word.hasPrefix(current) }) && !current.isEmpty {
        return
      }
    }
    if !areOptionsOver, current.hasPrefix("-") {
      if let (option, value) = Self.option(current, rows), let value {
        offer(option, String(current.dropLast(value.count)), value, words)
        return
      }
      for row in rows where !row.isPositional && !given.contains(row.name) {
        candidates += row.names.filter { $0.hasPrefix("--") }.map { Candidate(word: $0, what: row.help) }
      }
    } else if let row = positional.first {
      let before = candidates
      offer(row, "", current, words)
      candidates = before + candidates
    }
  }

  private mutating func offer(_ row: ArgumentWords, _ prefix: String, _ value: String, _ words: [String]) {
    (candidates, search) = ([], .words)
    switch row.completion {
    case .none: break
    case .words(let list): candidates = list()
    case .offering(let list): candidates = list(value, words)
    case .files(let endings): (search, self.endings, self.prefix) = (.files, endings, prefix)
    case .folders: (search, self.prefix) = (.folders, prefix)
    case .commandLine: break
    }
    for index in candidates.indices { candidates[index].word = prefix + candidates[index].word }
  }

  /// The option of a word, and the value in the same word; nil if it has none.
  private static func option(_ word: String, _ rows: [ArgumentWords]) -> (ArgumentWords, value: String?)? {
    let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : String(word.prefix(2))
    guard let row = rows.first(where: { $0.has(name) }) else { return nil }
    guard word.count > name.count else { return (row, nil) }
    let value = word.dropFirst(name.count)
    return row.kind == .value ? (row, String(value.first == "=" ? value.dropFirst() : value)) : (row, nil)
  }
}

extension ArgumentWords {
  /// Whether a word is one of those that are offered.
  fileprivate func offers(_ word: String, _ words: [String]) -> Bool {
    if case .words(let list) = completion { return list().contains { $0.word == word } }
    return false
  }
}
