/// A time span is a text: `"100ms"`.
extension TimeSpan: Codable {
  public init(from decoder: any Decoder) throws {
    self = try PlanValue.parsed(from: decoder, Self.form)
  }

  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }

  package static let form = "a time with its unit, such as 250us, 10ms or 2s"
}
