/// Rows that stand together in the help.
package struct ArgumentSection {
  /// `Stages, which compute results from readings`; nil for the arguments and options without a group.
  package let title: String?
  package internal(set) var rows: [ArgumentWords]

  /// The word by which the section is asked for: `settings` for `Settings, for all sources that have them`.
  package var word: String { title?.prefix { $0 != "," && $0 != " " }.lowercased() ?? "" }

  /// What the title says behind the word: `for all sources that have them`; nil if it is the word alone.
  package var purpose: String? {
    guard let title, let comma = title.firstRange(of: ", ") else { return nil }
    return title[comma.upperBound...].lowercased()
  }

  /// As in the help: `STAGES, WHICH COMPUTE RESULTS FROM READINGS`
  var heading: String { title?.uppercased() ?? (rows.first?.isPositional == true ? "ARGUMENTS" : "OPTIONS") }

  /// The arguments that have no group, the groups, and the options that have none.
  package static func all(of command: any ArgumentCommand.Type) -> [ArgumentSection] { sections(command) }

  private static func sections<Command: ArgumentCommand>(_ command: Command.Type) -> [ArgumentSection] {
    var (alone, groups) = (ArgumentSection(title: nil, rows: []), [ArgumentSection]())
    func add(_ rows: [ArgumentRow<Command>], _ group: Int?) {
      for row in rows {
        switch row.content {
        case .words(let words, _):
          guard words.instead == nil else { continue }
          if let group { groups[group].rows.append(words) } else { alone.rows.append(words) }
        case .group(let title?, let rows, _):
          groups.append(ArgumentSection(title: title, rows: []))
          add(rows, groups.count - 1)
        case .group(nil, let rows, _): add(rows, group)
        }
      }
    }
    add(Command.rows, nil)
    let arguments = ArgumentSection(title: nil, rows: alone.rows.filter(\.isPositional))
    let options = ArgumentSection(title: nil, rows: alone.rows.filter { !$0.isPositional } + common)
    return (arguments.rows.isEmpty ? [] : [arguments]) + groups.filter { !$0.rows.isEmpty } + [options]
  }

  /// What each command has.
  static var common: [ArgumentWords] {
    [(name: "version", short: nil, help: "Show the version."), ("help", "h", "Show help information.")].map {
      (name: String, short: Character?, help: String) in
      let words = ArgumentWords(
        .flag, name, short, "", isRepeated: false, isNeeded: false, alone: nil, { help }, { .none })
      words.isCommon = true
      return words
    }
  }
}
