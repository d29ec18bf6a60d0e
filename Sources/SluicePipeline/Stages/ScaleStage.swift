package import SluiceReadings
public import SluiceStages

/// Converts the values of a channel into another quantity.
package struct ScaleStage: ProcessingStage {
  package static let name = "scale"

  package var scale: Scale

  package init(_ scale: Scale) { self.scale = scale }

  /// `voltage0=0.025,-25,bar`: channel, gain, offset and unit. Offset and unit are optional.
  package init?(_ argument: String) {
    guard let sign = argument.lastIndex(of: "="), sign > argument.startIndex else { return nil }
    let parts = argument[argument.index(after: sign)...].split(separator: ",", omittingEmptySubsequences: false)
    guard let gain = ExactDecimal(parts[0]), !gain.isMissing, parts.count <= 3, !parts.contains("") else { return nil }
    scale = Scale(channel: String(argument[..<sign]), gain: gain)
    if parts.count > 1 {
      if let offset = ExactDecimal(parts[1]), !offset.isMissing {
        scale.offset = offset
      } else if parts.count == 2 {
        scale.unit = String(parts[1])
      } else {
        return nil
      }
    }
    if parts.count == 3 { scale.unit = String(parts[2]) }
  }

  package func processor(for inputs: InputStreams) throws(SluiceError) -> ScaleProcessor {
    try scale.processor(inputs: inputs)
  }
}

extension ScaleStage {
  private enum CodingKeys: String, CodingKey, CaseIterable { case channel, gain, offset, unit }

  package init(from decoder: any Decoder) throws {
    let object = try PlanObject<CodingKeys>(decoder, of: Self.self)
    func number(_ key: CodingKeys) throws -> ExactDecimal? {
      guard let value: PlanValue = try object.value(key) else { return nil }
      guard let number = value.written.flatMap({ ExactDecimal($0) }), !number.isMissing else {
        throw object.error(key, " takes a number, not \(value)")
      }
      return number
    }
    scale = Scale(
      channel: try object.required(.channel, object.text(.channel)), gain: try object.required(.gain, number(.gain)),
      offset: try number(.offset) ?? .zero, unit: try object.text(.unit))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(scale.channel, forKey: .channel)
    // Strings keep all digits.
    try container.encode(scale.gain.description, forKey: .gain)
    if scale.offset != .zero { try container.encode(scale.offset.description, forKey: .offset) }
    try container.encodeIfPresent(scale.unit, forKey: .unit)
  }
}

extension StagePlan {
  /// Converts the values of a channel into another quantity.
  public static func scale(_ scale: Scale) -> StagePlan { StagePlan(ScaleStage(scale)) }
}
