public import SluiceReadings

/// One source in its text form: `[NAME=]KIND:WHAT[,key=value...]`.
///
/// Use it in a ``RecordingPlan`` to name a source. docs/Record.md lists the kinds, their forms and their settings. No
/// device is opened or searched before the recording begins.
///
/// ```swift
/// let door = try SourceSpec("door=gpio:gpiochip0:3,edges=rising")
/// let plan = RecordingPlan(sources: [door], outputs: [OutputPlan("door.csv")])
/// ```
public struct SourceSpec: Hashable, Sendable {
  /// The name of its streams, 1 to 64 bytes; nil for the names of the devices.
  public var name: String?
  /// WHAT in `KIND:WHAT`, without settings, as the user wrote it.
  public let what: String
  /// The parsed WHAT.
  package let source: any SourceKind
  /// The settings that ``kind`` has.
  package var settings: SourceSettings

  package var kind: any SourceKind.Type { type(of: source) }

  /// Whether both have the same name, kind, WHAT and settings.
  public static func == (a: SourceSpec, b: SourceSpec) -> Bool {
    a.name == b.name && a.kind == b.kind && a.what == b.what && a.settings == b.settings
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(kind.name)
    hasher.combine(what)
    hasher.combine(settings)
  }

  /// Parses a source, without I/O.
  /// - Parameter text: The text, such as `METER=gpio:gpiochip0:3,edges=rising`.
  /// - Throws: A `SluiceError` with the fault of the text.
  public init(_ text: String) throws(SluiceError) {
    do throws(Fault) {
      try self.init(argument: text)
    } catch {
      throw SluiceError(.usage, "use", "a source", because: error.description)
    }
  }

  /// Parses the argument `METER=gpio:gpiochip0:3,edges=rising`.
  package init(argument text: String) throws(Fault) {
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    var head = text[..<colon]
    if let equals = head.firstIndex(of: "=") {
      name = try Self.checkedName(head[..<equals])
      head = head[head.index(after: equals)...]
    }
    guard colon < text.endIndex else {
      throw Fault("\(text) is not a source: write KIND:WHAT, such as gpio:gpiochip0:3; \(Self.kinds)")
    }
    guard let kind = SourceKinds.named(String(head)) else {
      let hint = nearest(to: String(head), among: SourceKinds.names)
      throw Fault(
        "\(text): there is no kind of source \"\(head)\"\(hint.map { "; did you mean \($0)?" } ?? "; \(Self.kinds)")")
    }
    (what, source, settings) = try Self.parse(text[text.index(after: colon)...], kind, in: text)
  }

  /// Parses the value of `--gpio`: `METER=gpiochip0:3,edges=rising`.
  package init(_ text: String, of kind: any SourceKind.Type) throws(Fault) {
    var rest = text[...]
    if let equals = text.firstIndex(of: "="), !text[..<equals].contains(where: { $0 == ":" || $0 == "," }) {
      name = try Self.checkedName(text[..<equals])
      rest = text[text.index(after: equals)...]
    }
    (what, source, settings) = try Self.parse(rest, kind, in: "--\(kind.name) \(text)")
  }

  package init(name: String?, _ what: String, _ source: any SourceKind, _ settings: SourceSettings) {
    self.name = name
    self.what = what
    self.source = source
    self.settings = settings
  }

  package static let kinds = "the kinds are \(SourceKinds.names.joined(separator: ", "))"

  /// - Parameter source: The source as the user wrote it, for errors.
  private static func parse(
    _ text: Substring, _ kind: any SourceKind.Type, in source: String
  ) throws(Fault) -> (String, any SourceKind, SourceSettings) {
    do throws(Fault) {
      return try parse(text, kind)
    } catch {
      throw Fault("\(source): \(error)")
    }
  }

