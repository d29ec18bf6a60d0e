public import SluiceReadings

extension TraceMetadata {
  /// The last values that a stage has made of a stream, such as the total of a meter. The next run continues from them.
  public struct Total: Hashable, Sendable {
    /// The name of the stream.
    public var stream: String
    /// By channel, its last value.
    public var values: [String: ExactDecimal]
    /// Whether the total may be too small, because an earlier run was cut off.
    public var isAtLeast: Bool
    /// Whether it is that at the end of a part, and the run went on in the next part.
    package var goesOn = false

    package init(stream: String, values: [String: ExactDecimal], isAtLeast: Bool = false) {
      self.stream = stream
      self.values = values
      self.isAtLeast = isAtLeast
    }

    /// The last value of a channel of whole numbers; nil if there is none.
    package func count(_ channel: String) -> Int64? {
      guard let value = values[channel], !value.isMissing, value.exponent == 0 else { return nil }
      return value.significand
    }
  }
}

extension TraceMetadata.Total: Codable {
  private enum CodingKeys: String, CodingKey {
    case stream, values
    case isAtLeast = "at_least"
    case goesOn = "goes_on"
  }

  private struct Value: Codable {
    var channel: String
    var value: ExactNumber
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    stream = try members.decode(String.self, forKey: .stream)
    let values = try members.decode([Value].self, forKey: .values)
    self.values = Dictionary(values.map { ($0.channel, $0.value.value) }) { first, _ in first }
    isAtLeast = try members.decodeIfPresent(Bool.self, forKey: .isAtLeast) ?? false
    goesOn = try members.decodeIfPresent(Bool.self, forKey: .goesOn) ?? false
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(stream, forKey: .stream)
    let known = values.filter { !$0.value.isMissing }.sorted { $0.key < $1.key }
    try members.encode(known.map { Value(channel: $0.key, value: ExactNumber($0.value)) }, forKey: .values)
    if isAtLeast { try members.encode(true, forKey: .isAtLeast) }
    if goesOn { try members.encode(true, forKey: .goesOn) }
  }
}
