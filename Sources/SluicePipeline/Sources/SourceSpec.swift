import SluiceReadings

/// One source as it is written: `[NAME=]KIND:WHAT[,key=value...]`, or the same without KIND behind the option of that
/// name.
package struct SourceSpec: Hashable {
  /// What its streams are to be called; nil for the names of the devices.
  package var name: String?
  /// What stands behind `KIND:`, without settings.
  package var source: any SourceKind
  package var settings = SourceSettings()

  package var kind: any SourceKind.Type { type(of: source) }

  package static func == (a: SourceSpec, b: SourceSpec) -> Bool {
    a.name == b.name && AnyHashable(a.source) == AnyHashable(b.source) && a.settings == b.settings
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(AnyHashable(source))
    hasher.combine(settings)
  }

  /// `METER=gpio:gpiochip0:3,edges=rising`
  package init(_ text: String) throws {
    let colon = text.firstIndex(of: ":") ?? text.endIndex
    var head = text[..<colon]
    if let equals = head.firstIndex(of: "=") {
      name = try Self.checkedName(head[..<equals])
      head = head[head.index(after: equals)...]
    }
    guard colon < text.endIndex else {
      throw UsageError("\(text) is not a source: write KIND:WHAT, such as gpio:gpiochip0:3; \(Self.kinds)")
    }
    guard let kind = SourceKinds.named(String(head)) else {
      let hint = nearest(to: String(head), among: SourceKinds.names)
      throw UsageError(
        "\(text): there is no kind of source \"\(head)\"\(hint.map { "; did you mean \($0)?" } ?? "; \(Self.kinds)")")
    }
    (source, settings) = try Self.parse(text[text.index(after: colon)...], kind, in: text)
  }

  /// `METER=gpiochip0:3,edges=rising` behind `--gpio`.
  package init(_ text: String, of kind: any SourceKind.Type) throws {
    var rest = text[...]
    if let equals = text.firstIndex(of: "="), !text[..<equals].contains(where: { $0 == ":" || $0 == "," }) {
      name = try Self.checkedName(text[..<equals])
      rest = text[text.index(after: equals)...]
    }
    (source, settings) = try Self.parse(rest, kind, in: "--\(kind.name) \(text)")
  }

  private static let kinds = "the kinds are \(SourceKinds.names.joined(separator: ", "))"

  /// - Parameter source: As it was written, for errors.
  private static func parse(
    _ text: Substring, _ kind: any SourceKind.Type, in source: String
  ) throws -> (any SourceKind, SourceSettings) {
    var what: [Substring] = []
    var settings = SourceSettings()
    var given: Set<SourceSettings.Key> = []
    for (index, piece) in text.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
      // A flag may stand alone, as its option does.
      let flag = SourceSettings.Key(rawValue: String(piece)).flatMap { $0.isFlag && kind.keys.contains($0) ? $0 : nil }
      guard index > 0, let equals = piece.firstIndex(of: "=") ?? flag.map({ _ in piece.endIndex }) else {
        what.append(piece)
        continue
      }
      let name = String(piece[..<equals])
      let value = flag == nil ? String(piece[piece.index(after: equals)...]) : "true"
      guard let key = SourceSettings.Key(rawValue: name), kind.keys.contains(key) else {
        guard kind.takes(name, value) else {
          throw unknown(name, kind, in: source)
        }
        what.append(piece)
        continue
      }
      guard given.insert(key).inserted else { throw UsageError("\(source): \(name) is given twice") }
      do throws(InvalidSetting) {
        try settings.set(key, to: value)
      } catch {
        throw UsageError("\(source): \(name) takes \(error.takes), not \"\(value)\"")
      }
    }
    if settings.watermark != nil, settings.latency != nil {
      throw UsageError("\(source): give watermark or latency, not both")
    }
    return (try parse(what.joined(separator: ","), kind, in: source), settings)
  }

  private static func parse(
    _ text: String, _ kind: any SourceKind.Type, in source: String
  ) throws -> any SourceKind {
    if let what = kind.init(text) { return what }
    throw UsageError(
      "\(source): \(kind.reason(against: text) ?? "\(kind.name) takes \(kind.form), such as \(kind.example)")")
  }

  private static func unknown(_ key: String, _ kind: any SourceKind.Type, in source: String) -> UsageError {
    let known = kind.keys.map(\.rawValue)
    if known.isEmpty { return UsageError("\(source): \(kind.name) has no settings, and so no \(key)") }
    let hint = nearest(to: key, among: known).map { "did you mean \($0)?" }
    return UsageError(
      "\(source): \(kind.name) has no setting \(key); \(hint ?? "it has \(known.joined(separator: ", "))")")
  }

  // MARK: Names

  /// A name must fit into a column's title, a file's name and a source that is written again.
  package static func checkedName(_ name: Substring) throws -> String {
    let object = "the name \"\(name.filter { !$0.isNewline })\""
    if name.isEmpty {
      throw UsageError("there is no name before \"=\": write NAME=KIND:WHAT, or leave out the \"=\"")
    }
    if name.utf8.count > 64 { throw UsageError("\(object) has \(name.utf8.count) bytes; a name has at most 64") }
    if name.contains(",") { throw UsageError("\(object) has a comma, which separates cells and sources") }
    if name.contains("/") {
      throw UsageError(
        "\(object) has a slash, which no file's name can have; if it is a path, put a name before it: NAME=PATH")
    }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      || name.contains(where: \.isNewline)
    {
      throw UsageError("\(object) has a line feed or another control character")
    }
    return String(name)
  }
}
