/// As it is written: `"100ms"`.
extension TimeSpan: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try PlanValue(from: decoder)
    guard case .text(let text) = value, let span = TimeSpan(text) else {
      throw DecodingError.plan(decoder.codingPath, " takes \(Self.form), not \(value)")
    }
    self = span
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  package static let form = "a time with its unit, such as 250us, 10ms or 2s"
}
