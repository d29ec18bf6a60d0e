import SluiceDevices

/// The JSON has the settings beside the other members:
/// `{"kind": "iio", "what": "bmi160:accel_x", "name": "walk", "sample-rate": "400"}`.
extension SourceSpec: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable { case kind, what, name }

  public init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder)
    let kindName = try object.required(.kind, object.text(.kind))
    guard let kind = SourceKinds.named(kindName) else {
      throw object.error(
        .kind, ": there is no kind of source \(unknown(kindName, among: SourceKinds.names))")
    }
    try object.checkKeys(besides: kind.keys.map(\.rawValue) + ["stages"], "\(kind.name) has no such setting")
    let written = try object.required(.what, object.text(.what))
    let (what, source) = try Self.parsed(written, kind, object)
    try self.init(name: Self.name(object), what, source, Self.settings(kind, object))
  }

  private static func parsed(
    _ text: String, _ kind: any SourceKind.Type, _ object: PlanObject<CodingKeys>
  ) throws -> (String, any SourceKind) {
    do throws(UsageError) {
      let (what, source, settings) = try parse(text[...], kind)
      guard let key = settings.keys.first else { return (what, source) }
      throw UsageError("\(key.rawValue) is a setting; write it beside \"what\"")
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
      guard let value: PlanValue = try object.value(at: PlanKey(key.rawValue)) else { continue }
      do throws(InvalidSetting) {
        try settings.set(key, to: text(value, for: key))
      } catch {
        throw object.error(at: [PlanKey(key.rawValue)], " takes \(error.takes), not \(value)")
      }
    }
    if settings.watermark != nil, settings.latency != nil {
      throw object.error(" has \"watermark\" and \"latency\", which set the same thing; leave out one of them")
    }
    return settings
  }

  /// The text that the command line would have.
  private static func text(_ value: PlanValue, for key: SourceSettings.Key) throws(InvalidSetting) -> String {
    switch (key, value) {
    case (_, .text(let text)): return text
    case (.consumer, _), (.trigger, _): throw InvalidSetting(takes: "a text")
    case (.sampleRate, .number(let digits)): return digits
    case (.sampleRate, _): throw InvalidSetting(takes: SourceSettings.rate)
    // Other settings refuse an empty text.
    default: return value.written ?? ""
    }
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

extension SourceSettings {
  fileprivate func encode(_ key: Key, into members: inout KeyedEncodingContainer<PlanKey>) throws {
    let name = PlanKey(key.rawValue)
    switch key {
    case .edges: try members.encodeIfPresent(edges?.rawValue, forKey: name)
    case .bias: try members.encodeIfPresent(bias?.rawValue, forKey: name)
    case .activeLow: try members.encodeIfPresent(activeLow, forKey: name)
    case .debounce: try members.encodeIfPresent(debounce, forKey: name)
    case .fifo: try members.encodeIfPresent(fifo, forKey: name)
    case .eventClock: try members.encodeIfPresent(eventClock?.rawValue, forKey: name)
    case .initialLevel: try members.encodeIfPresent(initialLevel, forKey: name)
    case .consumer: try members.encodeIfPresent(consumer, forKey: name)
    case .reconnect: try members.encodeIfPresent(reconnect, forKey: name)
    case .sampleRate: try members.encodeIfPresent(sampleRate, forKey: name)
    case .trigger: try members.encodeIfPresent(trigger, forKey: name)
    case .watermark: try members.encodeIfPresent(watermark, forKey: name)
    case .latency: try members.encodeIfPresent(latency, forKey: name)
    case .length: try members.encodeIfPresent(length, forKey: name)
    case .si: try members.encodeIfPresent(si, forKey: name)
    }
  }
}
