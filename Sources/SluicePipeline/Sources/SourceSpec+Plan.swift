import SluiceDevices
import SluiceReadings

/// The JSON has the settings beside the other members:
/// `{"kind": "iio", "what": "bmi160:accel_x", "name": "walk", "sample-rate": "400"}`. The settings that only the kind has are
/// written in "what", and read beside it too.
extension SourceSpec: PlanPart {
  init(plan node: PlanNode) throws(Fault) {
    let object = try PlanObject(node, keys: ["kind", "what", "name"])
    let kindName = try object.required("kind", object.text("kind"))
    guard let kind = SourceKinds.named(kindName) else {
      throw object.error(
        "kind", ": there is no kind of source \(unknown(kindName, among: SourceKinds.names))")
    }
    try object.checkKeys(
      besides: kind.ownSettings + kind.ownFlags + kind.keys.map(\.name) + ["stages"], "\(kind.name) has no such setting"
    )
    let written = try object.required(
      "what", kind == ProgramSource.self ? object.text("what") : object.name("what"))
    let (what, source) = try Self.parsed(written + Self.ownSettings(kind, object, besides: written), kind, object)
    try self.init(name: Self.name(object), what, source, Self.settings(kind, object))
  }

  private static func parsed(
    _ text: String, _ kind: any SourceKind.Type, _ object: PlanObject
  ) throws(Fault) -> (String, any SourceKind) {
    do throws(Fault) {
      let (what, source, settings) = try parse(text[...], kind)
      guard let key = settings.keys.first else { return (what, source) }
      throw Fault("\(key.name) is a setting; write it beside \"what\"")
    } catch {
      throw object.error("what", ": \(error)")
    }
  }

  /// The settings of the kind beside "what", as they would be written in it.
  private static func ownSettings(
    _ kind: any SourceKind.Type, _ object: PlanObject, besides what: String
  ) throws(Fault) -> String {
    var text = ""
    for name in kind.ownSettings + kind.ownFlags {
      let key = PlanKey(name)
      guard let value = object.member(key)?.json else { continue }
      // Behind an open quote, or in an expression, it would be a part of that.
      if kind.isQuoted && hasOpenQuote(what) || what.contains(",match=") {
        throw object.error(key, " must be written in \"what\" there")
      }
      switch value {
      case .bool(let isSet) where kind.ownFlags.contains(name): if isSet { text += ",\(name)" }
      case .string(let setting) where !kind.ownFlags.contains(name):
        text += ",\(name)=\(try checked(setting, key, object))"
      // The kinds read no exponents and no signs.
      case .number where !kind.ownFlags.contains(name) && value.isPlainNumber:
        text += ",\(name)=\(value.written ?? "")"
      default:
        throw object.error(
          at: [key], " takes \(kind.ownFlags.contains(name) ? "true or false" : "a text"), not \(value.shown)")
      }
    }
    return text
  }

  /// A comma would begin another setting, but in a regular expression, which comes last.
  private static func checked(_ setting: String, _ key: PlanKey, _ object: PlanObject) throws(Fault) -> String {
    guard key != "match", setting.contains(where: { ",\"'".contains($0) }) else {
      if !setting.hasControlCharacters { return setting }
      throw object.error(key, " has a line feed or another control character")
    }
    throw object.error(key, " takes a text without commas and quotes, not \(quoted(setting, atMost: 64))")
  }

  private static func hasOpenQuote(_ text: String) -> Bool {
    var open: Character?
    for character in text where character == "'" || character == "\"" {
      if open == nil { open = character } else if open == character { open = nil }
    }
    return open != nil
  }

  private static func name(_ object: PlanObject) throws(Fault) -> String? {
    guard let name = try object.text("name") else { return nil }
    if name.isEmpty { throw object.error("name", " is empty; leave it out for the names of the devices") }
    do throws(Fault) {
      return try checkedName(name[...])
    } catch {
      throw object.error("name", ": \(error)")
    }
  }

  private static func settings(
    _ kind: any SourceKind.Type, _ object: PlanObject
  ) throws(Fault) -> SourceSettings {
    var settings = SourceSettings()
    for key in kind.keys {
      if let value = object.member(PlanKey(key.name)) { try settings.set(key, to: value) }
    }
    do throws(Fault) { try SourceSettings.table.check(settings) } catch { throw error.inside(object.node.path) }
    return settings
  }

  var json: JSON {
    .object(
      [("kind", .string(kind.name)), ("what", .string(what))] + (name.map { [("name", .string($0))] } ?? [])
        + kind.keys.compactMap { key in settings.json(key).map { (key.name, $0) } })
  }
}

extension JSON {
  fileprivate var isPlainNumber: Bool { written?.allSatisfy { $0.isNumber || $0 == "." } ?? false }
}
