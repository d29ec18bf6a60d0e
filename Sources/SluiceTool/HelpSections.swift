import ArgumentParser

/// The help of a command as ArgumentParser writes it, in its parts.
struct HelpSections {
  /// An option, or an argument, with the lines of its help.
  struct Entry {
    /// `["-o", "--output"]`; empty for an argument.
    let names: [String]
    let lines: [Substring]

    /// The first long name: `--output`.
    var name: String? { names.first { $0.hasPrefix("--") } ?? names.first }

    func has(_ name: String) -> Bool { names.contains(name) }
  }

  struct Section {
    /// As it is in the help: `STAGES`.
    let title: String
    let entries: [Entry]

    /// The word by which the section is asked for: `settings` for `SETTINGS, FOR ALL SOURCES THAT HAVE THEM`.
    var word: String { title.prefix { $0 != "," && $0 != " " }.lowercased() }

    /// What the title says behind the word: `for all sources that have them`; nil if it is the word alone.
    var purpose: String? { title.firstRange(of: ", ").map { title[$0.upperBound...].lowercased() } }

    var text: String { "\(title):\n\(entries.flatMap(\.lines).joined(separator: "\n"))\n" }
  }

  /// `USAGE: sluice record ...`
  let usage: String
  let sections: [Section]

  init(_ command: any ParsableCommand.Type) {
    let lines = SluiceCommand.helpMessage(for: command).split(separator: "\n", omittingEmptySubsequences: false)
    // What is before it may look like an option.
    let start = lines.firstIndex { $0.hasPrefix("USAGE: ") } ?? lines.endIndex
    let end = lines[start...].firstIndex { $0.isEmpty } ?? lines.endIndex
    usage = lines[start..<end].joined(separator: "\n")
    var sections: [(title: String, entries: [Entry])] = []
    for line in lines[end...] where !line.isEmpty {
      let indentation = line.prefix { $0 == " " }.count
      if indentation == 0 {
        sections.append((line.hasSuffix(":") ? String(line.dropLast()) : String(line), []))
      } else if let last = sections.indices.last {
        if indentation == 2 {
          sections[last].entries.append(Entry(names: Self.names(line), lines: [line]))
        } else if let entry = sections[last].entries.popLast() {
          sections[last].entries.append(Entry(names: entry.names, lines: entry.lines + [line]))
        }
      }
    }
    self.sections = sections.map { Section(title: $0.title, entries: $0.entries) }
  }

  /// All options and arguments.
  var entries: [Entry] { sections.flatMap(\.entries) }

  /// The options that have a group. ArgumentParser calls the others `OPTIONS`, and the arguments `ARGUMENTS`.
  var groups: [Section] { sections.filter { !["ARGUMENTS", "OPTIONS", "SUBCOMMANDS"].contains($0.title) } }

  /// `["-o", "--output"]` in `  -o, --output <FILE>  Where to write`, and `["--live", "--no-live"]` in `  --live/--no-live`.
  private static func names(_ line: Substring) -> [String] {
    let words = line.split(separator: " ").prefix { $0.hasPrefix("-") }
    return words.flatMap { $0.split { $0 == "," || $0 == "/" }.map(String.init) }
  }
}
