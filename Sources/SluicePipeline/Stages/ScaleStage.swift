package import SluiceReadings
public import SluiceStages

/// Converts the values of a channel into another quantity.
package struct ScaleStage: ProcessingStage {
  package static let name = "scale"
  package static let word: StageWord? = StageWord(
    "scale", "CH=GAIN[,OFFSET][,UNIT]", "Multiply the values of a channel, add an offset, change the unit.",
    isRepeated: true, commas: .list
  ) { Self($0) }
  package static let settings = Settings<Self>(
    .required("channel", \.scale.channel, .text), .required("gain", \.scale.gain, .decimal),
    .optional("offset", \.scale.offset, .decimal), .optional("unit", \.scale.unit, .text)
  ) { Self(Scale(channel: $0, gain: $1)) }

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

extension StagePlan {
  /// Converts the values of a channel into another quantity.
  public static func scale(_ scale: Scale) -> StagePlan { StagePlan(ScaleStage(scale)) }
}
