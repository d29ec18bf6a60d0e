/// The manual pages of a program, in the language of mdoc(7): one for the program, and one for each command.
struct ManualPages {
  let program: ArgumentProgram

  /// `sluice`, `sluice-record`, `sluice-service-install`
  var names: [String] { [program.name] + program.paths.map(name) }

  private func name(_ path: CommandPath) -> String { ([program.name] + path.words).joined(separator: "-") }

  /// - Parameters:
  ///   - page: The name of the page.
  ///   - date: The day of the text, such as 2026-11-21.
  /// - Returns: nil if there is no such page.
  func text(_ page: String, date: String) -> String? {
    if page == program.name {
      let pages = program.commands.map { "\(program.name)-\($0.name)" }
      var lines = Self.head(page, date, program.summary)
      lines += [".Nm \(program.name)", ".Ar command", ".Op Ar argument ...", ".Nm \(program.name)", ".Fl \\-version"]
      lines += [".Sh DESCRIPTION"] + Self.paragraphs(program.discussion)
      lines += Self.list(program.commands.map { ($0.name, $0.summary) }, "Cm")
      return ended(lines, pages)
    }
    guard let path = program.paths.first(where: { name($0) == page }) else { return nil }
    let type = path.type
    var lines = Self.head(page, date, type.summary)
    lines.append(".Nm \"\(program.name) \(path.name)\"")
    guard type.subcommands.isEmpty else {
      lines += [".Ar command", ".Sh DESCRIPTION"] + Self.paragraphs(type.discussion)
      lines += Self.list(type.subcommands.map { ($0.name, $0.summary) }, "Cm")
      return ended(lines, [program.name] + type.subcommands.map { "\(page)-\($0.name)" })
    }
    let sections = ArgumentSection.all(of: type)
    let rows = sections.flatMap(\.rows)
    lines += rows.filter { !$0.isPositional && $0.kind != .key }.map { ".Op \(Self.names($0))" }
    for row in rows where row.isPositional {
      let word = "Ar \(Self.escaped(row.form))\(row.isRepeated ? " ..." : "")"
      lines.append(row.isNeeded ? ".\(word)" : ".Op \(word)")
    }
    lines += [".Sh DESCRIPTION"] + Self.paragraphs(type.discussion)
    for section in sections {
      if let title = section.title { lines.append(".Ss \(Self.escaped(title))") }
      lines.append(".Bl -tag -width 6n")
      for row in section.rows {
        let word = row.kind == .key ? row.title : row.form
        lines.append(row.names.isEmpty ? ".It Ar \(Self.escaped(word))" : ".It \(Self.names(row, ", "))")
        lines += Self.text(row.help)
      }
      lines.append(".El")
    }
    let parent = path.words.count > 1 ? ["\(program.name)-\(path.words[0])"] : []
    return ended(lines, [program.name] + parent)
  }

  // MARK: Parts of a page

  private static func head(_ name: String, _ date: String, _ summary: String) -> [String] {
    let summary = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
    return [
      ".Dd \(date)", ".Dt \(name.uppercased()) 1", ".Os", ".Sh NAME", ".Nm \(name)", ".Nd \(escaped(summary))",
      ".Sh SYNOPSIS",
    ]
  }

  private func ended(_ lines: [String], _ pages: [String]) -> String {
    let name = program.name
    let references = pages.map { ".Xr \($0) 1 ," } + [".Xr \(name) 7"]
    let lines = lines + [".Sh EXIT STATUS", "See", ".Xr \(name) 7 .", ".Sh SEE ALSO"] + references
    return lines.map { $0 + "\n" }.joined()
  }

  private static func list(_ items: [(name: String, text: String)], _ macro: String) -> [String] {
    var lines = [".Bl -tag -width 6n"]
    for item in items { lines += [".It \(macro) \(item.name)"] + text(item.text) }
    return lines + [".El"]
  }

  /// `Fl o , Fl \-output Ar FILE`
  private static func names(_ row: ArgumentWords, _ separator: String = " | ") -> String {
    let names = row.names.map { "Fl \(escaped(String($0.dropFirst())))" }
    let value = row.kind == .value ? " Ar \(escaped(row.form))" : ""
    return names.joined(separator: " \(separator.split(separator: " ").joined()) ") + value
  }

  /// Examples keep their lines, and what is indented.
  private static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n\n") {
      if !lines.isEmpty { lines.append(".Pp") }
      let parts = paragraph.split(separator: "\n")
      guard paragraph.hasPrefix("Example"), let colon = paragraph.firstIndex(of: ":") else {
        for (index, part) in parts.enumerated() { lines += (index > 0 ? [".br"] : []) + self.text(String(part)) }
        continue
      }
      lines.append(String(paragraph[...colon]))
      lines += parts.enumerated().map { index, part in
        let part = index == 0 ? part[part.index(after: colon)...] : part
        return ".Dl \(escaped(String(part.drop { $0 == " " })))"
      }
    }
    return lines
  }

  /// A line of text: each sentence begins a line, and no line is longer than 80 characters.
  private static func text(_ text: String) -> [String] {
    var lines: [String] = [""]
    var endsSentence = false
    for word in text.split(separator: " ") {
      let startsSentence = endsSentence && (word.first.map { $0.isUppercase || $0 == "[" } ?? false)
      if lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] = String(word)
      } else if startsSentence || lines[lines.count - 1].count + 1 + word.count > 76 {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] += " \(word)"
      }
      endsSentence = word.hasSuffix(".") && word.count > 1
    }
    // Nothing at the start of a line is taken for a request.
    return lines.filter { !$0.isEmpty }.map { line in
      let line = escaped(line, isArgument: false)
      return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
  }

  /// Minus signs of options stay minus signs, and nothing is a macro.
  /// - Parameter isArgument: Whether it stands behind a macro, where words may be macros and signs punctuation.
  private static func escaped(_ text: String, isArgument: Bool = true) -> String {
    let text = text.replacing("\\", with: "\\e").replacing("--", with: "\\-\\-")
    guard isArgument else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let isShort = word.count <= 3 && (word.first.map { $0.isUppercase || $0.isPunctuation || $0 == "|" } ?? false)
      let word = word.hasPrefix("-") ? "\\-\(word.dropFirst(1))" : String(word)
      return word.contains("\"") ? word.replacing("\"", with: "\\(dq") : isShort ? "\\&" + word : word
    }.joined(separator: " ")
  }
}
