import SluiceArguments
import SluiceDevices
import SluicePipeline

/// The candidates for a source: kinds, devices, lines, channels, settings.
///
/// Every candidate is the whole word. The shell leaves out those that do not begin with the typed text.
struct SourceCompletion {
  let roots: DeviceRoots
  var kinds: [any DeviceKind] = DeviceKinds.all

  /// The candidates for `[NAME=]KIND:WHAT[,key=value...]`.
  func candidates(_ word: String) -> [Candidate] {
    guard let colon = word.firstIndex(of: ":") else {
      let name = word.firstIndex(of: "=").map { String(word[...$0]) } ?? ""
      return SourceKinds.all.map { Candidate(word: "\(name)\($0.name):", what: $0.form) }
    }
    let head = word[..<colon]
    let kind = head.firstIndex(of: "=").map { head[head.index(after: $0)...] } ?? head
    guard let kind = SourceKinds.named(String(kind)) else { return [] }
    return candidates(word[word.index(after: colon)...], kind, behind: String(word[...colon]))
  }

  /// The candidates for `[NAME=]WHAT[,key=value...]`, after the option of a kind.
  func candidates(_ word: String, of kind: any SourceKind.Type) -> [Candidate] {
    guard let equals = word.firstIndex(of: "="), !word[..<equals].contains(where: { $0 == ":" || $0 == "," }) else {
      return candidates(word[...], kind, behind: "")
    }
    return candidates(word[word.index(after: equals)...], kind, behind: String(word[...equals]))
  }

  private func candidates(
    _ what: Substring, _ kind: any SourceKind.Type, behind head: String
  ) -> [Candidate] {
    let comma = what.lastIndex(of: ",")
    let last = comma.map { what[what.index(after: $0)...] } ?? what
    var given = comma.map { what[..<$0].split(separator: ",").map(String.init) } ?? []
    var place = comma.map { String(what[...$0]) } ?? ""
    var offers: [Candidate] = []
    if kind.hasPeriod, let at = last.lastIndex(of: "@") {
      place += last[...at]
      offers = TimerSource.usual.map { Candidate(word: $0) }
    } else if comma != nil, let equals = last.firstIndex(of: "=") {
      place += last[...equals]
      offers = SettingCompletion(roots: roots).values(String(last[..<equals])).map { Candidate(word: $0) }
    } else {
      let sources = sources(kind)
      if let (source, name) = device(of: what, among: sources) {
        if comma == nil { place = "\(name):" } else { given[0].removeFirst(name.count + 1) }
        offers = source.parts.map { Candidate(word: $0.name + (kind.hasPeriod ? "@" : ""), what: $0.what) }
      } else if comma == nil {
        offers = kind.usual.map { Candidate(word: $0) } + sources.flatMap { wholes($0, kind) }
      } else if !kind.hasPeriod {
        offers = sources.filter(\.parts.isEmpty).map { Candidate(word: $0.names[0], what: $0.what) }
      }
      if comma != nil {
        offers += kind.ownSettings.map { Candidate(word: "\($0)=") } + kind.ownFlags.map { Candidate(word: $0) }
        offers += kind.keys.map { Candidate(word: $0.isFlag ? $0.name : "\($0.name)=") }
        offers += StageText.beginnings.map { Candidate(word: $0) }
      }
    }
    // An event or a setting may have a value.
    let known = Set(given.map { $0.prefix { $0 != "=" } })
    return offers.filter { !known.contains($0.word.prefix { $0 != "=" && $0 != "@" }) }
      .map { Candidate(word: head + place + $0.word, what: $0.what) }
  }

  /// The sources that can be written: a comma or an equals sign in a name would end it.
  private func sources(_ kind: any SourceKind.Type) -> [ListedSource] {
    kinds.filter { $0.sources.contains { $0.name == kind.name } }.flatMap { $0.list(roots).sources }
      .filter { $0.kind == kind.name && Self.isWritable($0.names[0]) }
      .map { source in
        var source = source
        source.names.removeAll { !Self.isWritable($0) }
        source.parts.removeAll { !Self.isWritable($0.name) }
        return source
      }
  }

  private static func isWritable(_ name: String) -> Bool {
    !name.isEmpty && !name.contains { $0 == "," || $0 == "=" }
  }

  /// The device whose name was typed with a colon, and that name.
  private func device(of what: Substring, among sources: [ListedSource]) -> (ListedSource, String)? {
    for source in sources where !source.parts.isEmpty {
      if let name = source.names.first(where: { what.hasPrefix("\($0):") }) { return (source, name) }
    }
    return nil
  }

  /// The words for a device: its name alone, if its kind accepts that, and its name with a colon, if it has parts.
  private func wholes(_ source: ListedSource, _ kind: any SourceKind.Type) -> [Candidate] {
    let name = source.names[0]
    if source.parts.isEmpty { return [Candidate(word: name + (kind.hasPeriod ? "@" : ""), what: source.what)] }
    let alone = kind.init(name) == nil ? [] : [Candidate(word: name, what: source.what)]
    return alone + [Candidate(word: "\(name):", what: source.what)]
  }
}
