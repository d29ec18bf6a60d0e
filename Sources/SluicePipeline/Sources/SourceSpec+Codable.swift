import SluiceDevices

/// The JSON has the settings beside the other members:
/// `{"kind": "iio", "what": "bmi160:accel_x", "name": "walk", "sample-rate": "400"}`. The settings that only the kind has are
/// written in "what", and read beside it too.
extension SourceSpec: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case kind, what, name }

  public init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder)
    let kindName = try object.required(.kind, object.text(.kind))
    guard let kind = SourceKinds.named(kindName) else {
      throw object.error(
        .kind, ": there is no kind of source \(unknown(kindName, among: SourceKinds.names))")
    }
    try object.checkKeys(
      besides: kind.ownSettings + kind.keys.map(\.name) + ["stages"], "\(kind.name) has no such setting")
    var written = try object.required(.what, object.text(.what))
    for name in kind.ownSettings {
      guard let value: PlanValue = try object.value(at: PlanKey(name)) else { continue }
      guard let text = value.written else { throw object.error(at: [PlanKey(name)], " takes a text, not \(value)") }
      written += ",\(name)=\(text)"
    }
    let (what, source) = try Self.parsed(written, kind, object)
    try self.init(name: Self.name(object), what, source, Self.settings(kind, object))
  }

  private static func parsed(
    _ text: String, _ kind: any SourceKind.Type, _ object: PlanObject<CodingKeys>
  ) throws -> (String, any SourceKind) {
    do throws(UsageError) {
      let (what, source, settings) = try parse(text[...], kind)
      guard let key = settings.keys.first else { return (what, source) }
      throw UsageError("\(key.name) is a setting; write it beside \"what\"")
    } catch {
      throw object.error(.what, ": \(error)")
    }
  }

  private static func name(_ object: PlanObject<CodingKeys>) throws -> String? {
    guard let name = try object.text(.name) else { return nil }
    if name.isEmpty { throw object.error(.name, " is empty; leave it out for the names of the devices") }
    do throws(UsageError) {
      return try checkedName(name[...])
    } catch {
      throw object.error(.name, ": \(error)")
    }
  }

  private static func settings(
    _ kind: any SourceKind.Type, _ object: PlanObject<CodingKeys>
  ) throws -> SourceSettings {
    var settings = SourceSettings()
    for key in kind.keys {
      guard let value: PlanValue = try object.value(at: PlanKey(key.name)) else { continue }
      do throws(InvalidSetting) {
        try settings.set(key, to: value)
      } catch {
        throw object.error(at: [PlanKey(key.name)], " takes \(error.takes), not \(value)")
      }
    }
    if settings.watermark != nil, settings.latency != nil {
      throw object.error(" has \"watermark\" and \"latency\", which set the same thing; leave out one of them")
    }
    return settings
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind.name, forKey: .kind)
    try container.encode(what, forKey: .what)
    try container.encodeIfPresent(name, forKey: .name)
    var members = encoder.container(keyedBy: PlanKey.self)
    for key in kind.keys { try settings.encode(key, into: &members) }
  }
}