  /// - Parameter text: WHAT in `KIND:WHAT`, with settings.
  package static func parse(
    _ text: Substring, _ kind: any SourceKind.Type
  ) throws(Fault) -> (String, any SourceKind, SourceSettings) {
    var what: [String] = []
    var settings = SourceSettings()
    var given: Set<SourceSettings.Key> = []
    for (index, piece) in pieces(text, isQuoted: kind.isQuoted).enumerated() {
      guard index > 0 else {
        what.append(String(piece))
        continue
      }
      // A flag may have no value, like its option.
      let flag = SourceSettings.Key(named: String(piece)).flatMap { $0.isFlag && kind.keys.contains($0) ? $0 : nil }
      guard let equals = piece.firstIndex(of: "=") ?? flag.map({ _ in piece.endIndex }) else {
        what.append(String(piece))
        continue
      }
      let name = String(piece[..<equals])
      let value = flag == nil ? String(piece[piece.index(after: equals)...]) : "true"
      guard let key = SourceSettings.Key(named: name), kind.keys.contains(key) else {
        guard kind.takes(name, value) else {
          throw unknown(name, kind)
        }
        what.append(String(piece))
        continue
      }
      guard given.insert(key).inserted else { throw Fault("\(name) is given twice") }
      do throws(Fault) {
        try settings.set(key, to: PlanNode(json: .string(value)))
      } catch {
        throw Fault("\(name)\(error.sentence)")
      }
    }
    // Without settings, a start is spared the table of them.
    if settings != SourceSettings() { try SourceSettings.table.check(settings) }
    let joined = what.joined(separator: ",")
    guard let source = kind.init(joined) else {
      throw Fault(kind.reason(against: joined) ?? "\(kind.name) takes \(kind.form), such as \(kind.example)")
    }
    return (joined, source, settings)
  }

  /// The parts between commas.
  /// - Parameter isQuoted: Whether a comma within quotes is no end of a part.
  static func pieces(_ text: Substring, isQuoted: Bool) -> [Substring] {
    guard isQuoted else { return text.split(separator: ",", omittingEmptySubsequences: false) }
    var pieces: [Substring] = []
    var (start, quote) = (text.startIndex, Character?.none)
    for index in text.indices {
      let character = text[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "," {
        pieces.append(text[start..<index])
        start = text.index(after: index)
      }
    }
    return pieces + [text[start...]]
  }

  private static func unknown(_ key: String, _ kind: any SourceKind.Type) -> Fault {
    let known = kind.ownSettings + kind.ownFlags + kind.keys.map(\.name)
    if Stages.isAdded(key) {
      return Fault("\(key) stands in the stages of a plan only, not behind a source")
    }
    // A stage may stand behind a source too.
    let hint = nearest(to: key, among: known + StageText.words.map(\.name)).map { "did you mean \($0)?" }
    if known.isEmpty {
      return Fault("\(kind.name) has no settings, and so no \(key)\(hint.map { "; \($0)" } ?? "")")
    }
    return Fault("\(kind.name) has no setting \(key); \(hint ?? "it has \(known.joined(separator: ", "))")")
  }

  // MARK: Names

  /// A name must be valid in the title of a column, in the name of a file, and in the text form of a source.
  package static func checkedName(_ name: Substring) throws(Fault) -> String {
    let object = "the name \"\(name.filter { !$0.isNewline })\""
    if name.isEmpty {
      throw Fault("there is no name before \"=\": write NAME=KIND:WHAT, or leave out the \"=\"")
    }
    if name.utf8.count > 64 { throw Fault("\(object) has \(name.utf8.count) bytes; a name has at most 64") }
    if name.contains(",") { throw Fault("\(object) has a comma, which separates cells and sources") }
    if name.contains(":") || name.contains("=") {
      throw Fault("\(object) has a colon or an equals sign, which end a name where a source is written")
    }
    if name.contains("/") {
      throw Fault(
        "\(object) has a slash, which no file's name can have; if it is a path, put a name before it: NAME=PATH")
    }
    if String(name).hasControlCharacters {
      throw Fault("\(object) has a line feed or another control character")
    }
    return String(name)
  }
}
